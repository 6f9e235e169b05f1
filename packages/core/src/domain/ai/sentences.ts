/** How an answer is split into sentences, so that each one can be judged, and left out, by itself. */

/** The end of a sentence, closing signs and citations behind it included: "two days. [1]", "„ja.“". */
const END = /(?:[.!?…]+["'”“’»)\]*_]*(?=\s|$|\[\d)|[。！？।؟]+["'”」』）)]*)(?:\s*\[\d{1,4}\])*|(?<!\s)\s*\n+/gu;
/** Words that end with a full stop within a sentence. */
const ABBREVIATIONS = new Set(
  (
    "e.g i.e etc approx vs mr mrs ms dr prof st no nos inc ltd co vol fig pp ph.d a.m p.m u.s u.k z.b d.h u.a o.ä bzw ca nr str tel " +
    "evtl ggf inkl exkl zzgl mind max min usw abs art env p.ex ex m mme mlle av bd c.-à-d sr sra srta ud uds pág núm aprox av " +
    "тыс руб коп др т.е т.д т.п т.к г ул д стр см рис дол"
  ).split(" "),
);
const BULLET = /^\s*(?:[-*•–—]|\d{1,2}[.)])\s+/u;
const MONTH_OR_SMALL = /^\s+(?:\p{Ll}|Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)/u;

/** A sentence, with the white space that follows it: joined, the parts are the text. */
export interface Sentence {
  text: string;
  /** What follows it is a new line. */
  endsLine: boolean;
  isBullet: boolean;
}

/** The sentences of a text in their order; a new line always ends one. */
export function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  let start = 0;
  for (const { 0: end, index } of text.matchAll(END)) {
    const to = index + end.length;
    if (!end.includes("\n") && goesOn(text.slice(start, index + 1), text.slice(to))) continue;
    add(text.slice(start, to));
    start = to;
  }
  add(text.slice(start));
  return sentences;

  function add(sentence: string): void {
    if (sentence === "") return;
    const last = sentences.at(-1);
    // White space, signs or a citation alone belong to what stands before them.
    if (last && !/[\p{L}\p{N}\p{Co}]/u.test(sentence.replaceAll(/\[\d{1,4}\]/g, ""))) {
      last.text += sentence;
      last.endsLine ||= sentence.includes("\n");
      return;
    }
    sentences.push({ text: sentence, endsLine: sentence.includes("\n"), isBullet: BULLET.test(sentence) });
  }
}

/** Whether the full stop at the end of `before` ends no sentence: of an abbreviation, an initial, "25. Dezember", or a list's number. */
function goesOn(before: string, after: string): boolean {
  if (!before.endsWith(".")) return false;
  const word =
    /(\S+)\.$/u
      .exec(before)?.[1]
      ?.replace(/^[("„“«[]+/u, "")
      .toLowerCase() ?? "";
  if (/^\s*\d{1,2}\.$/.test(before)) return true;
  if (/^\d{1,2}$/.test(word)) return MONTH_OR_SMALL.test(after);
  return ABBREVIATIONS.has(word) || /^\p{L}$/u.test(word);
}
