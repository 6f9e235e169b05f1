/**
 * The figures of a text: numbers with what they count, times, dates, numbers of phones, email addresses, codes. A figure of an
 * answer has to stand in what the answer rests on, however it is written there: "1.234,50 €" is "EUR 1,234.50", "5 pm" is
 * "17:00", "25. Dezember" is "December 25" and "12/25".
 */

import { foldLetters, withAsciiDigits } from "../folded-letters.ts";
import { monthNames, numberWords, readCharacters, type Unit, unitOf } from "./number-words.ts";

export type Figure =
  | { kind: "number"; value: number; unit: Unit | undefined; inWords: boolean }
  | { kind: "clock"; minutes: number; hasHalf: boolean }
  | { kind: "date"; numbers: readonly [number, number]; isMonthKnown: boolean; year: number | undefined }
  | { kind: "digits"; digits: string }
  | { kind: "email"; address: string }
  | { kind: "code"; code: string };

/** The figures of `claim` that `source` does not contain. */
export function unsupportedFigures(claim: string, source: string): Figure[] {
  const known = figuresIn(source);
  return figuresIn(claim).filter((figure) => {
    // A small number in words counts something only beside a unit: "two ways", "four eyes".
    if (figure.kind === "number" && figure.inWords && figure.unit === undefined) return false;
    return !known.some((other) => supports(other, figure));
  });
}

