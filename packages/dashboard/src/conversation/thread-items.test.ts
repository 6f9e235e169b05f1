import type { LiveMessage } from "@frontdesk/core/contract/live";
import { expect, test } from "vitest";
import { threadItems, withWaiting } from "./thread-items.ts";

/** Vera's or Ada's message, minutes after noon. */
function message(
  sort_number: number,
  from: "visitor" | "agent",
  minutes: number,
  more: Partial<LiveMessage> = {},
): LiveMessage {
  const agent = from === "agent" ? { id: "ada", name: "Ada", photo_url: null } : null;
  const created_at = new Date(2026, 4, 1, 12, minutes).toISOString();
  const rest = { conversation_id: "c", content: "", attachments: [], client_id: null, mentions: [] };
  return {
    ...rest,
    id: `m${sort_number}`,
    sort_number,
    from,
    agent,
    created_at,
    type: "message",
    sent_via: "widget",
    ...more,
  };
}

const shape = (items: ReturnType<typeof threadItems>) =>
  items.map((item) =>
    item.kind === "message" ? `${item.message.id}${item.first ? " first" : ""}${item.last ? " last" : ""}` : item.kind,
  );

test("messages of one sender that follow each other closely are a group, with their time at its end", () => {
  const messages = [
    message(1, "visitor", 0),
    message(2, "visitor", 1),
    message(3, "agent", 2),
    message(4, "visitor", 9),
  ];
  expect(shape(threadItems(messages, undefined))).toEqual([
    "day",
    "m1 first",
    "m2 last",
    "m3 first last",
    "m4 first last",
  ]);
});

test("a message much later, or a note, begins its own group", () => {
  const messages = [message(1, "agent", 0), message(2, "agent", 6), message(3, "agent", 6, { type: "note" })];
  expect(shape(threadItems(messages, undefined))).toEqual(["day", "m1 first last", "m2 first last", "m3 first last"]);
});

test("each day has its line, and the new messages of the visitor begin with one", () => {
  const messages = [
    message(1, "visitor", 0),
    message(2, "agent", 1),
    message(3, "visitor", 60 * 24),
    message(4, "visitor", 60 * 24 + 1),
  ];
  expect(shape(threadItems(messages, 1))).toEqual([
    "day",
    "m1 first last",
    "m2 first last",
    "day",
    "new",
    "m3 first",
    "m4 last",
  ]);
});

test("a message keeps its place on the screen when it has been sent", () => {
  const waiting = {
    client_id: "x",
    type: "message" as const,
    content: "Hi",
    attachments: [],
    problem: null,
    overtaken: false,
  };
  const before = withWaiting([], [waiting]).at(-1);
  const after = threadItems([message(1, "agent", 0, { client_id: "x" })], undefined).at(-1);
  expect(before?.key).toBe("x");
  expect(after?.key).toBe("x");
});
