import type { Preferences } from "@frontdesk/core/contract/inbox";
import { expect, test } from "vitest";
import type { NewMessage } from "../inbox/new-messages.ts";
import { shouldNotify } from "./notifications.ts";

const noon = new Date(2026, 4, 1, 12, 0);
const night = new Date(2026, 4, 1, 23, 30);

function notifies(
  news: {
    type?: string;
    from?: string;
    namesMe?: boolean;
    mine?: boolean;
    speaker?: string;
    isHandoff?: boolean;
  },
  preferences: Preferences = {},
  now = noon,
) {
  const { type = "message", from = "visitor", namesMe = false, mine = false, speaker = "human" } = news;
  const conversation = { assigned_agents: mine ? [{ id: "ada" }] : [], speaker };
  return shouldNotify(
    { message: { type, from }, conversation, namesMe, isHandoff: news.isHandoff ?? false } as unknown as NewMessage,
    preferences,
    "ada",
    now,
  );
}

test("a visitor's message causes a notification, a teammate's does not", () => {
  expect(notifies({})).toBe(true);
  expect(notifies({ from: "agent" })).toBe(false);
});

test("an agent who wants notifications of their own conversations only gets no others", () => {
  expect(notifies({}, { notify: "mine" })).toBe(false);
  expect(notifies({ mine: true }, { notify: "mine" })).toBe(true);
  expect(notifies({ mine: true }, { notify: "none" })).toBe(false);
});

test("what the AI answers causes no notification, its handoff does", () => {
  expect(notifies({ speaker: "ai" })).toBe(false);
  expect(notifies({ speaker: "ai", from: "agent" })).toBe(false);
  expect(notifies({ speaker: "waiting" })).toBe(true);
  expect(notifies({ speaker: "waiting", from: "agent", isHandoff: true })).toBe(true);
  expect(notifies({ speaker: "waiting", from: "agent", isHandoff: true }, { notify: "mine" })).toBe(false);
  expect(notifies({ speaker: "ai", type: "note", from: "agent", namesMe: true })).toBe(true);
});

test("a note notifies the agents it mentions, unless they do not want it", () => {
  expect(notifies({ type: "note", from: "agent", namesMe: true }, { notify: "none" })).toBe(true);
  expect(notifies({ type: "note", from: "agent" })).toBe(false);
  expect(notifies({ type: "note", from: "agent", namesMe: true }, { notify_mentions: false })).toBe(false);
});

test("in quiet hours there are no notifications, also when they span midnight", () => {
  const quiet = { quiet_from: "22:00", quiet_to: "07:00" };
  expect(notifies({}, quiet, night)).toBe(false);
  expect(notifies({}, quiet, noon)).toBe(true);
});
