import { type Passage, passagesOf } from "@frontdesk/core/domain/passages";
import type { ModelConnection } from "../../ai/model/model-client.ts";
import { openModel } from "../../ai/settings/open-ai-settings.ts";
import type { Context, Operation } from "../../context.ts";
import { listParam } from "../../storage/dialect.ts";
import type { ArticleVectorRow } from "../../storage/tables.ts";
import { publishedArticlesAfter, publishedArticlesById } from "../passage-store.ts";
import { nextVersion, removeAllVectors, removeVectorsOf } from "./remove-vectors.ts";
import { type EmbeddedBy, fingerprintOf } from "./vector.ts";
import { deleteVector, fingerprintsOfArticles, putVector, vectorsOfNoArticle } from "./vector-store.ts";

/** How many articles are read at once. Each is cut and hashed, while turns wait. */
const ARTICLES_AT_ONCE = 32;

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

export interface FoundMissing {
  missing: MissingVector[];
  /** Articles that have vectors of more passages than they have now. */
  shrunk: string[];
  /** Where to go on; null at the end. */
  last: string | null;
}

/** What is missing of the next articles after one. */
export const findMissingVectors: Operation<{ by: EmbeddedBy; after: string }, FoundMissing> = {
  name: "find-missing-vectors",
  mode: "read",
  async run(ctx, { by, after }) {
    const page = { team_id: ctx.teamId, after: after === "" ? FIRST_ID : after, limit: ARTICLES_AT_ONCE };
    const articles = await ctx.db.all(publishedArticlesAfter, page);
    const ids = listParam(articles.map(({ id }) => id));
    const stored = await ctx.db.all(fingerprintsOfArticles, { team_id: ctx.teamId, ids });
    const known = new Set(stored.map((row) => `${row.article_id} ${row.passage} ${row.fingerprint}`));
    const passages = new Map(articles.map((article) => [article.id, passagesOf(article)]));
    const shrunk = new Set(stored.filter((row) => hasVanished(row, passages)).map((row) => row.article_id));
    const missing = articles.flatMap((article) =>
      (passages.get(article.id) ?? [])
        .map((text, passage) => ({ ...text, articleId: article.id, passage, fingerprint: fingerprintOf(text, by) }))
        .filter(({ articleId, passage, fingerprint }) => !known.has(`${articleId} ${passage} ${fingerprint}`)),
    );
    return {
      missing,
      shrunk: [...shrunk],
      last: articles.length < ARTICLES_AT_ONCE ? null : (articles.at(-1)?.id ?? null),
    };
  },
};

const hasVanished = (
  { article_id, passage }: Pick<ArticleVectorRow, "article_id" | "passage">,
  passages: ReadonlyMap<string, readonly Passage[]>,
): boolean => passage >= (passages.get(article_id)?.length ?? 0);

/** Removes the vectors of passages that articles no longer have. A repeat changes nothing. */
export const dropVanishedVectors: Operation<{ articleIds: readonly string[] }, void> = {
  name: "sweep-vectors",
  mode: "write",
  async run(ctx, { articleIds }) {
    const ofArticles = { team_id: ctx.teamId, ids: listParam(articleIds) };
    const [articles, stored] = await Promise.all([
      ctx.db.all(publishedArticlesById, ofArticles),
      ctx.db.all(fingerprintsOfArticles, ofArticles),
    ]);
    const passages = new Map(articles.map((article) => [article.id, passagesOf(article)]));
    const vanished = stored.filter((row) => hasVanished(row, passages));
    if (vanished.length === 0) return;
    for (const { article_id, passage } of vanished) {
      ctx.write(deleteVector, { team_id: ctx.teamId, article_id, passage });
    }
    await nextVersion(ctx, { removes: true });
  },
};

/** Before every id. */
const FIRST_ID = "00000000-0000-0000-0000-000000000000";

/** Stores vectors of passages that are still so, and published; false, and none, where the model is another one by now. A repeat changes nothing. */
export const keepVectors: Operation<{ by: EmbeddedBy; made: readonly MadeVector[] }, boolean> = {
  name: "keep-vectors",
  mode: "write",
  async run(ctx, { by, made }) {
    const connection = await embeddingModel(ctx);
    if (connection?.baseUrl !== by.baseUrl || connection.embeddingModel !== by.model) return false;
    const ids = listParam([...new Set(made.map(({ articleId }) => articleId))]);
    const articles = await ctx.db.all(publishedArticlesById, { team_id: ctx.teamId, ids });
    const passages = new Map(articles.map((article) => [article.id, passagesOf(article)]));
    const current = made.filter(({ articleId, passage, fingerprint }) => {
      const text = passages.get(articleId)?.[passage];
      return text && fingerprintOf(text, by) === fingerprint;
    });
    if (current.length === 0) return true;
    const version = await nextVersion(ctx, { removes: false });
    for (const { articleId, passage, fingerprint, vector } of current) {
      ctx.write(putVector, {
        ...{ team_id: ctx.teamId, article_id: articleId, passage, fingerprint, vector, version },
      });
    }
    return true;
  },
};

/** Removes the vectors of articles that are gone or drafts; all of them when the team has no model for them. */
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
