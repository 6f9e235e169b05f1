import type { LiveConversation } from "@frontdesk/core/contract/live";
import { expect, test } from "vitest";
import { lastLine } from "./last-line.ts";

const visitor = { type: "message", from: "visitor", content: "Do you ship to Portugal?" };
const handoff = { type: "message", from: "agent", content: "I’ve passed this on to our team." };
const note = { type: "note", from: "agent", content: "Vera asks about Portugal." };
const line = (last_message: unknown, open_question: unknown = null) =>
  lastLine({ last_message, open_question } as LiveConversation);

test("a list shows the newest message, and the question instead of the words of a handoff", () => {
  expect(line(null)).toBeUndefined();
  expect(line(handoff)).toBe(handoff.content);
  expect(line(handoff, visitor)).toBe(visitor.content);
  // What the team writes to itself, and what the visitor writes after it, is news.
  expect(line(note, visitor)).toBe(note.content);
  expect(line({ ...visitor, content: "And to Madeira?" }, visitor)).toBe("And to Madeira?");
});
