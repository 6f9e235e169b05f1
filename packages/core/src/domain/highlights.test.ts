import { describe, expect, test } from "vitest";
import { excerptOf, highlightsOf } from "./highlights.ts";
import { searchWords } from "./search-text.ts";

const marked = (text: string, search: string, forgiving = false) =>
  highlightsOf(text, { words: searchWords(search), forgiving }).map(({ start, end }) => text.slice(start, end));

describe("what was searched for is found in the text as it was written", () => {
  test.each([
    ["Do you ship to Portugal?", "PORTUGAL", ["Portugal"]],
    ["ship, Ship, SHIP", "ship", ["ship", "Ship", "SHIP"]],
    ["Ｆｕｌｌ width", "full", ["Ｆｕｌｌ"]],
    ["ﬁne", "fin", ["ﬁn"]],
    ["Cafe\u0301 au lait", "café", ["Cafe\u0301"]],
    ["ΟΔΟΣ", "οδος", ["ΟΔΟΣ"]],
    ["返品は可能ですか", "返品", ["返品"]],
    ["50% _off_ \\o/", "% _", ["%", "_", "_"]],
    ["Lange Straße 4", "STRASSE", ["Straße"]],
    ["Sean O’Brien", "o'brien", ["O’Brien"]],
    ["Łukasz Żółć", "lukasz zolc", ["Łukasz", "Żółć"]],
    ["Jürgen Müller", "mueller juergen", ["Jürgen", "Müller"]],
    ["Jürgen Müller", "mueller ull", ["Müller"]],
    ["Frau Mueller, neue Frage", "müller", ["Mueller"]],
    ["Where is my blanket?", "blankets", ["blanket"]],
    ["Where is my blanket?", "blankt", []],
    ["My order: 2 blankets", "order blanket", ["order", "blanket"]],
    ["مُحَمَّد علي", "محمد", ["مُحَمَّد"]],
    ["<b>order</b>", "<b>", ["<b>"]],
    ["orders", "order ders", ["orders"]],
    ["aaaa", "aa", ["aa", "aa"]],
    ["nothing", "else", []],
    ["anything", "  ", []],
  ])("%s: %s", (text, search, pieces) => {
    expect(marked(text, search)).toEqual(pieces);
  });
});

test("a typo is marked where it was forgiven, and in nothing that has the word itself", () => {
  expect(marked("Where is my blanket?", "blankt", true)).toEqual(["blanket"]);
  expect(marked("An older order", "order", true)).toEqual(["order"]);
  expect(marked("Ein älteres Gerät", "geret", true)).toEqual(["Gerät"]);
});

describe("an excerpt", () => {
  test("is the whole of a short text", () => {
    expect(excerptOf("Do you ship?", { words: ["ship"], forgiving: false }, 40)).toEqual({
      excerpt: "Do you ship?",
      highlights: [{ start: 7, end: 11 }],
    });
  });

  test("of a long text is what stands around, with what was found marked in it", () => {
    const text = `${"x".repeat(500)} Portugal ${"y".repeat(500)}`;
    const { excerpt, highlights } = excerptOf(text, { words: ["portugal"], forgiving: false }, 60);
    expect(excerpt).toHaveLength(60);
    expect(highlights.map(({ start, end }) => excerpt.slice(start, end))).toEqual(["Portugal"]);
  });

  test("cuts no character apart", () => {
    const text = `${"🎁".repeat(300)}ship${"🎁".repeat(300)}`;
    for (let length = 20; length < 40; length += 1)
      expect(excerptOf(text, { words: ["ship"], forgiving: false }, length).excerpt.isWellFormed()).toBe(true);
  });
});
