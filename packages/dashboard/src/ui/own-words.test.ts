import { FAULT_TEXT } from "@frontdesk/core/contract/errors";
import { notFoundText, refusalText } from "@frontdesk/core/domain/refusal";
import { expect, test } from "vitest";
import { saidInOwnWords } from "./own-words.ts";

/** Nothing is loaded here: a text is its key. */
const keyOf = (text: string) => saidInOwnWords(text);

test("what the service refuses somebody who is signed in is said in their language", () => {
  expect(keyOf(refusalText.role)).toBe("problem.role");
  expect(keyOf(refusalText["wrong-sign-in"])).toBe("problem.signIn");
  expect(keyOf(refusalText["rate-limited"])).toBe("problem.tooMany");
  expect(keyOf(refusalText.unavailable)).toBe("problem.service");
  expect(keyOf(FAULT_TEXT)).toBe("problem.service");
});

test.each([
  "contact",
  "conversation",
  "widget",
  "agent",
  "tag",
  "custom-data",
  "article",
  "webhook",
  "delivery",
  "api-key",
  "assistant",
  "team",
  "canned-reply",
  "saved-view",
  "session",
] as const)("of a missing %s it is said that it is gone", (what) => {
  expect(keyOf(notFoundText[what])).toBe("problem.gone");
});

test("a conversation that the visitor has written in meanwhile is not put off, which is said", () => {
  expect(keyOf("The visitor has written meanwhile.")).toBe("problem.writtenMeanwhile");
});

test("what is not known is shown as it was said", () => {
  expect(saidInOwnWords("The moon is in the way.")).toBe("The moon is in the way.");
});
