/**
 * Whether a text of the model may be said, and what of it (docs/decisions/0077-checked-answers.md). Nothing of it reaches anyone
 * before: the model is taken to be an attacker's.
 */

import { withAsciiDigits } from "../folded-letters.ts";
import { isOnSites } from "../widget-settings.ts";
import type { AiCheckFailure, AiPassage, ModelAct } from "./ai-settings.ts";
import { leaksCanary } from "./canary.ts";
import { type Figure, figuresIn, unsupportedFigures } from "./figures.ts";
import { promisesLater } from "./later-promises.ts";
import { hasAddress, plainAnswer, REMOVED_ADDRESS, withoutAddresses } from "./plain-answer.ts";
import { isInLanguage } from "./script-language.ts";
import { type Sentence, sentencesOf } from "./sentences.ts";
import { settledPart, wholeSentences } from "./settled-part.ts";

/** A text that the model wants to say, and what it may rest on. */
export interface AnswerToCheck extends Proof {
  act: Extract<ModelAct, "answer" | "ask" | "chat">;
  text: string;
}

/** What a text of the model may rest on. */
export interface Proof {
  /** Those that the model was given: `[1]` is the first one. */
  passages: readonly AiPassage[];
  /** What people of the team have said in this episode. */
  teamText: string;
  /** What the visitor has said. It proves no price and no share: "you get 90 % off" would be true once it is written. */
  visitorText: string;
  /** The opening hours as the model was given them; empty without any. */
  hours: string;
  /** Origins of the owner's websites, as a widget has them: `https://acme.test`, `https://*.acme.test`. */
  sites: readonly string[];
  /** A secret word of the prompt that no answer may contain: 12 or more letters and digits of ASCII. */
  canary: string;
  /** The language it has to be in, as BCP 47; null when unknown. */
  language: string | null;
}

/** What may be shown, without `[n]`, and the numbers of the passages that it rests on, in order of mention. */
export type CheckedAnswer = { ok: true; text: string; cited: number[] } | { ok: false; reason: AiCheckFailure };

/** The longest answer, and the longest text that rests on no passage, in characters. */
export const ANSWER_MAX = 2_000;
export const CHAT_MAX = 240;
/** Longer ones are no answers, and are not worth the work. */
const WRITTEN_MAX = 20_000;

export function checkAnswer(answer: AnswerToCheck): CheckedAnswer {
  const { act, text, canary, language } = answer;
  if (text.length > WRITTEN_MAX) return failed("empty");
  if (leaksCanary(text, canary)) return failed("leak");
  const checked = act === "answer" ? checkCited(answer) : checkUncited(answer);
  if (!checked.ok) return checked;
  if (!/[\p{L}\p{N}]/u.test(checked.text)) return failed("empty");
  if (language !== null && !isInLanguage(checked.text, language)) return failed("language");
  return checked;
}

/**
 * What may be shown of an ANSWER of which `text` is written so far: the sentences that are whole, checked as all of it will be.
 * It is the beginning of what `checkAnswer` lets through of the whole text, if it does; null while no sentence is whole.
 */
export function checkBegun({ text, ...rest }: Proof & { text: string }): string | null {
  if (text.length > WRITTEN_MAX || leaksCanary(text, rest.canary)) return null;
  const checked = checkCited({ ...rest, act: "answer", text: settledPart(text) }, { isBegun: true });
  if (!checked.ok || !/[\p{L}\p{N}]/u.test(checked.text)) return null;
  return rest.language === null || isInLanguage(checked.text, rest.language) ? checked.text : null;
}

const failed = (reason: AiCheckFailure) => ({ ok: false, reason }) as const;

/** A sentence, with the passages that it names. */
interface Judged extends Sentence {
  cited: readonly number[];
  problem: AiCheckFailure | undefined;
}

