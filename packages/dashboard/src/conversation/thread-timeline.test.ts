import type { LiveMessage, TimelineEntry } from "@frontdesk/core/contract/live";
import { expect, test } from "vitest";
import { threadItems, withWaiting } from "./thread-items.ts";
import { withTimeline } from "./thread-timeline.ts";

let last = 0;
const message = (at: string, more: Partial<LiveMessage> = {}) =>
  ({
    id: `message ${++last}`,
    sort_number: last,
    type: "message",
    from: "visitor",
    agent: null,
    sent_via: "widget",
    created_at: at,
    ...more,
  }) as LiveMessage;
const entry = (number: number, at: string, more: Partial<TimelineEntry> = {}): TimelineEntry => ({
  number,
  conversation_id: "conversation",
  name: "conversation.resolved",
  at,
  by: { kind: "agent", id: "ada", name: "Ada" },
  values: {},
  ...more,
});

function shown(messages: LiveMessage[], timeline: TimelineEntry[], hasBefore = false) {
  return withTimeline(threadItems(messages, undefined), timeline, hasBefore).map((item) => {
    if (item.kind === "message") return `${item.first ? "[" : ""}${item.message.id}${item.last ? "]" : ""}`;
    return item.kind === "entry" ? item.entry.name : item.kind;
  });
}

const MONDAY = "2026-11-16T10:0";

test("timeline entries are between the messages by their time, and end a group of them", () => {
  const messages = [message(`${MONDAY}0:00.000Z`), message(`${MONDAY}1:00.000Z`), message(`${MONDAY}2:00.000Z`)];
  const [one, two, three] = messages.map(({ id }) => id);
  expect(shown(messages, [])).toEqual(["day", `[${one}`, two, `${three}]`]);
  expect(shown(messages, [entry(1, `${MONDAY}1:30.000Z`)])).toEqual([
    "day",
    `[${one}`,
    `${two}]`,
    "conversation.resolved",
    `[${three}]`,
  ]);
});

test("what was done with a message in one moment follows it", () => {
  const at = `${MONDAY}0:00.000Z`;
  const reply = message(at);
  expect(shown([reply], [entry(1, at)])).toEqual(["day", `[${reply.id}]`, "conversation.resolved"]);
});

test("a day on which nothing was written has its line, and a day has one line", () => {
  const [before, after] = [message("2026-11-16T10:00:00.000Z"), message("2026-11-18T12:00:00.000Z")];
  const entries = [entry(1, "2026-11-17T10:00:00.000Z"), entry(2, "2026-11-18T10:00:00.000Z")];
  expect(shown([before, after], entries)).toEqual([
    "day",
    `[${before.id}]`,
    "day",
    "conversation.resolved",
    "day",
    "conversation.resolved",
    `[${after.id}]`,
  ]);
});

test("what was done before the messages that are here waits for those, and what has no message yet is shown", () => {
  const messages = [message(`${MONDAY}5:00.000Z`)];
  const early = entry(1, `${MONDAY}0:00.000Z`);
  expect(shown(messages, [early], true)).toEqual(["day", `[${messages[0]?.id}]`]);
  expect(shown(messages, [early])).toEqual(["day", "conversation.resolved", `[${messages[0]?.id}]`]);
  expect(shown([], [early])).toEqual(["day", "conversation.resolved"]);
});

test("resolving ends a handoff in one line, and a line that comes as data is not shown twice", () => {
  const at = `${MONDAY}1:00.000Z`;
  const line = message(at, { type: "system" });
  const entries = [
    entry(1, at, { name: "visitor.recognised", by: null, values: { who: "Vera", id: "7", message_id: line.id } }),
    entry(2, `${MONDAY}2:00.000Z`),
    entry(3, `${MONDAY}2:00.000Z`, { name: "handoff.ended" }),
  ];
  expect(shown([line], entries)).toEqual(["day", "visitor.recognised", "conversation.resolved"]);
});

test("a return to the AI, which ends a handoff, is one line", () => {
  const at = `${MONDAY}2:00.000Z`;
  const back = entry(3, at, { name: "speaker.changed", values: { speaker: "ai" } });
  expect(shown([], [entry(2, at, { name: "handoff.ended" }), back])).toEqual(["day", "speaker.changed"]);
  // To an assistant of another program.
  expect(shown([], [entry(2, at, { name: "handoff.ended" })])).toEqual(["day", "handoff.ended"]);
});

test("an undone change has no line, and does not end a group of messages", () => {
  const messages = [message(`${MONDAY}0:00.000Z`), message(`${MONDAY}1:00.000Z`)];
  const [one, two] = messages.map(({ id }) => id);
  const undone = [entry(1, `${MONDAY}0:30.000Z`), entry(2, `${MONDAY}0:34.000Z`, { name: "conversation.reopened" })];
  expect(shown(messages, undone)).toEqual(["day", `[${one}`, `${two}]`]);
});

test("messages on their way are at the end", () => {
  const waiting = {
    client_id: "w",
    type: "message",
    content: "Hi",
    attachments: [],
    problem: null,
    overtaken: false,
  } as const;
  const items = withTimeline(threadItems([], undefined), [entry(1, `${MONDAY}0:00.000Z`)], false);
  expect(withWaiting(items, [waiting]).map(({ kind }) => kind)).toEqual(["day", "entry", "waiting"]);
});
