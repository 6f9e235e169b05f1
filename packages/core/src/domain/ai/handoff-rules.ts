/** Which of the owner's rules a conversation fits, so that a person answers it (docs/decisions/0084-handoffs-by-rule.md). */

import { foldText } from "../folded-text.ts";
import { foldSearch, searchable } from "../search-text.ts";
import { phrasesIn } from "../text-words.ts";
import type { HandoffRuleField, HandoffRules } from "./ai-settings.ts";

/** What the rules look at. */
export interface RuledConversation {
  /** What the visitor has written since the last reply. */
  texts: readonly string[];
  /** The address of the page that the visitor is on. */
  page: string | null;
  tags: readonly { id: string; name: string }[];
  /** Of the contact. */
  customData: readonly { name: string; value: string }[];
}

/** A rule that fits. `value`: the rule as its owner knows it; of a tag its name, of custom data name and value. */
export interface FittingRule {
  field: HandoffRuleField;
  value: string;
}

/** The first rule that the conversation fits; undefined without one. */
export function fittingRule(rules: HandoffRules, conversation: RuledConversation): FittingRule | undefined {
  const { texts, page, tags, customData } = conversation;
  const word = wordIn(rules.words, texts);
  if (word !== undefined) return { field: "words", value: word };
  const address = page === null ? undefined : rules.pages.find((rule) => beginsWith(page, rule));
  if (address !== undefined) return { field: "pages", value: address };
  const tag = tags.find(({ id }) => rules.tags.includes(id));
  if (tag) return { field: "tags", value: tag.name };
  const data = rules.custom_data.find((rule) => customData.some((each) => isSame(each, rule)));
  return data && { field: "custom_data", value: `${data.name}: ${data.value}` };
}

/** Whole words and phrases, folded as searches are; what is no word, such as an emoji, is looked for as it is. */
function wordIn(rules: readonly string[], texts: readonly string[]): string | undefined {
  if (rules.length === 0) return undefined;
  const text = texts.join("\n\n");
  const [asWritten, asTyped, folded] = [phrasesIn(text), phrasesIn(searchable(text)), foldSearch(text)];
  return rules.find((rule) => {
    const typed = foldSearch(rule);
    if (!/[\p{L}\p{N}]/u.test(rule)) return typed.trim() !== "" && folded.includes(typed.trim());
    return asWritten(rule) || asTyped(typed);
  });
}

/** Whether an address begins as a rule says: with a site, or with a path, which counts on every site. */
function beginsWith(page: string, rule: string): boolean {
  const [at, of] = [placeOf(page), placeOf(rule)];
  if (!at || !of) return false;
  return rule.trim().startsWith("/")
    ? at.path.startsWith(of.path)
    : `${at.host}${at.path}`.startsWith(of.host + of.path);
}

/** Whether it is a path or an address, so that it can fit a page; "pricing" is neither. */
export const isPageRule = (rule: string): boolean =>
  placeOf(rule) !== undefined && /^(?:\/|https?:\/\/|[^/?#\s]+[.:])/i.test(rule.trim());

/** Letter case, encoding and http or https do not matter. */
function placeOf(address: string): { host: string; path: string } | undefined {
  const text = address.trim();
  const isPath = text.startsWith("/");
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${isPath ? "any.invalid" : ""}${text}`);
  return url ? { host: url.host, path: foldText(decoded(`${url.pathname}${url.search}${url.hash}`)) } : undefined;
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

const isSame = (one: { name: string; value: string }, other: { name: string; value: string }): boolean =>
  plain(one.name) === plain(other.name) && plain(one.value) === plain(other.value);

const plain = (text: string): string => foldText(text.trim());
