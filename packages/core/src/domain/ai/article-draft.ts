/** Articles from resolved conversations: what the model is asked, and how its answer is read (docs/decisions/0078-article-sources.md). */
import { ANSWER_MAX, type ArticleText, QUESTION_MAX } from "../article.ts";
import { VISIBLE } from "../bounded-text.ts";
import { AI_OF_TEAM, asData, conversationText, dataRule, fenced } from "./fenced-data.ts";
import type { ModelMessage, PromptMessage } from "./model-prompt.ts";
import { detailRedaction } from "./redact-details.ts";

/** A word of a name that is shorter would be found in everything. */
const NAME_MIN = 3;
/** Numbers of orders, customers and tickets; prices and days are shorter. */
const LONG_NUMBER = /(?:\p{Nd}-?){4,}\p{Nd}/gu;
const PLACEHOLDER = /‹[^‹›\n]{1,40}›/u;
/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/**
 * A text with placeholders for what tells who a person is: email addresses, numbers of phones, cards and accounts, all long numbers,
 * and these names, whole and by their words.
 */
export function withoutDetails(text: string, names: readonly string[]): string {
  const bare = detailRedaction().redact(text).replaceAll(LONG_NUMBER, "‹number›");
  return namePatterns(names).reduce((rest, pattern) => rest.replaceAll(pattern, "‹name›"), bare);
}

/** Whether such a detail, or the placeholder of one, is left in a text. */
export function holdsDetails(text: string, names: readonly string[]): boolean {
  return PLACEHOLDER.test(text) || withoutDetails(text, names) !== text;
}

/** The longest first, so that no part of a name is left beside a placeholder. */
function namePatterns(names: readonly string[]): RegExp[] {
  const words = names.flatMap((name) => [name, ...name.split(/[\s,.]+/u)]).map((word) => word.trim());
  return [...new Set(words)]
    .filter((word) => word.length >= (UNSPACED.test(word) ? NAME_MIN - 1 : NAME_MIN))
    .toSorted((one, other) => other.length - one.length)
    .map((word) => {
      const escaped = RegExp.escape(word);
      const pattern = UNSPACED.test(word) ? escaped : `(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`;
      return new RegExp(pattern, "giu");
    });
}

const NOTHING = "NOTHING";

/**
 * @param fence a random word of this request
 * @param names of the people in the conversation
 */
export function articlePrompt({
  fence,
  names,
  conversation,
}: {
  fence: string;
  names: readonly string[];
  conversation: readonly PromptMessage[];
}): ModelMessage[] {
  const rules = [
    "You write an article for the knowledge base of a support team from a conversation that has been resolved, so that the next visitor with the same question finds the answer.",
    "The first line is the question, short and general, as any visitor would ask it. After an empty line comes the answer, in Markdown.",
    "Write in the language of the conversation. Take the answer from what the agents say alone; add nothing.",
    "Write nothing about the people of this conversation: no names, no addresses, no numbers of orders, customers or phones, none of their cases. Leave out all that stands in ‹ ›.",
    `When the agents answer no question that others could have as well, write only ${NOTHING}.`,
    dataRule(fence),
  ];
  const shown = conversation.map(({ author, text }) => ({
    ...{ author, name: null, attachments: [] },
    text: withoutDetails(text, names),
  }));
  const data = fenced(
    conversationText(shown, (text) => asData(text, fence), AI_OF_TEAM),
    "conversation",
    fence,
  );
  return [
    { role: "system", content: rules.join("\n") },
    { role: "user", content: `${data}\n\nWrite the article.` },
  ];
}

/** Undefined when the model saw nothing to write, or wrote no article. */
export function readArticleDraft(written: string): ArticleText | undefined {
  const [first = "", ...rest] = written.trim().split("\n");
  const question = first
    .replace(/^#{1,6}\s+/, "")
    .replaceAll("**", "")
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim();
  const answer = rest.join("\n").trim();
  const isWhole = VISIBLE.test(question) && VISIBLE.test(answer);
  if (!isWhole || question.length > QUESTION_MAX || answer.length > ANSWER_MAX) return undefined;
  return { question, answer };
}
