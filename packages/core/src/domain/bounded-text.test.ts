import { expect, test } from "vitest";
import { boundedName, boundedText } from "./bounded-text.ts";
import type { Refusal } from "./refusal.ts";

test("a name has no white space around it, and keeps what is in it", () => {
  expect(boundedName("name", " \u00a0Gift card\t", 100)).toBe("Gift card");
  expect(boundedName("name", "__proto__", 100)).toBe("__proto__");
});

test.each([
  ["empty", ""],
  ["of white space", " \u3000\n"],
  ["of characters that nobody sees", "\u200b\u2060"],
  ["with a line break in it", "gift\ncard"],
  ["with NUL", "gift\0card"],
  ["with half a character", "gift \ud83d"],
  ["too long", "x".repeat(101)],
])("a name that is %s is refused on its field", (_what, name) => {
  expect(problem(() => boundedName("name", name, 100))).toEqual({ name: [expect.stringMatching(/^[PT].*\.$/)] });
});

test("characters are counted as people and the contract count them, emoji as one", () => {
  for (const bounded of [boundedName, boundedText]) {
    expect(bounded("name", "🎁".repeat(100), 100)).toBe("🎁".repeat(100));
    for (const count of [101, 201]) {
      expect(problem(() => bounded("name", "🎁".repeat(count), 100))).toEqual({
        name: ["Please use at most 100 characters."],
      });
    }
  }
});

test("the white space around a name does not count", () => {
  expect(boundedName("name", `${" ".repeat(300)}VIP`, 3)).toBe("VIP");
});

test("a text is kept as it is, empty, with its lines and its white space", () => {
  for (const text of ["", "  ", "first\nsecond\t"]) expect(boundedText("value", text, 1_000)).toBe(text);
});

test.each([
  ["NUL", "a\0"],
  ["half a character", "\udc00"],
  ["a character too many", "x".repeat(1_001)],
])("a text with %s is refused on its field", (_what, text) => {
  expect(problem(() => boundedText("value", text, 1_000))).toEqual({ value: [expect.any(String)] });
});

/** What is wrong, by field; undefined when nothing is. */
function problem(read: () => unknown): object | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    const { reason } = error as Refusal;
    return reason.name === "invalid" ? reason.errors : { reason };
  }
}
