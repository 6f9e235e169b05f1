import { expect, test } from "vitest";
import { mayBeRated, replyObstacle, senderOf, statusWords, unreadAfter } from "./conversation.ts";

test("resolved asks for the state resolved; unresolved and open ask for open", () => {
  expect(statusWords).toEqual({ resolved: "resolved", unresolved: "open", open: "open" });
});

test("a visitor's message adds one to the unread ones", () => {
  expect(unreadAfter(0, { from: "visitor", type: "message" })).toBe(1);
  expect(unreadAfter(7, { from: "visitor", type: "message" })).toBe(8);
});

test("a reply sets the unread ones to 0; a note, a reminder and a system line leave them", () => {
  expect(unreadAfter(7, { from: "agent", type: "message" })).toBe(0);
  for (const type of ["note", "reminder", "system"] as const) expect(unreadAfter(7, { from: "agent", type })).toBe(7);
});

test("a conversation may be rated while it is resolved, and after it was reopened", () => {
  expect(mayBeRated({ is_resolved: 0, reopened_at: null })).toBe(false);
  expect(mayBeRated({ is_resolved: 1, reopened_at: null })).toBe(true);
  expect(mayBeRated({ is_resolved: 0, reopened_at: 1 })).toBe(true);
});

test("an agent wrote what has an agent; of the rest the visitor wrote the messages, and the system the other lines", () => {
  for (const type of ["message", "note", "reminder", "system"]) expect(senderOf({ type, agent_id: "a" })).toBe("agent");
  expect(senderOf({ type: "message", agent_id: null })).toBe("visitor");
  for (const type of ["note", "reminder", "system"]) expect(senderOf({ type, agent_id: null })).toBe("system");
});

test("an assistant replies in an open conversation without a handoff, to a visitor who is not blocked", () => {
  const open = { is_resolved: 0, handoff_requested_at: null };
  expect(replyObstacle(open, { blocked_at: null })).toBeUndefined();
  expect(replyObstacle({ ...open, handoff_requested_at: 1 }, { blocked_at: null })).toBe("handed-over");
  expect(replyObstacle({ ...open, is_resolved: 1 }, { blocked_at: null })).toBe("resolved");
  expect(replyObstacle(open, { blocked_at: 1 })).toBe("blocked");
});

test("of several obstacles the one that lasts longest is answered", () => {
  const both = { is_resolved: 1, handoff_requested_at: 1 };
  expect(replyObstacle(both, { blocked_at: null })).toBe("resolved");
  expect(replyObstacle(both, { blocked_at: 1 })).toBe("blocked");
});
