import { expect, test } from "vitest";
import { linesOf } from "./long-text.ts";

test("a text has the lines that its own line ends and the width of the thread make", () => {
  expect(linesOf("", 90)).toBe(1);
  expect(linesOf("Hello", 90)).toBe(1);
  expect(linesOf("a\nb\n\nc", 90)).toBe(4);
  expect(linesOf("x".repeat(180), 90)).toBe(2);
  expect(linesOf("x".repeat(181), 90)).toBe(3);
  expect(linesOf(`${"x".repeat(91)}\n${"x".repeat(10)}`, 90)).toBe(3);
});

test("Chinese, Japanese and Korean characters are twice as wide", () => {
  expect(linesOf("写".repeat(90), 90)).toBe(2);
  expect(linesOf("김".repeat(46), 90)).toBe(2);
  expect(linesOf("é".repeat(90), 90)).toBe(1);
});
