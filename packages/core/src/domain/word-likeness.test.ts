/** docs/decisions/0017-knowledge-search.md: which words match one another. */
import { array, assert, constantFrom, nat, oneof, property, tuple } from "fast-check";
import { describe, expect, test } from "vitest";
import { backward, edits, formsAround, likeness, type Neighbourhood, SAME_WORD, typosAround } from "./word-likeness.ts";

const strict = { unfinished: false, forgiving: false };
const forgiving = { unfinished: false, forgiving: true };

test("a word is most like itself", () => {
  for (const word of ["a", "refund", "退货"]) expect(likeness(word, word, strict)).toBe(1);
});

describe("forms of a word", () => {
  test.each([
    ["order", "orders"],
    ["return", "returning"],
    ["delivery", "deliveries"],
    ["bag", "bags"],
    ["lieferung", "lieferungen"],
    ["devolver", "devolvemos"],
    ["доставка", "доставить"],
    ["заказ", "заказа"],
    ["ऑर्डर", "ऑर्डरों"],
  ])("%s and %s", (one, other) => {
    for (const like of [likeness(one, other, strict), likeness(other, one, strict)]) {
      expect(like).toBeGreaterThan(SAME_WORD);
      expect(like).toBeLessThan(1);
    }
  });

  test.each([
    ["contact", "contract"],
    ["internal", "international"],
    ["bag", "bargain"],
    ["no", "not"],
    ["in", "inn"],
    ["form", "from"],
  ])("not %s and %s", (one, other) => {
    expect(likeness(one, other, strict)).toBeLessThan(SAME_WORD);
  });

  test("the more they have in common, the more they are alike", () => {
    expect(likeness("garantien", "garantie", strict)).toBeGreaterThan(likeness("garantien", "garantia", strict));
  });
});

describe("parts of a word", () => {
  test.each([
    ["frist", "ruckgabefrist"],
    ["ruckgabe", "ruckgabefrist"],
    ["توصيل", "والتوصيل"],
    ["back", "backpack"],
  ])("%s is one of %s, both ways", (part, whole) => {
    for (const like of [likeness(part, whole, strict), likeness(whole, part, strict)]) {
      expect(like).toBeGreaterThan(0);
      expect(like).toBeLessThan(SAME_WORD);
    }
  });

  test("are at its beginning or its end, and no shorter than four letters", () => {
    expect(likeness("gabe", "ruckgabefrist", strict)).toBe(0);
    expect(likeness("art", "party", strict)).toBe(0);
    expect(likeness("bag", "handbag", strict)).toBe(0);
  });
});

describe("typos", () => {
  test.each([
    ["shpi", "ship"],
    ["sihp", "ship"],
    ["shipp", "ship"],
    ["pasword", "password"],
    ["reufnd", "refund"],
    ["rueckgabefrist", "ruckgabefrist"],
    ["waranty", "warranty"],
    ["дотсавка", "доставка"],
  ])("%s is taken for %s", (typo, word) => {
    expect(likeness(typo, word, forgiving)).toBeGreaterThan(0.5);
    expect(likeness(typo, word, forgiving)).toBeLessThan(1);
  });

  test.each([
    ["too many", "pasvort", "password"],
    ["too many for its length", "rfeudn", "refund"],
    ["in a short word", "cat", "car"],
  ])("are not forgiven when they are %s: %s is not %s", (_why, one, other) => {
    expect(likeness(one, other, forgiving)).toBe(0);
  });

  test("are not forgiven unless requested", () => {
    expect(likeness("reufnd", "refund", strict)).toBe(0);
  });

  test("one is less than two", () => {
    expect(likeness("passwrod", "password", forgiving)).toBeGreaterThan(likeness("pazzword", "password", forgiving));
  });
});

test("an unfinished word is like those that begin so, from two letters on", () => {
  const unfinished = { unfinished: true, forgiving: false };
  expect(likeness("en", "engraving", unfinished)).toBeGreaterThan(0);
  expect(likeness("en", "engraving", strict)).toBe(0);
  expect(likeness("e", "engraving", unfinished)).toBe(0);
  expect(likeness("grav", "engraving", unfinished)).toBe(0);
});

