import { codePoint } from "@frontdesk/testing/code-point";
import fc from "fast-check";
import { expect, test } from "vitest";
import { literalPattern } from "./literal-pattern.ts";

test.each(["Anne-Marie", "a-b.c+d@x-y.example", "Jean-Luc (x)", "O'Neil", "a/b\\c", "[^$*?]{2}|3"])(
  "%s matches itself and nothing else",
  (text) => {
    const pattern = new RegExp(`^${literalPattern(text)}$`, "u");
    expect(pattern.test(text)).toBe(true);
    expect(pattern.test(`${text}x`)).toBe(false);
  },
);

test("every text matches itself", () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint }), (text) => new RegExp(`^${literalPattern(text)}$`, "u").test(text)),
  );
});
