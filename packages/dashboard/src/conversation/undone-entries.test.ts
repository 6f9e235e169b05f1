import type { TimelineEntry, TimelineEntryName } from "@frontdesk/core/contract/live";
import { expect, test } from "vitest";
import { withoutUndone } from "./undone-entries.ts";

const ADA = { kind: "agent", id: "ada", name: "Ada" } as const;
const SAM = { kind: "agent", id: "sam", name: "Sam" } as const;
const VERA = { kind: "visitor", id: "vera", name: "Vera" } as const;

let last = 0;
/** @param second after 10:00 */
const entry = (
  second: number,
  name: TimelineEntryName,
  by: TimelineEntry["by"] = ADA,
  values: TimelineEntry["values"] = {},
): TimelineEntry => ({
  number: ++last,
  conversation_id: "conversation",
  name,
  at: new Date(Date.UTC(2026, 10, 16, 10, 0, second)).toISOString(),
  by,
  values,
});

const shown = (...timeline: TimelineEntry[]) => withoutUndone(timeline).map(({ name }) => name);

test.each([
  ["conversation.resolved", "conversation.reopened", {}],
  ["conversation.reopened", "conversation.resolved", {}],
  ["conversation.snoozed", "conversation.unsnoozed", {}],
  ["agent.assigned", "agent.unassigned", { agent_id: "sam" }],
  ["agent.unassigned", "agent.assigned", { agent_id: "sam" }],
  ["tag.assigned", "tag.removed", { tag: "Shipping" }],
  ["tag.removed", "tag.assigned", { tag: "Shipping" }],
] as const)("%s and its undo are not shown", (name, undo, values) => {
  const other = entry(1, "handoff.requested", null);
  expect(shown(entry(0, name, ADA, values), other, entry(5, undo, ADA, values))).toEqual(["handoff.requested"]);
});

test("a change that was done again after its undo is shown once", () => {
  expect(
    shown(
      entry(0, "conversation.resolved"),
      entry(3, "conversation.reopened"),
      entry(6, "conversation.resolved"),
      entry(60, "conversation.reopened"),
    ),
  ).toEqual(["conversation.resolved", "conversation.reopened"]);
});

test("what was reverted later, by another person or for another tag or teammate stays", () => {
  const resolved = "conversation.resolved";
  const reopened = "conversation.reopened";
  expect(shown(entry(0, resolved), entry(11, reopened))).toEqual([resolved, reopened]);
  expect(shown(entry(0, resolved), entry(5, reopened, SAM))).toEqual([resolved, reopened]);
  expect(shown(entry(0, resolved), entry(5, reopened, VERA))).toEqual([resolved, reopened]);
  expect(shown(entry(0, resolved, null), entry(5, reopened, null))).toEqual([resolved, reopened]);
  expect(
    shown(entry(0, "tag.assigned", ADA, { tag: "Shipping" }), entry(5, "tag.removed", ADA, { tag: "Refund" })),
  ).toHaveLength(2);
  expect(
    shown(entry(0, "agent.assigned", ADA, { agent_id: "sam" }), entry(5, "agent.unassigned", ADA, { agent_id: "ada" })),
  ).toHaveLength(2);
});

test("only the latest change is undone", () => {
  expect(
    shown(
      entry(0, "conversation.resolved"),
      entry(2, "conversation.reopened", VERA),
      entry(4, "conversation.resolved", SAM),
      entry(6, "conversation.reopened"),
    ),
  ).toHaveLength(4);
});

test("an undone snooze that had replaced another stays: both have ended", () => {
  expect(
    shown(entry(0, "conversation.snoozed"), entry(30, "conversation.snoozed"), entry(33, "conversation.unsnoozed")),
  ).toHaveLength(3);
});
