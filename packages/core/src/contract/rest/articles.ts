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

const question = text(QUESTION_MAX, { minLength: 1, description: "One line, as somebody would ask it." });
const answer = text(ANSWER_MAX, { minLength: 1, description: "May have several lines." });
const isPublished = Type.Boolean({ description: "False: a draft, which no search finds." });

export const listArticles = {
  id: "listArticles",
  performs: "list-articles",
  method: "GET",
  path: "/articles",
  tag: "Knowledge base",
  summary: "List articles",
  description:
    "Questions and answers, the ones that were changed last first. With `search`, at most 50 published ones that answer it, the best first, as assistants find them: typos are forgiven, and what does not fit is left out.",
  query: Type.Object({
    search: Type.Optional(search("A few words or a whole question. Empty means all.")),
    status: Type.Optional(
      choice(["all", "published", "draft"], {
        description: "Which of them; `all` when left out. Drafts are not searched: `draft` with a search answers 422.",
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
  summary: "Write an article",
  description:
    "Adds a question and its answer, in the name of the agent whose key it is. It is published, and found at once, unless `is_published` is false. White space around the texts is taken away. Two articles may say the same.",
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
  description: "One article, a draft too.",
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
    "Sets the fields that are sent and leaves the others; at least one is needed. Searches follow at once. What is so already stays, and nothing is recorded.",
  params: articleParams,
  // As with a contact: a body that names no known field passes here and is refused by the operation.
  body: Type.Object(
    { question: Type.Optional(question), answer: Type.Optional(answer), is_published: Type.Optional(isPublished) },
    { minProperties: 1 },
  ),
  responses: { 200: { description: "The article as it is now.", body: messageAndDataOf(Article) } },
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
  description: "Removes it for good; a repeat answers 404. To take it out of searches alone, make it a draft.",
  params: articleParams,
  responses: { 200: { description: "The article is gone.", body: messageAlone } },
  errors: [404],
  example: { params: { article: ids.article }, response: { message: "Article deleted." } },
} as const satisfies RestOperation;
