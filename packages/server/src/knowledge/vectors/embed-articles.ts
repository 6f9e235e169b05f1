import type { SystemActor } from "../../access/actor.ts";
import type { ModelClients } from "../../ai/model/model-client.ts";
import type { JobHandler } from "../../jobs/job.ts";
import type { Perform } from "../../perform.ts";
import {
  findMissingVectors,
  keepVectors,
  type MissingVector,
  openEmbeddingModel,
  sweepVectors,
} from "./missing-vectors.ts";
import { keepTeamFloor } from "./team-floor.ts";
import { type EmbeddedBy, embeddedText, storedVector, unitVector } from "./vector.ts";

/** How many passages are sent, and stored, at once. */
const AT_ONCE = 32;
/** A server can have another model under the same name, so the size of its vectors is asked for first. */
const PROBE = "Hello";

/**
 * Stores what the passages of the published articles mean, where that is not stored yet:
 *
 * ```
 * which model? --> the articles, page by page --> 32 passages to the server --> one commit --> … --> sweep what is left over
 * ```
 * What was stored stays when it fails, and the next attempt goes on there. A turn that asks meanwhile uses what is there.
 */
export function embedArticlesJob({
  perform,
  clients,
}: {
  perform: () => Perform;
  clients: Pick<ModelClients, "clientFor">;
}): JobHandler<"embed-articles"> {
  return async (_, { teamId, signal }) => {
    const system: SystemActor = { kind: "system", teamId };
    const connection = await perform()(system, openEmbeddingModel, {});
    if (connection) {
      const client = clients.clientFor(connection);
      const size = (await client.embed([PROBE], signal))[0]?.length ?? 0;
      const by: EmbeddedBy = { baseUrl: connection.baseUrl, model: connection.embeddingModel, size };
      for (let after: string | null = ""; after !== null; ) {
        const page: { missing: MissingVector[]; last: string | null } = await perform()(system, findMissingVectors, {
          by,
          after,
        });
        for (let at = 0; at < page.missing.length; at += AT_ONCE) {
          const some = page.missing.slice(at, at + AT_ONCE);
          const vectors = await client.embed(some.map(embeddedText), signal);
          signal.throwIfAborted();
          const made = some.map(({ articleId, passage, fingerprint }, index) => {
            const vector = storedVector(unitVector(vectors[index] as Float32Array));
            return { articleId, passage, fingerprint, vector };
          });
          await perform()(system, keepVectors, { by, made });
        }
        after = page.last;
      }
      await keepTeamFloor({ perform: perform(), client, by }, teamId, signal);
    }
    await perform()(system, sweepVectors, {});
  };
}
