import { expect, test } from "vitest";
import { hasUnreadMention, isUnseen } from "./inbox.ts";

test("what waits for an answer is new to an agent until they have read its last message", () => {
  const waits = { waiting_since: "2026-11-20T09:00:00.000Z", last_message: { sort_number: 4 } };
  expect(isUnseen(waits)).toBe(true);
  expect(isUnseen(waits, 3)).toBe(true);
  expect(isUnseen(waits, 4)).toBe(false);
  expect(isUnseen({ ...waits, waiting_since: null }, 3)).toBe(false);
  expect(isUnseen({ ...waits, last_message: null })).toBe(false);
});

test("a mention is unread until the note that it stands in is read, and only for the one it names", () => {
  const conversation = { mention_numbers: { ada: 5 } };
  expect(hasUnreadMention(conversation, "ada")).toBe(true);
  expect(hasUnreadMention(conversation, "ada", 4)).toBe(true);
  expect(hasUnreadMention(conversation, "ada", 5)).toBe(false);
  expect(hasUnreadMention(conversation, "ben")).toBe(false);
});
