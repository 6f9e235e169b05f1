import { expect, test } from "vitest";
import { pageOffset, pagination } from "./page.ts";

test("a page begins after the rows of the pages before it", () => {
  expect(pageOffset({ page: 1, limit: 10 })).toBe(0);
  expect(pageOffset({ page: 3, limit: 10 })).toBe(20);
});

test("a page beyond every row is still a whole number that a database takes", () => {
  expect(pageOffset({ page: Number.MAX_SAFE_INTEGER, limit: 100 })).toBe(Number.MAX_SAFE_INTEGER);
});

test.each([
  [0, 1],
  [1, 1],
  [10, 1],
  [11, 2],
  [20, 2],
  [21, 3],
])("%i rows of 10 a page are %i pages", (total, total_pages) => {
  expect(pagination({ page: 1, limit: 10 }, total, Math.min(total, 10))).toEqual({
    total,
    count: Math.min(total, 10),
    per_page: 10,
    current_page: 1,
    total_pages,
  });
});
