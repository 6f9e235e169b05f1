import { expect, test } from "vitest";
import { isolated } from "./isolated.ts";

test.each([
  ["Ada W.", "rtl"],
  ["Анна", "rtl"],
  ["金", "rtl"],
  ["127.0.0.1:8104/pricing", "rtl"],
  ["vera@acme.test", "rtl"],
  ["سارة", "ltr"],
  ["Dr. דנה", "ltr"],
] as const)("%s keeps its direction within a sentence written %s", (value, direction) => {
  expect(isolated(value, direction)).toBe(`\u2068${value}\u2069`);
});

test.each([
  ["Ada W.", "ltr"],
  ["김민준", "ltr"],
  ["سارة", "rtl"],
  ["12", "rtl"],
  ["", "rtl"],
  ["👋", "rtl"],
] as const)("%s in a sentence written %s is as it was", (value, direction) => {
  expect(isolated(value, direction)).toBe(value);
});
