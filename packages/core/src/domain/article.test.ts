import { expect, test } from "vitest";
import { ANSWER_MAX, QUESTION_MAX, readArticle } from "./article.ts";
import type { Refusal } from "./refusal.ts";

const whole = { question: "Do you ship to Malta?", answer: "We do." };

test("a question is one line and an answer keeps its lines, without the white space around them", () => {
  const given = { question: "\t Do you? ", answer: "\n  We do.\n\n- by post\n " };
  expect(readArticle(given)).toEqual({ question: "Do you?", answer: "We do.\n\n- by post" });
});

test("they are as long as they may be, counted as people count", () => {
  const longest = { question: "🎁".repeat(QUESTION_MAX), answer: "🎁".repeat(ANSWER_MAX) };
  expect(readArticle(longest)).toEqual(longest);
});

test.each([
  ["question", { question: "" }],
  ["question", { question: "one\ntwo" }],
  ["question", { question: "x".repeat(QUESTION_MAX + 1) }],
  ["answer", { answer: " \n" }],
  ["answer", { answer: "\u200b" }],
  ["answer", { answer: "x".repeat(ANSWER_MAX + 1) }],
  ["answer", { answer: "a\0" }],
])("what breaks a rule is refused on %s: %j", (field, wrong) => {
  const read = () => readArticle({ ...whole, ...wrong });
  let reason: Refusal["reason"] | undefined;
  try {
    read();
  } catch (error) {
    ({ reason } = error as Refusal);
  }
  expect(reason).toEqual({ name: "invalid", errors: { [field]: [expect.stringMatching(/^[PT].*\.$/)] } });
});
