/**
 * The REST operations on the knowledge base. All of them are ours: the spec knows it by the tool search-knowledge-base alone
 * (decisions A53, A54).
 */
import { Type } from "typebox";
import { ANSWER_MAX, QUESTION_MAX } from "../../domain/article.ts";
import { article, articleText, ids, listOfOne } from "../examples.ts";
import { choice, idOf, pageQuery, search, text } from "../fields.ts";
import type { RestOperation } from "../operation.ts";
import { Article, dataOf, listOf, messageAlone, messageAndDataOf } from "../resources.ts";

const articleParams = Type.Object({ article: idOf("the article") });

const question = text(QUESTION_MAX, { minLength: 1, description: "One line, worded the way people ask it." });
const answer = text(ANSWER_MAX, { minLength: 1, description: "Can have several lines." });
const isPublished = Type.Boolean({
  description:
    "False for a draft, which only the team sees. Agents and assistants can use published articles, and visitors can read them if a widget suggests articles.",
});

export const listArticles = {
  id: "listArticles",
  performs: "list-articles",
  method: "GET",
  path: "/articles",
  tag: "Knowledge base",
  summary: "List articles",
  description:
    "Questions and answers, most recently changed first. With `search`, at most 50 published articles that match, best match first, the way assistants find them: typos are tolerated, and articles that do not match are left out.",
  query: Type.Object({
    search: Type.Optional(search("A few words or a whole question. Empty means all.")),
    status: Type.Optional(
      choice(["all", "published", "draft"], {
        description:
          "Which articles to list. Default: `all`. Search does not include drafts: `draft` with a search returns 422.",
      }),
    ),
    ...pageQuery({ default: 20, max: 100 }),
  }),
  responses: { 200: { description: "A page of articles.", body: listOf(Article) } },
  errors: [422],
  example: {
    query: { search: "shiping to portugal", page: 1, limit: 20 },
    response: listOfOne("/articles", article, 20),
  },
} as const satisfies RestOperation;

export const createArticle = {
  id: "createArticle",
  performs: "add-article",
  method: "POST",
  path: "/articles",
  tag: "Knowledge base",
  summary: "Create an article",
  description:
    "Adds a question and its answer as the agent the key belongs to. It is published and can be found immediately, unless `is_published` is false. Surrounding white space is removed. Duplicate articles are allowed.",
  body: Type.Object({ question, answer, is_published: Type.Optional(isPublished) }),
  responses: { 201: { description: "The new article.", body: messageAndDataOf(Article) } },
  errors: [422],
  retrySafe: true,
  example: { body: articleText, response: { message: "Article added.", data: article } },
} as const satisfies RestOperation;

export const getArticle = {
  id: "getArticle",
  performs: "get-article",
  method: "GET",
  path: "/articles/{article}",
  tag: "Knowledge base",
  summary: "Get an article",
  description: "One article, including drafts.",
  params: articleParams,
  responses: { 200: { description: "The article.", body: dataOf(Article) } },
  errors: [404],
  example: { params: { article: ids.article }, response: { data: article } },
} as const satisfies RestOperation;

export const updateArticle = {
  id: "updateArticle",
  performs: "update-article",
  method: "PATCH",
  path: "/articles/{article}",
  tag: "Knowledge base",
  summary: "Change an article",
  description:
    "Sets the fields you send and leaves the others unchanged. At least one field is required. Search uses the change immediately. If nothing changes, nothing is recorded.",
  params: articleParams,
  // As with a contact: a body that names no known field passes here and is refused by the operation.
  body: Type.Object(
    { question: Type.Optional(question), answer: Type.Optional(answer), is_published: Type.Optional(isPublished) },
    { minProperties: 1 },
  ),
  responses: { 200: { description: "The updated article.", body: messageAndDataOf(Article) } },
  errors: [404, 422],
  example: {
    params: { article: ids.article },
    body: { answer: articleText.answer, is_published: true },
    response: { message: "Article updated.", data: article },
  },
} as const satisfies RestOperation;

export const deleteArticle = {
  id: "deleteArticle",
  performs: "remove-article",
  method: "DELETE",
  path: "/articles/{article}",
  tag: "Knowledge base",
  summary: "Delete an article",
  description:
    "Deletes it permanently. A repeated request returns 404. To only hide it from searches, make it a draft.",
  params: articleParams,
  responses: { 200: { description: "The article is deleted.", body: messageAlone } },
  errors: [404],
  example: { params: { article: ids.article }, response: { message: "Article deleted." } },
} as const satisfies RestOperation;
