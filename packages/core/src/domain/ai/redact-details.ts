/**
 * Details of people that a model does not need: email addresses, numbers of phones and cards, and IBANs are replaced by
 * `‹email 1›` before a text is sent, and put back in the answer.
 */

const KINDS = ["email", "IBAN", "card", "phone"] as const;
type Kind = (typeof KINDS)[number];

const PATTERNS: Readonly<Record<Kind, RegExp>> = {
  email: /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu,
  IBAN: /\b[A-Z]{2}\d{2}(?:[ \u00a0-]?[A-Z0-9]){11,30}\b/giu,
  card: /(?<![\d+])\d(?:[ \u00a0.-]?\d){12,18}(?!\d)/gu,
  phone:
    /(?<![\p{L}\d.,])(?:\+|00|\(\+?\d|0)[\d\s()./\u00a0\u2010-\u2013-]{5,24}\d(?!\d)|(?<![\p{L}\d.,-])\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}(?!\d)/gu,
};
const PLACEHOLDER = /‹\s*(email|IBAN|card|phone)\s+(\d{1,4})\s*›/giu;
/** "01.02.2026" begins like a number of a phone. */
const DATE = /^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b/;
const PHONE_DIGITS_MIN = 7;
const PHONE_DIGITS_MAX = 15;

export interface DetailRedaction {
  /** The same detail gets the same placeholder in every text of a run. */
  redact(text: string): string;
  /** Unknown placeholders stay as they are. */
  restore(text: string): string;
}

/** Of a team that sends everything. */
const asItIs: DetailRedaction = { redact: (text) => text, restore: (text) => text };

/** For one run of a team. @param redacts whether its owner wants that (`AiSettings`) */
export const redactionIf = (redacts: boolean): DetailRedaction => (redacts ? detailRedaction() : asItIs);

/** No placeholder is longer. */
const PLACEHOLDER_MAX = 24;

/** Puts details back into a text that arrives in pieces: what may become a placeholder waits for its end. */
export function restoreFilter(restore: DetailRedaction["restore"]): { push(piece: string): string; end(): string } {
  let held = "";
  return {
    push(piece) {
      const text = held + piece;
      const open = text.lastIndexOf("‹");
      const waits = open >= 0 && !text.includes("›", open) && text.length - open <= PLACEHOLDER_MAX;
      const ready = waits ? open : text.length;
      held = text.slice(ready);
      return restore(text.slice(0, ready));
    },
    end() {
      const rest = restore(held);
      held = "";
      return rest;
    },
  };
}

/** For one run: remembers what it has replaced. */
export function detailRedaction(): DetailRedaction {
  const details: Record<Kind, string[]> = { email: [], IBAN: [], card: [], phone: [] };

  function placeholder(kind: Kind, found: string): string {
    const known = details[kind].findIndex((detail) => sameForm(kind, detail) === sameForm(kind, found));
    return `‹${kind} ${known < 0 ? details[kind].push(found) : known + 1}›`;
  }

  return {
    redact: (text) =>
      KINDS.reduce(
        (rest, kind) =>
          rest.replace(PATTERNS[kind], (found) => replaced(kind, found, (detail) => placeholder(kind, detail))),
        // A text that comes with a placeholder of its own must not get a detail of another one.
        text.replace(PLACEHOLDER, "($1 $2)"),
      ),
    restore: (text) =>
      text.replace(PLACEHOLDER, (found, written: string, number: string) => {
        const kind = KINDS.find((each) => each.toLowerCase() === written.toLowerCase()) as Kind;
        return details[kind][Number(number) - 1] ?? found;
      }),
  };
}

/** With the detail replaced, if it is one; an IBAN may have the next word at its end. */
function replaced(kind: Kind, found: string, replace: (detail: string) => string): string {
  switch (kind) {
    case "email":
      return replace(found);
    case "IBAN": {
      const end = ibanEnd(found);
      return end === undefined ? found : replace(found.slice(0, end)) + found.slice(end);
    }
    case "card":
      return isCard(found.replaceAll(/\D/g, "")) ? replace(found) : found;
    case "phone": {
      const digits = found.replaceAll(/\D/g, "").length;
      const isPhone = digits >= PHONE_DIGITS_MIN && digits <= PHONE_DIGITS_MAX && !DATE.test(found);
      return isPhone ? replace(found) : found;
    }
    default:
      return kind satisfies never;
  }
}

const sameForm = (kind: Kind, detail: string): string =>
  kind === "email" ? detail.toLowerCase() : detail.toUpperCase().replaceAll(/[^A-Z0-9+]/g, "");

/** Luhn: every second digit from the right counts twice. */
function isCard(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = index % 2 === 0 ? Number(digit) : 2 * Number(digit);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0 && !/^(\d)\1*$/.test(digits);
}

const IBAN_MIN = 15;

/** Where the longest valid IBAN at the begin of a text ends: ISO 13616, modulo 97. Undefined without one. */
function ibanEnd(text: string): number | undefined {
  for (let end = text.length; end >= IBAN_MIN; end -= 1) {
    const bare = text
      .slice(0, end)
      .toUpperCase()
      .replaceAll(/[^A-Z0-9]/g, "");
    if (bare.length < IBAN_MIN || !/[A-Z0-9]/i.test(text[end - 1] as string)) continue;
    if (remainder97(bare.slice(4) + bare.slice(0, 4)) === 1) return end;
  }
  return undefined;
}

const remainder97 = (text: string): number =>
  [...text].reduce((rest, sign) => {
    const value = Number.parseInt(sign, 36);
    return (rest * (value > 9 ? 100 : 10) + value) % 97;
  }, 0);
