import type { SystemActor } from "../../access/actor.ts";
import type { ModelClients } from "../../ai/model/model-client.ts";
import type { JobHandler } from "../../jobs/job.ts";
import type { Perform } from "../../perform.ts";
import { embedTexts, PROBE } from "./embed-texts.ts";
import {
  dropVanishedVectors,
  type FoundMissing,
  findMissingVectors,
  keepVectors,
  openEmbeddingModel,
  sweepVectors,
} from "./missing-vectors.ts";
import { keepTeamFloor } from "./team-floor.ts";
import { type EmbeddedBy, embeddedText, LEFT_OUT, storedVector, unitVector } from "./vector.ts";

/** How many passages are sent, and stored, at once: few, so that what else this process does waits for a moment only. */
const AT_ONCE = 16;

/**
 * Stores what the passages of the published articles mean, where that is not stored yet:
 *
 * ```
 * which model? --> the articles, page by page --> 16 passages to the server --> one commit --> … --> sweep what is left over
 * ```
 * What was stored stays when it fails, and the next attempt goes on there. A turn that asks meanwhile uses what is there. A passage that
 * the server refuses is stored as left out, until its text or the model is another one.
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
        const page: FoundMissing = await perform()(system, findMissingVectors, { by, after });
        if (page.shrunk.length > 0) await perform()(system, dropVanishedVectors, { articleIds: page.shrunk });
        const some = page.missing.slice(0, AT_ONCE);
        if (some.length > 0) {
          const vectors = await embedTexts(client, some.map(embeddedText), signal);
          signal.throwIfAborted();
          const made = some.map(({ articleId, passage, fingerprint }, index) => {
            const vector = vectors[index];
            return { articleId, passage, fingerprint, vector: vector ? storedVector(unitVector(vector)) : LEFT_OUT };
          });
          // Another model was chosen, and has a job of its own.
          if (!(await perform()(system, keepVectors, { by, made }))) return;
        }
        // The rest is looked at again: a process that took this one for dead may have done it.
        if (page.missing.length <= AT_ONCE) after = page.last;
      }
      await keepTeamFloor({ perform: perform(), client, by }, teamId, signal);
    }
    await perform()(system, sweepVectors, {});
  };
}
