import { type ArticleText, readArticle } from "@frontdesk/core/domain/article";
import { doer, type NamedDoer } from "../agents/acting-agent.ts";
import type { Operation } from "../context.ts";
import type { ArticleRow } from "../storage/tables.ts";
import { insertArticle, type ShownArticle } from "./article-store.ts";
import { shownArticle } from "./get-article.ts";
import { NO_WORDS, setArticleWords } from "./set-article-words.ts";

export interface NewArticle extends ArticleText {
  /** False: a draft, which no search finds. */
  isPublished: boolean;
  by?: NamedDoer | undefined;
  /** Left out: written by hand. */
  from?: ArticleSource;
}

/** Where an article comes from, if not from a person: a page of a site, a file, or a conversation. */
export type ArticleSource =
  | { source: "site"; address: string }
  | { source: "file"; fileName: string }
  | { source: "conversation" };

/**
 * Adds a question and its answer to the knowledge base. A repeat adds another one: two articles may say the same.
 *
 * @throws Refusal `invalid` on `question`, `answer`, or `agent_id`
 */
export const addArticle: Operation<NewArticle, ShownArticle> = {
  name: "add-article",
  mode: "write",
  async run(ctx, { isPublished, by, from, ...given }) {
    const text = readArticle(given);
    const createdBy = await doer(ctx, by);
    const id = ctx.newId();
    const article: ArticleRow = {
      team_id: ctx.teamId,
      id,
      ...text,
      is_published: Number(isPublished),
      created_by: "agent" in createdBy ? createdBy.agent.id : null,
      created_at: ctx.now,
      updated_at: ctx.now,
      words: setArticleWords(ctx, id, NO_WORDS, isPublished ? text : undefined),
      source: from?.source ?? "written",
      address: from?.source === "site" ? from.address : null,
      file_name: from?.source === "file" ? from.fileName : null,
    };
    ctx.write(insertArticle, article);
    ctx.count("articles", 1);
    ctx.count("published_articles", article.is_published);
    ctx.record({ name: "article.created", article, createdBy });
    return shownArticle(article);
  },
};
