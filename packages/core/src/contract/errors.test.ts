import { expect, test } from "vitest";
import { type Findable, messageOf, notFoundText } from "./errors.ts";

test("a missing thing has one text, whatever the reason it is not there", () => {
  expect(messageOf({ name: "not-found", what: "conversation" })).toBe("Conversation not found.");
  for (const what of Object.keys(notFoundText) as Findable[]) {
    expect(messageOf({ name: "not-found", what })).toBe(notFoundText[what]);
  }
});

test("every other error has a text of its own", () => {
  const texts = [
    messageOf({ name: "not-authenticated" }),
    messageOf({ name: "not-allowed" }),
    messageOf({ name: "invalid", errors: {} }),
    messageOf({ name: "conflict" }),
    messageOf({ name: "rate-limited", retryAfterSeconds: 1 }),
    messageOf({ name: "unavailable", retryAfterSeconds: 1 }),
  ];
  expect(new Set(texts).size).toBe(texts.length);
});
