import { boundedName, boundedText, VISIBLE } from "./bounded-text.ts";
import { invalid } from "./refusal.ts";

/** An article of the knowledge base is one question and its answer; the most characters of each. */
export const QUESTION_MAX = 500;
export const ANSWER_MAX = 20_000;

export interface ArticleText {
  question: string;
  answer: string;
}

/**
 * Question and answer in their stored form, without surrounding white space: the question is one line, the answer keeps its
 * lines.
 *
 * @throws Refusal `invalid` on `question` or `answer`
 */
export function readArticle(given: ArticleText): ArticleText {
  const question = boundedName("question", given.question, QUESTION_MAX);
  const answer = boundedText("answer", given.answer.trim(), ANSWER_MAX);
  if (!VISIBLE.test(answer)) throw invalid({ answer: "empty" });
  return { question, answer };
}
