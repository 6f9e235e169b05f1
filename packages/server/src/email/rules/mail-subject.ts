/**
 * The subject of a conversation is that of its first mail, without what mail programs put before it in answers and forwards.
 * No conversation is ever found by it.
 */

/** Longest subject of a conversation, in UTF-16 units. */
export const SUBJECT_MAX = 255;
/** No more of a subject is looked at. */
const READ_MAX = 2_000;

/** The prefixes of mail programs, by what they stand for; upper and lower case are the same. */
const PREFIXES = [
  // Latin script: English, German, Scandinavian, Spanish, French, Portuguese, Italian, Dutch, Finnish, Polish, Turkish, Hungarian …
  ..."re fw fwd aw wg sv vs vb vl rv tr res enc r i rif ref antw doorst odp pd ynt ilt bls trs atb vá továbbítás nf".split(
    " ",
  ),
  "răspuns",
  // Cyrillic, Greek, Hebrew, Arabic, Thai, Vietnamese.
  ..."ответ отв на пересл пересылка нa відп απ πρθ σχετ השב הועבר תגובה رد ตอบ ส่งต่อ".split(" "),
  "إعادة توجيه",
  "trả lời",
  "chuyển tiếp",
  // Chinese, Japanese, Korean.
  ..."回复 回覆 答复 答覆 转发 轉寄 轉發 返信 転送 회신 답장 전달".split(" "),
];

/** One prefix with its count, as `Re:`, `RE[2]:`, `Re(3):`, `Re*2:`, `Re^2:` or `回复：`. */
const PREFIX = new RegExp(
  `\\s*(?:${[...new Set(PREFIXES)].sort((a, b) => b.length - a.length).join("|")})\\s?(?:\\[\\d{1,3}\\]|\\(\\d{1,3}\\)|[*^]\\d{1,3})?\\s?[:：]`,
  "iuy",
);

/** The subject without prefixes, folded white space and control characters; "" when nothing is left. */
export function baseSubject(subject: string): string {
  const text = subject
    .slice(0, READ_MAX)
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
  const rest = text.slice(endOfPrefixes(text)).trim();
  // RFC 5256 2.1: some programs wrap the subject of what they forward.
  const wrapped = /^\[fwd: ?(.*)\]$/iu.exec(rest)?.[1] ?? rest;
  return cut(wrapped.replace(/ \(fwd\)$/i, "").trim());
}

/** The subject of a reply: one `Re: ` and the base subject. */
export const replySubject = (subject: string): string => `Re: ${baseSubject(subject)}`.trimEnd();

function endOfPrefixes(text: string): number {
  let end = 0;
  for (;;) {
    PREFIX.lastIndex = end;
    if (!PREFIX.test(text)) return end;
    end = PREFIX.lastIndex;
  }
}

/** The first characters, never half of one. */
function cut(text: string): string {
  const first = text.slice(0, SUBJECT_MAX);
  return (first.isWellFormed() ? first : first.slice(0, -1)).trimEnd();
}