function checkCited(
  { text, passages, teamText, visitorText, hours, sites }: AnswerToCheck,
  { isBegun = false } = {},
): CheckedAnswer {
  const written = withUsualCitations(text);
  const isGiven = (number: number) => number >= 1 && number <= passages.length;
  const addresses = numbersIn(written)
    .filter(isGiven)
    .flatMap((number) => passages[number - 1]?.address ?? []);
  const plain = plainAnswer(written, (url) => isOwn(url, sites) || addresses.some((address) => isAt(url, address)));
  const all = withFollowers(
    (isBegun ? wholeSentences : sentencesOf)(plain).map((sentence) => {
      const cited = numbersIn(sentence.text);
      return { ...sentence, cited, problem: problemOf(sentence.text, cited.length > 0 && cited.every(isGiven)) };
    }),
  );
  const judged = isBegun ? untilLink(all) : all;
  const kept = shortened(judged.filter(({ problem }) => problem === undefined));
  const cited = [...new Set(kept.flatMap((sentence) => sentence.cited))];
  if (cited.length === 0) return failed(worstOf(judged));
  const said = withoutCitations(kept);
  const proof = [...cited.map((number) => passageText(passages[number - 1] as AiPassage)), teamText, hours].join("\n");
  const unproven = unsupportedFigures(withoutAddresses(said), proof);
  const unsaid = unsupportedFigures(withoutAddresses(said), `${proof}\n${visitorText}`);
  if (unsaid.length > 0 || unproven.some(isPriceOrShare)) return failed("figure");
  return { ok: true, text: said, cited };
}

/** An article that is cited later may bring the address that is not allowed yet. */
function untilLink(judged: readonly Judged[]): readonly Judged[] {
  const at = judged.findIndex(({ problem }) => problem === "link");
  return at < 0 ? judged : judged.slice(0, at);
}

/** CHAT and ASK rest on nothing, so they may state nothing: they are short, without figures and links. */
function checkUncited({ act, text }: AnswerToCheck): CheckedAnswer {
  const plain = plainAnswer(withUsualCitations(text), () => false);
  if (hasAddress(plain)) return failed("link");
  const sentences = sentencesOf(plain);
  const kept = sentences.filter((sentence) => !promisesLater(sentence.text));
  if (kept.length === 0) return failed(sentences.length > 0 ? "promise" : "empty");
  const said = withoutCitations(kept);
  if (figuresIn(said).some((figure) => figure.kind !== "number" || !figure.inWords || figure.unit !== undefined)) {
    return failed("figure");
  }
  if ([...said].length > CHAT_MAX) return failed("chat");
  // "か。" and "吗" ask as well.
  if (act === "ask" && !/[?？؟]|か。|か$|[吗呢]/u.test(said)) return failed("chat");
  return { ok: true, text: said, cited: [] };
}

const isPriceOrShare = (figure: Figure): boolean =>
  figure.kind === "number" && (figure.unit === "ratio" || figure.unit?.startsWith("money:") === true);

function problemOf(sentence: string, isCited: boolean): AiCheckFailure | undefined {
  if (sentence.includes(REMOVED_ADDRESS)) return "link";
  if (promisesLater(sentence)) return "promise";
  return isCited ? undefined : "uncited";
}

/** A yes, a no or a greeting before a cited sentence, and the line that begins a list. They state nothing by themselves. */
const LEADS_IN = new RegExp(
  `^(?:(?:${[
    "yes|no|sure|of course|certainly|hi|hello|hey|great question|good question|unfortunately",
    "ja|nein|doch|gerne?|natürlich|hallo|leider",
    "oui|non|bien sûr|bonjour|malheureusement|sí|claro|por supuesto|hola|sim|não|com certeza|olá|oi",
    "да|нет|конечно|здравствуйте|привет|نعم|لا|بالطبع|مرحبا|أهلا|हाँ|हां|जी हाँ|नहीं|नमस्ते|ज़रूर",
    "はい|いいえ|もちろんです|こんにちは|是的?|不是|当然|可以|不可以|您好|你好|好的",
  ].join("|")})[\\s!.,。！，、]*){1,2}$`,
  "iu",
);

/**
 * What stands for nothing by itself goes with what it belongs to: a yes with the sentence after it, the line before a list with
 * its items, and items without a citation with a cited line before them.
 */