const EMAIL = /[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+/gu;
const DATE_YEAR_FIRST = /(?<![\d.])(\d{4})([-/.]|年)(\d{1,2})(?:\2|月)(\d{1,2})日?(?!\d)/gu;
const DATE_YEAR_LAST = /(?<![\d.])(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?![\d.]*\d)/gu;
const DATE_CHARACTERS = /(?<!\d)(\d{1,2})月(\d{1,2})[日号]/gu;
const NAME = "[\\p{L}\\p{M}]{3,12}";
const DAY = "(\\d{1,2})(?:st|nd|rd|th|er|º|ª|\\.)?";
const DAY_FIRST = new RegExp(
  `(?<!\\d[.,]?)(?:${DAY}\\s?(?:-|–|—|to|bis|und|and|au|et|al|y|a|e|по|и|से|إلى)\\s?)?${DAY}[\\s-](?:de\\s|of\\s)?(${NAME})\\.?,?(?:\\s(?:de\\s)?(\\d{4}))?`,
  "giu",
);
const MONTH_FIRST = new RegExp(
  `(${NAME})\\.?\\s${DAY}(?:\\s?[-–—]\\s?${DAY})?(?!\\d|[.,]\\d|:)(?:,?\\s(\\d{4}))?`,
  "giu",
);
const HALF = "(?:\\s?([ap])\\.?\\s?m\\b\\.?)";
const CLOCK = new RegExp(
  `(?<![\\d:]|\\d[.,])(\\d{1,2})(?:(?::|[.h](?=\\d\\d(?:\\s?(?:uhr|h\\b|[ap]\\.?\\s?m\\b)))|\\s?h\\s?(?=\\d\\d\\b))(\\d{2})(?::\\d{2})?(?!\\d)${HALF}?|${HALF}|\\s?(?:uhr\\b|o[’']clock|h\\b|heures?\\b(?=.{0,12}\\b(?:matin|soir))|[時点](?!間)))`,
  "giu",
);
const CODE = /(?<![\p{L}\d])[\p{scx=Latin}\p{scx=Cyrl}]{1,40}-?\d[\p{scx=Latin}\p{scx=Cyrl}\d-]*/gu;
const VERSION = /(?<![\d.])\d+(?:\.\d+){2,}(?![\d.]*\d)/gu;
const PHONE =
  /(?:\+|\(\+?\d|(?<!\d[.,]?)0)[\d\s()./\u00a0–-]{5,24}\d|(?<!\d[.,]?)\d{2,5}(?:[\s/-]\d{2,5}){2,5}(?![\d.,])/gu;
const GROUPED = "\\d{1,3}(?:[\\s\\u00a0\\u202f\\u2009]\\d{3})+(?:[.,]\\d{1,2})?|\\d+(?:[.,'’٬٫]\\d+)*";
const NUMBER = new RegExp(`(?<![\\d])(?:${GROUPED})`, "gu");
const WORD = /[\p{L}\p{M}]+/gu;
/** Before what they count, or after "of a hundred parts"; else "一" and "十" are parts of words. */
const CHARACTER_NUMBER =
  /[零〇一二两三四五六七八九十百千万]{1,9}(?=[个個]?(?:分钟|小时|小時|時間|日間|日|天|周|週間|星期|工作日|営業日|月|か月|ヶ月|年|元|円|块|欧元|美元|人民币|ユーロ|ドル|ルピー|パーセント|%))|(?<=百分之)[零〇一二两三四五六七八九十百]{1,5}/gu;
/** "Ⅷ", "➑": numbers that are no digits. The circle of Chinese stands for other things as well. */
const UNUSUAL_NUMBER = /(?!〇)[\p{Nl}\p{No}]/gu;
const PHONE_DIGITS_MIN = 7;

/** Every figure of a text, each place once. */
export function figuresIn(text: string): Figure[] {
  const figures: Figure[] = [];
  for (const [sign] of text.matchAll(UNUSUAL_NUMBER)) {
    if (!/\p{Nd}/u.test(sign.normalize("NFKC"))) figures.push({ kind: "code", code: sign });
  }
  let rest = withAsciiDigits(text.normalize("NFKC"))
    .replaceAll(/[\u2010-\u2012]/g, "-")
    .replace(/^[^\S\n]*\d{1,2}[.)]\s/gmu, " ");

  // The most particular forms come first, and take their characters away from the others.
  take(EMAIL, ([address = ""]) => [{ kind: "email", address: address.toLowerCase() }]);
  take(DATE_YEAR_FIRST, ([, year, , month, day]) => [date(Number(month), Number(day), Number(year), true)]);
  take(DATE_YEAR_LAST, ([, one, , two, year]) => numericDate(Number(one), Number(two), fullYear(String(year))));
  take(DATE_CHARACTERS, ([, month, day]) => [date(Number(month), Number(day), undefined, true)]);
  take(DAY_FIRST, ([, from, to, name, year]) => namedDates([from, to], String(name), year));
  take(MONTH_FIRST, ([, name, from, to, year]) => namedDates([from, to], String(name), year));
  take(CLOCK, clock);
  take(VERSION, ([code = ""]) => [{ kind: "code", code }]);
  take(CODE, ([code = ""]) => [{ kind: "code", code: code.toLowerCase() }]);
  take(PHONE, ([found = ""]) => {
    const digits = found.replaceAll(/\D/g, "");
    return digits.length >= PHONE_DIGITS_MIN && !/^\d{1,3}(?:\s\d{3})+$/.test(found)
      ? [{ kind: "digits", digits }]
      : undefined;
  });
  for (const { 0: found, index } of rest.matchAll(NUMBER)) {
    if (/^\d{7,}$/.test(found)) figures.push({ kind: "digits", digits: found });
    else figures.push(numberAt(rest, index, found, readNumber(found), false));
  }
  for (const { 0: word, index } of rest.matchAll(WORD)) {
    const value = numberWords.get(foldLetters(word));
    if (value !== undefined) figures.push(numberAt(rest, index, word, value, true));
  }
  for (const { 0: found, index } of rest.matchAll(CHARACTER_NUMBER)) {
    const value = readCharacters(found);
    if (value !== undefined) figures.push(numberAt(rest, index, found, value, true));
  }
  return figures;

  /** Takes what is read out of the rest; undefined leaves it there. */
  function take(pattern: RegExp, read: (found: readonly string[]) => Figure[] | undefined): void {
    rest = rest.replace(pattern, (...found: string[]) => {
      const taken = read(found);
      if (taken === undefined) return found[0] as string;
      figures.push(...taken);
      return " ; ";
    });
  }
}

/** Of "25.12." and "12/25" either number may be the day. */
function numericDate(one: number, two: number, year: number): Figure[] | undefined {
  if (Math.min(one, two) < 1 || Math.min(one, two) > 12 || Math.max(one, two) > 31) return undefined;
  return [date(one, two, year, false)];
}

const date = (one: number, two: number, year: number | undefined, isMonthKnown: boolean): Figure => ({
  kind: "date",
  numbers: [one, two],
  isMonthKnown,
  year,
});

const fullYear = (year: string): number => (year.length === 2 ? 2000 + Number(year) : Number(year));

function namedDates(
  days: readonly (string | undefined)[],
  name: string,
  year: string | undefined,
): Figure[] | undefined {
  const month = monthNames.get(foldLetters(name));
  const given = days.filter((day) => day !== undefined).map(Number);
  if (month === undefined || given.some((day) => day < 1 || day > 31)) return undefined;
  return given.map((day) => date(month, day, year === undefined ? undefined : Number(year), true));
}

function clock([, hour = "", minute, half, onlyHalf]: readonly string[]): Figure[] | undefined {
  const letter = (half ?? onlyHalf)?.toLowerCase();
  const [hours, minutes] = [Number(hour), Number(minute ?? 0)];
  if (hours > 24 || minutes > 59 || (letter !== undefined && hours > 12)) return undefined;
  const inDay = letter === undefined ? hours : (hours % 12) + (letter === "p" ? 12 : 0);
  return [{ kind: "clock", minutes: (inDay % 24) * 60 + minutes, hasHalf: letter !== undefined }];
}

/** With its unit: a sign or a word before it or among the two words after it. */
function numberAt(text: string, index: number, found: string, value: number, inWords: boolean): Figure {
  const before = /(R\$|百分之|[€$£¥₹₽]|\b[A-Z]{3})[\s\u00a0\u202f]?$/u.exec(
    text.slice(Math.max(0, index - 5), index),
  )?.[1];
  const sign = before === undefined ? undefined : unitOf(before);
  return {
    kind: "number",
    value,
    unit: sign ?? unitAfter(text.slice(index + found.length, index + found.length + 40)),
    inWords,
  };
}

function unitAfter(after: string): Unit | undefined {
  const near = /^[^.!?;\n\d。、]*/u.exec(after)?.[0] ?? "";
  const words = near.match(/[€$£¥₹₽%]|[\p{scx=Han}\p{scx=Katakana}\p{scx=Hiragana}]+|[\p{L}\p{M}]+/gu) ?? [];
  for (const word of words.slice(0, 2)) {
    const unit = unitOf(word);
    if (unit) return unit;
  }
  return words.slice(0, 2).join("").toLowerCase() === "porciento" ? "ratio" : undefined;
}

/**
 * The value of digits with separators. The last separator is decimal unless exactly three digits follow it, or it stands there
 * more than once; then all separate thousands, or the lakhs of India.
 */
function readNumber(found: string): number {
  const plain = found.replaceAll("٫", ".").replaceAll(/[\s\u00a0\u202f\u2009'’٬]/g, "");
  const last = Math.max(plain.lastIndexOf("."), plain.lastIndexOf(","));
  if (last < 0) return Number(plain);
  const whole = plain.slice(0, last);
  const part = plain.slice(last + 1);
  const isRepeated = whole.includes(plain[last] as string);
  const isThousands =
    isRepeated || (part.length === 3 && !found.includes("٫") && !/^0*$/.test(whole) && !/[.,]/.test(whole));
  const digits = whole.replaceAll(/[.,]/g, "");
  return Number(isThousands ? digits + part : `${digits}.${part}`);
}

function supports(known: Figure, claimed: Figure): boolean {
  switch (claimed.kind) {
    case "number":
      return supportsNumber(known, claimed);
    case "clock":
      return supportsClock(known, claimed);
    case "date":
      return known.kind === "date" && isSameDate(known, claimed);
    case "digits":
      return known.kind === "digits"
        ? isSameNumber(known.digits, claimed.digits)
        : isSamePlainNumber(known, claimed.digits);
    case "email":
      return known.kind === "email" && known.address === claimed.address;
    case "code":
      return known.kind === "code" && known.code === claimed.code;
    default:
      return claimed satisfies never;
  }
}

function supportsNumber(known: Figure, { value, unit }: Extract<Figure, { kind: "number" }>): boolean {
  switch (known.kind) {
    case "number":
      // In a table, a unit may stand elsewhere.
      return known.value === value && (known.unit === unit || known.unit === undefined || unit === undefined);
    case "clock":
      return unit === undefined && known.minutes === value * 60;
    case "date":
      return unit === undefined && (known.year === value || known.numbers.includes(value));
    default:
      return false;
  }
}

/** "Until 5:30" may stand for "until 5:30 pm", but not for 17:30, beside which 5:30 is another time. */
function supportsClock(known: Figure, { minutes, hasHalf }: Extract<Figure, { kind: "clock" }>): boolean {
  if (known.kind === "number") return known.unit === undefined && known.value * 60 === minutes;
  if (known.kind !== "clock") return false;
  return known.minutes === minutes || (!hasHalf && known.hasHalf && known.minutes === minutes + 12 * 60);
}

function isSameDate(known: Extract<Figure, { kind: "date" }>, claimed: Extract<Figure, { kind: "date" }>): boolean {
  const [one, two] = known.numbers;
  const [first, second] = claimed.numbers;
  const isSame = one === first && two === second;
  const isTurned = one === second && two === first && !(known.isMonthKnown && claimed.isMonthKnown);
  return (
    (isSame || isTurned) && (claimed.year === undefined || known.year === undefined || known.year === claimed.year)
  );
}

/** The same number of a phone, with a country code or with the "0" of a city in its place. */
function isSameNumber(one: string, other: string): boolean {
  const [known, claimed] = [one.replace(/^00/, ""), other.replace(/^00/, "")];
  if (known === claimed) return true;
  const [long, short] = known.length > claimed.length ? [known, claimed] : [claimed, known];
  return short.startsWith("0") && long.length - short.length <= 2 && long.endsWith(short.slice(1));
}

const isSamePlainNumber = (known: Figure, digits: string): boolean =>
  known.kind === "number" && known.value === Number(digits);
