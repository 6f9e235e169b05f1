/**
 * What people leave out, or cannot see: accents, the points of Hebrew and Arabic, the stretching stroke of Arabic, the dot
 * of Devanagari, joiners and soft hyphens. The other marks are letters (the vowels of Hindi and Thai).
 */
const LEFT_OUT =
  /[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u093c]|\u0640|\u00ad|\u034f|\u200c|\u200d|\u2060|[\ufe00-\ufe0f]/g;

/** Letters that people write otherwise when their keyboard lacks them, or that look alike to them. */
const WRITTEN_OTHERWISE: readonly (readonly [letter: string, otherwise: string])[] = [
  ["ß", "ss"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["ø", "o"],
  ["đ", "d"],
  ["ł", "l"],
  ["ı", "i"],
  ["ς", "σ"],
  // Arabic and Persian: alef maksura and Farsi yeh, keheh, teh marbuta.
  ["\u0649", "\u064a"],
  ["\u06cc", "\u064a"],
  ["\u06a9", "\u0643"],
  ["\u0629", "\u0647"],
  // Devanagari: candrabindu for anusvara.
  ["\u0901", "\u0902"],
];
const otherwise = new Map(WRITTEN_OTHERWISE);
const HAS_OTHERWISE = new RegExp(`[${WRITTEN_OTHERWISE.map(([letter]) => letter).join("")}]`, "gu");
const FOREIGN_DIGIT = /[^\P{Nd}0-9]/gu;

/**
 * A text in the form in which its words are compared: letter case, accents and the digits of a script do not matter. "ü" is "u"
 * and not "ue": that is how it is typed without an umlaut key everywhere but in German. The words of articles are stored so: a
 * change needs a step that stores them anew.
 */
export function foldLetters(text: string): string {
  return text
    .toWellFormed()
    .normalize("NFKD")
    .toLowerCase()
    .normalize("NFKD")
    .replace(LEFT_OUT, "")
    .replace(HAS_OTHERWISE, (letter) => otherwise.get(letter) as string)
    .replace(FOREIGN_DIGIT, asciiDigit)
    .normalize("NFC");
}

/** The same text with the digits of every script as 0 to 9. */
export const withAsciiDigits = (text: string): string => text.replace(FOREIGN_DIGIT, asciiDigit);

/** The digits of a script are consecutive, from 0 to 9. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) as number;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}
