import { searchKnowledgeBase } from "@frontdesk/core/contract/tools/knowledge";
import { searchArticles } from "../knowledge/search-articles.ts";
import { fitting } from "./fitting.ts";
import { serve } from "./served-tool.ts";

export const knowledgeTools = [
  serve(
    searchKnowledgeBase,
    searchArticles,
    ({ query, limit }) => ({ query, limit }),
    (found) => ({ results: fitting(found.map(({ id, question, answer }) => ({ id, question, answer }))) }),
  ),
];
