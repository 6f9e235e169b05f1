import { rest } from "@frontdesk/core/contract";
import { addArticle } from "../../knowledge/add-article.ts";
import { getArticle } from "../../knowledge/get-article.ts";
import { listArticles } from "../../knowledge/list-articles.ts";
import { presentArticle } from "../../knowledge/present-article.ts";
import { removeArticle } from "../../knowledge/remove-article.ts";
import { updateArticle } from "../../knowledge/update-article.ts";
import { listBody, pageOf } from "./list-body.ts";
import { endpoint } from "./rest-endpoint.ts";

export const articleRoutes = [
  endpoint(
    rest.listArticles,
    listArticles,
    ({ query }) => ({ ...pageOf(query), search: query.search, status: query.status }),
    (listed, { url, query }) => listBody(url, pageOf(query), listed, presentArticle),
  ),
  endpoint(
    rest.createArticle,
    addArticle,
    ({ body }) => ({ question: body.question, answer: body.answer, isPublished: body.is_published ?? true }),
    (article) => ({ message: "Article added.", data: presentArticle(article) }),
  ),
  endpoint(
    rest.getArticle,
    getArticle,
    ({ params }) => ({ articleId: params.article }),
    (article) => ({ data: presentArticle(article) }),
  ),
  endpoint(
    rest.updateArticle,
    updateArticle,
    ({ params, body }) => ({
      articleId: params.article,
      change: { question: body.question, answer: body.answer, isPublished: body.is_published },
    }),
    (article) => ({ message: "Article updated.", data: presentArticle(article) }),
  ),
  endpoint(
    rest.deleteArticle,
    removeArticle,
    ({ params }) => ({ articleId: params.article }),
    () => ({ message: "Article deleted." }),
  ),
];
