import { timelineEntryNames } from "@frontdesk/core/contract/live";
import { everyFact } from "@frontdesk/testing/event-facts";
import { expect, test } from "vitest";
import { presentEvent } from "../events/present-event.ts";
import { timelineEntryOf } from "./timeline.ts";

/** The entries of every event, each with its payload as the log has it. */
const entries = everyFact.flatMap((facts, index) => {
  const stored = { number: index + 1, name: facts.name, conversation_id: "0198-conversation", occurred_at: 0 };
  const entry = timelineEntryOf({
    ...stored,
    actor: JSON.stringify({ kind: "agent", id: "0198-ada" }),
    data: JSON.stringify(presentEvent(facts)),
  });
  return entry ? [{ name: entry.name, by: entry.by, values: entry.values }] : [];
});

const ada = { kind: "agent", id: "0198-ada", name: "Ada" };
const rule = { kind: "automation", id: "0198-automation", name: "Tag by topic" };
const vera = { kind: "visitor", id: "0198-vera", name: null };

test("an entry names who did it, whatever the payload calls them, and what the sentence of its name needs", () => {
  expect(entries).toEqual([
    {
      name: "visitor.recognised",
      by: null,
      values: { who: "Vera", message_id: "0198-message" },
    },
    { name: "conversation.resolved", by: ada, values: {} },
    { name: "conversation.resolved", by: rule, values: {} },
    { name: "conversation.reopened", by: vera, values: {} },
    { name: "conversation.reopened", by: ada, values: {} },
    { name: "conversation.reopened", by: null, values: {} },
    { name: "conversation.snoozed", by: ada, values: { until: "2026-11-20T10:00:00.000Z" } },
    { name: "conversation.snoozed", by: rule, values: {} },
    { name: "conversation.unsnoozed", by: null, values: {} },
    { name: "conversation.unsnoozed", by: vera, values: {} },
    { name: "handoff.requested", by: rule, values: {} },
    { name: "handoff.requested", by: vera, values: { reason: "asked-for-human" } },
    { name: "speaker.changed", by: { ...ada, name: null }, values: { speaker: "human" } },
    { name: "handoff.ended", by: ada, values: {} },
    { name: "agent.assigned", by: ada, values: { agent_id: "0198-ada", agent: "Ada" } },
    { name: "agent.assigned", by: null, values: { agent_id: "0198-grace", agent: "grace@acme.example" } },
    { name: "agent.unassigned", by: rule, values: { agent_id: "0198-grace", agent: "grace@acme.example" } },
    { name: "tag.assigned", by: ada, values: { tag: "Shipping" } },
    { name: "tag.removed", by: null, values: { tag: "Shipping" } },
  ]);
  expect(new Set(entries.map(({ name }) => name))).toEqual(new Set(timelineEntryNames));
});

test("a system line from before its words were stored as data is no entry", () => {
  const line = { number: 1, name: "system-line.added", conversation_id: "c", occurred_at: 0, actor: "{}", data: "{}" };
  expect(timelineEntryOf(line)).toBeUndefined();
});
