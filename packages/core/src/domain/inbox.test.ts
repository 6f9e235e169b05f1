import { expect, test } from "vitest";
import { hasUnreadMention, type InboxConversation, inboxViews, isInList, isUnseen } from "./inbox.ts";

test("what waits for an answer is new to an agent until they have read its last message", () => {
  const waits = {
    waiting_since: "2026-11-20T09:00:00.000Z",
    last_message: { sort_number: 4 },
    speaker: "human",
  } as const;
  expect(isUnseen(waits)).toBe(true);
  expect(isUnseen(waits, 3)).toBe(true);
  expect(isUnseen(waits, 4)).toBe(false);
  expect(isUnseen({ ...waits, waiting_since: null }, 3)).toBe(false);
  expect(isUnseen({ ...waits, last_message: null })).toBe(false);
  expect(isUnseen({ ...waits, speaker: "ai" })).toBe(false);
  expect(isUnseen({ ...waits, speaker: "waiting" })).toBe(true);
});

test("a mention is unread until the note that it stands in is read, and only for the one it names", () => {
  const conversation = { mention_numbers: { ada: 5 } };
  expect(hasUnreadMention(conversation, "ada")).toBe(true);
  expect(hasUnreadMention(conversation, "ada", 4)).toBe(true);
  expect(hasUnreadMention(conversation, "ada", 5)).toBe(false);
  expect(hasUnreadMention(conversation, "ben")).toBe(false);
});

test("a conversation that the AI holds is with the AI, and in no list of open ones", () => {
  const held: InboxConversation = {
    ...{ id: "1", widget_id: "w", channel: "website", channel_id: "w", is_resolved: false, is_answered: true },
    ...{ snoozed_until: null, snoozed_until_reply: false, handoff_requested_at: "2026-11-20T09:00:00.000Z" },
    ...{ speaker: "ai", unread_messages: 1, waiting_since: null, assigned_agents: [{ id: "ada" }], tags: [] },
    ...{ mentions: [], active_at: "2026-11-20T09:00:00.000Z" },
  };
  const viewsOf = (conversation: InboxConversation) =>
    inboxViews.filter((view) => isInList(conversation, { view }, "ada"));
  expect(viewsOf(held)).toEqual(["with_ai", "all"]);
  expect(viewsOf({ ...held, is_resolved: true })).toEqual(["resolved", "all"]);
  expect(viewsOf({ ...held, snoozed_until_reply: true })).toEqual(["snoozed", "all"]);
  expect(viewsOf({ ...held, speaker: "waiting" })).toEqual(["open", "answered", "mine", "handoff", "all"]);
});
