import { codePoint } from "@frontdesk/testing/code-point";
import { assert, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { foldText } from "./folded-text.ts";

describe("texts that differ only in letter case or in Unicode form fold to the same", () => {
  test.each([
    ["letter case", "VERA", "vera"],
    ["letter case beyond ASCII", "ÄÉÑ ЖЁ", "äéñ жё"],
    ["composed and decomposed letters", "Jos\u00e9", "Jose\u0301"],
    ["full-width letters and digits", "Ｖｅｒａ１", "vera1"],
    ["ligatures", "ﬁle", "FILE"],
    ["the capital sharp s and the small one", "STRAẞE", "straße"],
    ["the Turkish capital dotted i and its decomposed form", "\u0130pek", "I\u0307PEK"],
    ["the final sigma and the other one", "Οδυσσεύς", "ΟΔΥΣΣΕΎΣ"],
    ["the Kelvin sign and the letter", "\u212a", "k"],
  ])("%s", (_what, one, other) => {
    expect(foldText(one)).toBe(foldText(other));
  });
});

test("a part of a text is found in it whatever letters stand around it", () => {
  // Lower case writes a sigma at the end of a word differently; the end of a search is no end of a word.
  expect(foldText("ΟΔΥΣΣΕΥΣ")).toContain(foldText("ΟΔΥΣ"));
});

test("texts of different letters stay different", () => {
  for (const [one, other] of [
    ["vera", "véra"],
    ["straße", "strasse"],
    ["50%", "50_"],
  ] as const) {
    expect(foldText(one)).not.toBe(foldText(other));
  }
});

test("folding a folded text changes nothing", () => {
  assert(property(string({ unit: codePoint }), (text) => foldText(foldText(text)) === foldText(text)));
});