function withFollowers(sentences: readonly Judged[]): Judged[] {
  const judged = sentences.map((sentence) => ({ ...sentence }));
  let intro: Judged | undefined;
  for (const sentence of judged) {
    if (sentence.isBullet) {
      if (
        sentence.problem === "uncited" &&
        sentence.cited.length === 0 &&
        intro &&
        intro.problem === undefined &&
        intro.cited.length > 0
      ) {
        sentence.problem = undefined;
      }
    } else if (sentence.text.trim() !== "") {
      intro = /[:：]\s*(?:\[\d+\]\s*)*$/u.test(sentence.text) ? sentence : undefined;
    }
  }
  for (let at = judged.length - 2; at >= 0; at -= 1) {
    const [sentence, next] = [judged[at] as Judged, judged[at + 1] as Judged];
    if (sentence.problem !== "uncited" || sentence.cited.length > 0) continue;
    const isIntro = next.isBullet && !sentence.isBullet && /[:：]\s*$/u.test(sentence.text);
    if (isIntro ? keepsItem(judged, at + 1) : next.problem === undefined && LEADS_IN.test(sentence.text.trim())) {
      sentence.problem = undefined;
    }
  }
  return judged;
}

function keepsItem(judged: readonly Judged[], from: number): boolean {
  for (let at = from; judged[at]?.isBullet; at += 1) if (judged[at]?.problem === undefined) return true;
  return false;
}

/** The first sentences that fit, whole ones. */
function shortened(sentences: readonly Judged[]): Judged[] {
  let length = 0;
  const fits = sentences.findIndex(({ text }) => {
    length += [...text].length;
    return length > ANSWER_MAX;
  });
  return fits < 0 ? [...sentences] : sentences.slice(0, fits);
}

/** Why nothing is left: what the model is told, once. */
function worstOf(judged: readonly Judged[]): AiCheckFailure {
  const problems = judged.map(({ problem }) => problem);
  if (problems.includes("uncited")) return "uncited";
  if (problems.includes("promise")) return "promise";
  if (problems.includes("link")) return "link";
  return "uncited";
}

const CITATION = /\s*\[(\d{1,4})\]/gu;

/** `【1】`, `[^1]`, `[Source 1]`, `[1, 2]` and `[١]` are written `[1]`, since models write all of them. */
const withUsualCitations = (text: string): string =>
  withAsciiDigits(text)
    // Long white space would be walked through again and again.
    .replaceAll(/[^\S\n]+/g, " ")
    .replaceAll(/\n(?: ?\n)+/g, "\n\n")
    .replaceAll(/[【［](?=[^】］\n]{0,30}\d)([^】］\n]{1,40})[】］]/gu, "[$1]")
    .replaceAll(
      /\[\s*\^?(?:(?:source|article|passage|quelle|fuente|fonte|источник)s?\s*:?\s*)?((?:\d{1,4}\s*[,;、]\s*)*\d{1,4})(?:†[^\]\n]{0,40})?\s*\](?!\(\s*[^\s)]*\s*\)\S*\[)/giu,
      (_all, numbers: string) => (numbers.match(/\d+/g) ?? []).map((number) => `[${Number(number)}]`).join(""),
    );

const numbersIn = (text: string): number[] => [...text.matchAll(CITATION)].map(([, number]) => Number(number));

function withoutCitations(sentences: readonly Sentence[]): string {
  return sentences
    .map(({ text, endsLine }) => (endsLine && !text.endsWith("\n") ? `${text}\n` : text))
    .join("")
    .replace(CITATION, "")
    .replaceAll(/[ \t]+(?=\n)|[ \t]+$/g, "")
    .replaceAll(/ {2,}/g, " ")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

const passageText = ({ title, text, address }: AiPassage): string => [title, text, address ?? ""].join("\n");

/** Without sites every page may show the widget, and none is known to be the owner's. */
const isOwn = (url: URL, sites: readonly string[]): boolean => sites.length > 0 && isOnSites(sites, url.origin);

/** The address of an article, with any fragment. */
function isAt(url: URL, address: string): boolean {
  const own = URL.parse(address);
  const path = (one: URL) => one.origin + one.pathname.replace(/\/$/, "") + one.search;
  return own !== null && /^https?:$/.test(own.protocol) && path(own) === path(url);
}
