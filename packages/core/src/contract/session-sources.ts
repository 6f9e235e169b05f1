/** What the dashboard requests of where articles come from: sites, files, conversations (docs/decisions/0078-article-sources.md). */
import type { Static } from "typebox";
import { Type } from "typebox";
import { PAGE_ADDRESS_MAX } from "../domain/site-address.ts";
import { siteProblems, siteStates } from "../domain/site-problem.ts";
import { choice, NAME_MAX, nullable, text, timestamp, uuid } from "./fields.ts";
import type { HttpOperation } from "./operation.ts";

const nullableString = nullable(Type.String());

/** A website of the team, whose pages are articles. */
export const ArticleSite = Type.Object({
  id: uuid,
  /** Where reading begins. */
  address: Type.String(),
  /** What the address of each page begins with. */
  prefix: Type.String(),
  state: choice(siteStates),
  /** Of the last reading; null: it has read all. */
  problem: nullable(choice(siteProblems)),
  /** The status or the address that the sentence of the problem names. */
  problem_detail: nullableString,
  /** Those that are articles, and those that could not be read. */
  pages: Type.Integer(),
  troubled_pages: Type.Integer(),
  read_at: nullable(timestamp),
});
export type ArticleSite = Static<typeof ArticleSite>;

/** Where an article comes from. */
export const ArticleOrigin = Type.Object({
  article_id: uuid,
  source: choice(["written", "site", "file", "conversation"]),
  /** The page that it is a copy of. */
  address: nullableString,
  file_name: nullableString,
  /** The conversation that it was drafted from, until that is erased. */
  conversation_id: nullable(uuid),
});
export type ArticleOrigin = Static<typeof ArticleOrigin>;

const byId = Type.Object({ id: Type.String() });
const site = Type.Object({ site: ArticleSite });

export const sourceOperations = {
  /** In the order in which they were added. */
  listSites: {
    method: "GET",
    path: "/knowledge/sites",
    responses: { 200: { body: Type.Object({ sites: Type.Array(ArticleSite) }) } },
  },
  /** 422 on `address` for one that is none, that the team has, or that is one too many. */
  addSite: {
    method: "POST",
    path: "/knowledge/sites",
    body: Type.Object({ address: text(PAGE_ADDRESS_MAX, { minLength: 1 }) }),
    responses: { 201: { body: site } },
  },
  /** 422 on `site` while it is read. */
  readSiteAgain: {
    method: "POST",
    path: "/knowledge/sites/{id}/read",
    params: byId,
    responses: { 200: { body: site } },
  },
  /** With its articles. */
  removeSite: {
    method: "DELETE",
    path: "/knowledge/sites/{id}",
    params: byId,
    responses: { 200: { body: Type.Object({}) } },
  },
  /** PDF, DOCX, Markdown or text, by the ending of the name; at most 10 MB. 422 on `file` for one that cannot be read. */
  importArticleFile: {
    method: "POST",
    path: "/knowledge/files",
    query: Type.Object({ name: text(NAME_MAX, { minLength: 1 }), as: choice(["published", "draft"]) }),
    content: "file",
    /** `is_whole`: false when only its first parts became articles. */
    responses: { 201: { body: Type.Object({ article_ids: Type.Array(uuid), is_whole: Type.Boolean() }) } },
  },
  /**
   * Drafts an article from a resolved conversation with the model. `is_new`: false for one that was there: published, or drafted from
   * this conversation before. 422 on `conversation` for one that makes no article.
   */
  suggestArticle: {
    method: "POST",
    path: "/conversations/{id}/article",
    params: byId,
    responses: { 200: { body: Type.Object({ article_id: uuid, question: Type.String(), is_new: Type.Boolean() }) } },
  },
  /** Of those articles of the team that are named; at most 100. */
  listArticleOrigins: {
    method: "GET",
    path: "/knowledge/origins",
    query: Type.Object({
      /** Ids, with commas. */
      articles: text(3_700, { minLength: 1 }),
    }),
    responses: { 200: { body: Type.Object({ origins: Type.Array(ArticleOrigin) }) } },
  },
} as const satisfies Record<string, HttpOperation>;
