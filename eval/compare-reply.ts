/** How much of an agent's reply an answer of the AI has, too. Pure. */
import { unsupportedFigures } from "@frontdesk/core/domain/ai/figures";
import { addressesIn, withoutAddresses } from "@frontdesk/core/domain/ai/plain-answer";
import { wordsOf } from "@frontdesk/core/domain/text-words";
import { stemOf } from "@frontdesk/core/domain/word-forms";

/** Of so many of a kind in the reply, so many are in the answer. */
export interface Found {
  of: number;
  found: number;
}

export interface ComparedReply {
  figures: Found;
  links: Found;
  words: Found;
  /** The figures that stand in any article: what is missing there no model can say. */
  figuresInArticles: Found;
}

/** Shorter ones are mostly grammar. Of scripts without spaces, words are pieces of two or three characters. */
const LETTERS_MIN = 5;
const UNSPACED = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{sc=Thai}]/u;
/** Greetings and signatures stand in many replies. With fewer replies than this, none is recognised by that. */
const REPLIES_MIN = 5;
const USUAL_SHARE = 0.3;
const PLACEHOLDER = /‹[^‹›\n]{1,40}›/gu;

/** The words that stand in so many of the replies that they tell nothing of what is asked. */
export function usualWords(replies: readonly string[]): ReadonlySet<string> {
  if (replies.length < REPLIES_MIN) return new Set();
  const counts = new Map<string, number>();
  for (const word of replies.flatMap((reply) => [...stemsOf(reply)])) counts.set(word, (counts.get(word) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count > USUAL_SHARE * replies.length).map(([word]) => word));
}

/**
 * @param said the AI's answer
 * @param pages the addresses below it
 * @param known the text of all articles
 */
export function compareReply(
  { question, reply }: { question: string; reply: string },
  { said, pages }: { said: string; pages: readonly string[] },
  { usual, known }: { usual: ReadonlySet<string>; known: string },
): ComparedReply {
  const bare = reply.replaceAll(PLACEHOLDER, " ");
  const text = withoutAddresses(bare);
  const asked = stemsOf(question);
  const words = [...stemsOf(text)].filter((word) => !asked.has(word) && !usual.has(word) && isTelling(word));
  const answered = stemsOf(said);
  const links = new Set(addressesIn(bare).map(pageOf));
  const shown = new Set([...addressesIn(said), ...pages].map(pageOf));
  return {
    figures: figuresOf(text, said),
    links: { of: links.size, found: links.intersection(shown).size },
    words: { of: words.length, found: words.filter((word) => answered.has(word)).length },
    figuresInArticles: figuresOf(text, known),
  };
}

function figuresOf(text: string, source: string): Found {
  const of = unsupportedFigures(text, "").length;
  return { of, found: of - unsupportedFigures(text, source).length };
}

const stemsOf = (text: string): Set<string> => new Set(wordsOf(text.replaceAll(PLACEHOLDER, " ")).map(stemOf));

const isTelling = (word: string): boolean =>
  !/^\p{N}+$/u.test(word) && ([...word].length >= LETTERS_MIN || (UNSPACED.test(word) && [...word].length > 1));

/** The same page, however its address is written. */
function pageOf(address: string): string {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//iu.test(address) ? address : `https://${address}`);
  return url ? `${url.hostname.replace(/^www\./, "")}${url.pathname.replace(/\/$/, "")}` : address;
}