const letter = constantFrom(..."abcd", "é", "ж", "𐐷");
const word = array(letter, { minLength: 1, maxLength: 12 });

describe("edits", () => {
  test("are counted as a plain look at every way does", () => {
    assert(
      property(word, word, (one, other) => {
        const plain = plainEdits(one, other);
        for (const most of [0, 1, 2, 3]) {
          expect(edits(one, other, most)).toBe(plain > most ? Number.POSITIVE_INFINITY : plain);
        }
      }),
      { numRuns: 300 },
    );
  });
});

/** The rule as it is defined, one letter from the end after the other, with nothing left out. */
function plainEdits(one: readonly string[], other: readonly string[]): number {
  const known = new Map<number, number>();
  const count = (a: number, b: number): number => {
    if (a === 0 || b === 0) return a + b;
    const place = a * 100 + b;
    const before = known.get(place);
    if (before !== undefined) return before;
    const ways = [
      count(a - 1, b) + 1,
      count(a, b - 1) + 1,
      count(a - 1, b - 1) + (one[a - 1] === other[b - 1] ? 0 : 1),
    ];
    if (a > 1 && b > 1 && one[a - 1] === other[b - 2] && one[a - 2] === other[b - 1])
      ways.push(count(a - 2, b - 2) + 1);
    known.set(place, Math.min(...ways));
    return Math.min(...ways);
  };
  return count(one.length, other.length);
}

describe("where words are looked for", () => {
  const isIn = ({ words, beginnings, endings }: Neighbourhood, other: string) =>
    words.includes(other) ||
    beginnings.some((beginning) => other.startsWith(beginning)) ||
    endings.some((ending) => backward(other).startsWith(backward(ending)));

  const change = tuple(nat(12), letter, constantFrom("put in", "left out", "replaced", "swapped"));
  /** A word, with so many letters changed. */
  const changed = (least: number, count: number) =>
    tuple(array(letter, { minLength: least, maxLength: 12 }), array(change, { minLength: 1, maxLength: count })).map(
      ([one, changes]) => {
        const letters = [...one];
        for (const [at, put, how] of changes) {
          const index = at % Math.max(1, letters.length);
          if (how === "put in") letters.splice(index, 0, put);
          if (how === "left out") letters.splice(index, 1);
          if (how === "replaced") letters.splice(index, 1, put);
          if (how === "swapped") letters.splice(index, 2, ...letters.slice(index, index + 2).reverse());
        }
        return [one.join(""), letters.join("")] as const;
      },
    );
  /** A word, and one that begins or ends with it, or a part of it. */
  const grown = tuple(word, word, nat(12), constantFrom("end", "beginning", "cut")).map(([one, more, at, how]) => {
    if (how === "cut") return [one.join(""), one.slice(0, 1 + (at % one.length)).join("")] as const;
    return [one.join(""), (how === "end" ? [...one, ...more] : [...more, ...one]).join("")] as const;
  });

  test("every form, part and end of a word is there", () => {
    let alike = 0;
    assert(
      property(oneof(grown, changed(1, 2)), ([one, other]) => {
        for (const unfinished of [true, false]) {
          if (other === "" || likeness(one, other, { unfinished, forgiving: false }) === 0) continue;
          alike += 1;
          expect(isIn(formsAround(one, unfinished), other)).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
    expect(alike).toBeGreaterThan(500);
  });

  test("every typo of one letter is there", () => {
    assert(
      property(changed(4, 1), ([one, other]) => {
        if (one !== other) expect(isIn(typosAround(one), other)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test("every typo of two letters is there unless both ends of the word are hit", () => {
    let typos = 0;
    assert(
      property(changed(8, 2), ([one, other]) => {
        const [first, last] = [[...one].slice(0, 3).join(""), [...one].slice(-3).join("")];
        if (one === other || !(other.startsWith(first) || other.endsWith(last))) return;
        typos += 1;
        expect(isIn(typosAround(one), other)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
    expect(typos).toBeGreaterThan(500);
  });
});
