/** What the copilot does for agents (docs/decisions/0080-copilot.md). */

/** How a text can be rewritten. */
export const rewriteWays = ["shorter", "friendlier", "formal", "fix", "translate"] as const;
export type RewriteWay = (typeof rewriteWays)[number];

/** Bounds, in characters. */
export const COPILOT_TEXT_MAX = 10_000;
export const INSTRUCTION_MAX = 1_000;
export const LANGUAGE_MAX = 35;

/** Of the team's tags, so many are shown to the model. */
export const TAGS_TO_CHOOSE_MAX = 200;
/** More tags than that say nothing about a conversation. */
export const SUGGESTED_TAGS_MAX = 3;

/** A source of a draft: an article that it rests on. */
export interface CopilotSource {
  article_id: string;
  title: string;
}

/** Whether it is a BCP 47 tag that names a language. */
export function isLanguageTag(text: string): boolean {
  try {
    return new Intl.Locale(text).language !== "und";
  } catch {
    return false;
  }
}
