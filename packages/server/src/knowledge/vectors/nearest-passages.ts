import type { ModelClients, ModelConnection } from "../../ai/model/model-client.ts";
import { ModelFailure } from "../../ai/model/model-errors.ts";
import type { Perform } from "../../perform.ts";
import type { Timeouts } from "../../timeouts.ts";
import { searchesOf } from "../searches-of-burst.ts";
import { queueEmbeddingAgain } from "./queue-embedding.ts";
import { FLOOR_UNITS } from "./team-floor.ts";
import { cosineOf, type EmbeddedBy, hashOf, unitVector } from "./vector.ts";
import { createVectorCache, type HeldVector } from "./vector-cache.ts";

export interface NearestPassages {
  by: EmbeddedBy;
  /** The cosine from which on a passage counts that words do not find; null: none does. */
  floor: number | null;
  /** The nearest first. */
  passages: {
    articleId: string;
    /** Its number in the article. */
    passage: number;
    /** Of the text that the vector was made of, which may be another one by now. */
    fingerprint: string;
    /** From -1 to 1. */
    cosine: number;
  }[];
}

/** Undefined where words alone have to do: no model for it, no vectors yet, or a server that does not answer in time. Throws nothing. */
export type FindNearest = (asking: {
  teamId: string;
  connection: ModelConnection;
  questions: readonly string[];
  signal: AbortSignal;
}) => Promise<NearestPassages | undefined>;

/** A turn waits no longer for what its question means. */
const WAIT_MS = 2_000;
/** A server that did not answer is not asked again so soon. */
const AWAY_MS = 30_000;
/** The whole burst, and the last message alone. */
const QUESTIONS_MAX = 2;
const NEAREST_MAX = 50;
/** Of all teams: 50,000 vectors of 512 numbers. */
const CACHE_BYTES = 128 * 1024 * 1024;

/** What is nearest to a question in meaning, among all passages of a team: each is looked at. It waits for the network, so it is no operation. */
export function createNearestPassages({
  perform,
  clients,
  timeouts,
  steadyNow,
  maxBytes = CACHE_BYTES,
}: {
  perform: () => Perform;
  clients: Pick<ModelClients, "clientFor">;
  timeouts: Timeouts;
  steadyNow: () => number;
  maxBytes?: number;
}): FindNearest {
  const cache = createVectorCache({ perform, maxBytes });
  /** Until when servers of embeddings count as away, by team. */
  const away = new Map<string, number>();
  /** Teams for whose models vectors were asked for, by this process. */
  const queued = new Set<string>();

  return async ({ teamId, connection, questions, signal }) => {
    const searches = searchesOf(questions).slice(0, QUESTIONS_MAX);
    if (connection.embeddingModel === "" || searches.length === 0) return undefined;
    if ((away.get(teamId) ?? 0) > steadyNow()) return undefined;
    away.delete(teamId);
    try {
      const asked = (await embedInTime(connection, searches, signal)).map(unitVector);
      const by = { baseUrl: connection.baseUrl, model: connection.embeddingModel, size: asked[0]?.length ?? 0 };
      const held = await cache.vectorsOf(teamId);
      const vectors = held.vectors.filter(({ vector }) => vector.length === by.size);
      if (vectors.length === 0) await queueOnce(teamId, by);
      const { floor, floor_by } = held.floor;
      return {
        by,
        floor: floor === null || floor_by !== hashOf(by) ? null : floor / FLOOR_UNITS,
        passages: nearestOf(vectors, asked),
      };
    } catch (error) {
      // Whatever it is, the words are there. A question that was refused says nothing of the next one.
      const isRefused = error instanceof ModelFailure && error.kind === "rejected";
      if (!signal.aborted && !isRefused) away.set(teamId, steadyNow() + AWAY_MS);
      return undefined;
    }
  };

  async function embedInTime(connection: ModelConnection, texts: readonly string[], signal: AbortSignal) {
    const late = new AbortController();
    const cancel = timeouts.after(WAIT_MS, () => late.abort());
    try {
      return await clients.clientFor(connection).embed(texts, AbortSignal.any([signal, late.signal]));
    } finally {
      cancel();
    }
  }

  async function queueOnce(teamId: string, by: EmbeddedBy): Promise<void> {
    const key = JSON.stringify([teamId, by]);
    if (queued.has(key)) return;
    queued.add(key);
    await perform()({ kind: "system", teamId }, queueEmbeddingAgain, {});
  }
}

/** By the better of the questions; the nearest first. */
export function nearestOf(vectors: readonly HeldVector[], asked: readonly Float32Array[]): NearestPassages["passages"] {
  const cosines = Float32Array.from(vectors, ({ vector }) => Math.max(...asked.map((each) => cosineOf(each, vector))));
  const least = cosines.toSorted().at(-NEAREST_MAX) ?? Number.NEGATIVE_INFINITY;
  return vectors
    .flatMap(({ articleId, passage, fingerprint }, index) => {
      const cosine = cosines[index] as number;
      return cosine >= least ? [{ articleId, passage, fingerprint, cosine }] : [];
    })
    .sort((one, other) => other.cosine - one.cosine)
    .slice(0, NEAREST_MAX);
}
