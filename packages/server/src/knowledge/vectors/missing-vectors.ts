import { type Passage, passagesOf } from "@frontdesk/core/domain/passages";
import type { ModelConnection } from "../../ai/model/model-client.ts";
import { openModel } from "../../ai/settings/open-ai-settings.ts";
import type { Context, Operation } from "../../context.ts";
import { listParam } from "../../storage/dialect.ts";
import { publishedArticlesAfter, publishedArticlesById } from "../passage-store.ts";
import { nextVersion, removeAllVectors, removeVectorsOf } from "./remove-vectors.ts";
import { type EmbeddedBy, fingerprintOf } from "./vector.ts";
import { fingerprintsOfArticles, putVector, vectorsOfNoArticle } from "./vector-store.ts";

/** How many articles are read at once. */
const ARTICLES_AT_ONCE = 100;

/** A passage whose vector is not there, or is of another text or model. */
export interface MissingVector extends Passage {
  articleId: string;
  passage: number;
  fingerprint: string;
}

export interface MadeVector extends Pick<MissingVector, "articleId" | "passage" | "fingerprint"> {
  /** As it is stored. */
  vector: string;
}

/** The model that vectors are made with; undefined when none is chosen. */
export const openEmbeddingModel: Operation<Record<string, never>, ModelConnection | undefined> = {
  name: "open-embedding-model",
  mode: "read",
  run: embeddingModel,
};

async function embeddingModel(ctx: Context): Promise<ModelConnection | undefined> {
  const connection = await openModel(ctx);
  return connection?.embeddingModel ? connection : undefined;
}

/** What is missing of the next articles after one; `last`: where to go on, null at the end. */
export const findMissingVectors: Operation<
  { by: EmbeddedBy; after: string },
  { missing: MissingVector[]; last: string | null }
> = {
  name: "find-missing-vectors",
  mode: "read",
  async run(ctx, { by, after }) {
    const page = { team_id: ctx.teamId, after: after === "" ? FIRST_ID : after, limit: ARTICLES_AT_ONCE };
    const articles = await ctx.db.all(publishedArticlesAfter, page);
    const ids = listParam(articles.map(({ id }) => id));
    const stored = await ctx.db.all(fingerprintsOfArticles, { team_id: ctx.teamId, ids });
    const known = new Set(stored.map((row) => `${row.article_id} ${row.passage} ${row.fingerprint}`));
    const missing = articles.flatMap((article) =>
      passagesOf(article)
        .map((text, passage) => ({ ...text, articleId: article.id, passage, fingerprint: fingerprintOf(text, by) }))
        .filter(({ articleId, passage, fingerprint }) => !known.has(`${articleId} ${passage} ${fingerprint}`)),
    );
    return { missing, last: articles.length < ARTICLES_AT_ONCE ? null : (articles.at(-1)?.id ?? null) };
  },
};

/** Before every id. */
const FIRST_ID = "00000000-0000-0000-0000-000000000000";

/** Stores vectors of passages that are still so, and published. Where the model is another one by now, none. A repeat changes nothing. */
export const keepVectors: Operation<{ by: EmbeddedBy; made: readonly MadeVector[] }, void> = {
  name: "keep-vectors",
  mode: "write",
  async run(ctx, { by, made }) {
    const connection = await embeddingModel(ctx);
    if (connection?.baseUrl !== by.baseUrl || connection.embeddingModel !== by.model) return;
    const ids = listParam([...new Set(made.map(({ articleId }) => articleId))]);
    const articles = await ctx.db.all(publishedArticlesById, { team_id: ctx.teamId, ids });
    const passages = new Map(articles.map((article) => [article.id, passagesOf(article)]));
    const current = made.filter(({ articleId, passage, fingerprint }) => {
      const text = passages.get(articleId)?.[passage];
      return text && fingerprintOf(text, by) === fingerprint;
    });
    if (current.length === 0) return;
    const version = await nextVersion(ctx, { removes: false });
    for (const { articleId, passage, fingerprint, vector } of current) {
      ctx.write(putVector, {
        ...{ team_id: ctx.teamId, article_id: articleId, passage, fingerprint, vector, version },
      });
    }
  },
};

/**
 * Removes the vectors of articles that are gone or drafts; all of them when the team has no model for them. Those of passages that an
 * article no longer has are never used, and go with the article.
 */
export const sweepVectors: Operation<Record<string, never>, void> = {
  name: "sweep-vectors",
  mode: "write",
  async run(ctx) {
    if (!(await embeddingModel(ctx))) return removeAllVectors(ctx);
    for (const { article_id } of await ctx.db.all(vectorsOfNoArticle, { team_id: ctx.teamId })) {
      await removeVectorsOf(ctx, article_id);
    }
  },
};
