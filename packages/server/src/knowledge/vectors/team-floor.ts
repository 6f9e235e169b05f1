import type { SystemActor } from "../../access/actor.ts";
import type { ModelClient } from "../../ai/model/model-client.ts";
import type { Operation } from "../../context.ts";
import type { Perform } from "../../perform.ts";
import { listParam } from "../../storage/dialect.ts";
import { publishedArticlesById } from "../passage-store.ts";
import { embedTexts } from "./embed-texts.ts";
import { cosineOf, type EmbeddedBy, hashOf, readVector, unitVector } from "./vector.ts";
import { readVectors } from "./vector-cache.ts";
import { putVectorVersions, vectorVersions } from "./vector-store.ts";

/** A floor is stored in ten-thousandths. */
export const FLOOR_UNITS = 10_000;
/** Of so many articles the questions are compared with the texts of the others. */
const ASKED_MAX = 32;
/** Fewer tell nothing. */
const ARTICLES_MIN = 5;

/**
 * Stores how near in meaning a passage has to be that words do not find: nearer than the questions of a team's articles usually are to
 * texts of its other articles, by one standard deviation. Models differ in how near unrelated texts are, and so do teams.
 *
 * @throws ModelFailure
 */
export async function keepTeamFloor(
  { perform, client, by }: { perform: Perform; client: Pick<ModelClient, "embed">; by: EmbeddedBy },
  teamId: string,
  signal: AbortSignal,
): Promise<void> {
  const system: SystemActor = { kind: "system", teamId };
  const { rows } = await perform(system, readVectors, { from: 1 });
  const vectors = rows
    .map(({ article_id, vector }) => ({ articleId: article_id, vector: readVector(vector) }))
    .filter(({ vector }) => vector.length === by.size);
  const ids = [...new Set(vectors.map(({ articleId }) => articleId))];
  let floor: number | null = null;
  if (ids.length >= ARTICLES_MIN) {
    const asked = await perform(system, questionsOf, { ids: ids.slice(0, ASKED_MAX) });
    const questions = await embedTexts(
      client,
      asked.map(({ question }) => question),
      signal,
    );
    const cosines = asked.flatMap(({ id }, index) => {
      const made = questions[index];
      if (!made) return [];
      const question = unitVector(made);
      return vectors.filter(({ articleId }) => articleId !== id).map(({ vector }) => cosineOf(question, vector));
    });
    if (cosines.length > 0) floor = Math.round(FLOOR_UNITS * meanAndDeviation(cosines));
  }
  await perform(system, keepFloor, { by, floor });
}

function meanAndDeviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return mean + Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

const questionsOf: Operation<{ ids: readonly string[] }, { id: string; question: string }[]> = {
  name: "find-missing-vectors",
  mode: "read",
  run: (ctx, { ids }) => ctx.db.all(publishedArticlesById, { team_id: ctx.teamId, ids: listParam(ids) }),
};

/** A repeat changes nothing. Without a vector there is nothing to be near to. */
const keepFloor: Operation<{ by: EmbeddedBy; floor: number | null }, void> = {
  name: "keep-vectors",
  mode: "write",
  async run(ctx, { by, floor }) {
    const before = await ctx.db.first(vectorVersions, { team_id: ctx.teamId });
    if (before) ctx.write(putVectorVersions, { ...before, floor, floor_by: hashOf(by) });
  },
};
