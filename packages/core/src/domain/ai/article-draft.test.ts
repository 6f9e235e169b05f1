import { expect, test } from "vitest";
import { holdsDetails, readArticleDraft, withoutDetails } from "./article-draft.ts";

test.each([
  ["Dear VERA, yours, Ada", ["Vera Novak", "Ada"], "Dear ‹name›, yours, ‹name›"],
  ["Vera Novak asks", ["Vera Novak"], "‹name› asks"],
  ["王小明您好", ["王小明"], "‹name›您好"],
  ["Order 4711-00815 of 2026", [], "Order ‹number› of 2026"],
  ["Within 30 days, for 1,299 €", ["Al"], "Within 30 days, for 1,299 €"],
  ["A veranda is also fine", ["Vera"], "A veranda is also fine"],
])("%j without details", (text, names, bare) => {
  expect(withoutDetails(text, names)).toBe(bare);
  expect(holdsDetails(text, names)).toBe(text !== bare);
  // A placeholder is one as well.
  expect(holdsDetails(bare, names)).toBe(text !== bare);
});

test("the first line is the question, the rest the answer; without either there is no article", () => {
  expect(readArticleDraft("# **How?**\n\nLike this.\n\n- One\n")).toEqual({
    question: "How?",
    answer: "Like this.\n\n- One",
  });
  for (const none of ["NOTHING", "", "How?\n\n\u200b", `${"x".repeat(501)}\n\nAnswer`])
    expect(readArticleDraft(none)).toBeUndefined();
});
