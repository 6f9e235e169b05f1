import type { Article } from "@frontdesk/core/contract";
import { isoTime } from "../timestamp.ts";
import type { ShownArticle } from "./article-store.ts";

/** An article as the REST API shows it (decision A53). */
export function presentArticle(row: ShownArticle): Article {
  return {
    type: "article",
    id: row.id,
    attributes: {
      question: row.question,
      answer: row.answer,
      is_published: row.is_published === 1,
      created_by: row.created_by,
      created_at: isoTime(row.created_at),
      updated_at: isoTime(row.updated_at),
    },
  };
}
