/** The random steps of a shift at the inbox (shift-for-tests.ts). */
import { inboxOrders, inboxViews } from "@frontdesk/core/domain/inbox";
import fc from "fast-check";
import { deedsOfAi } from "./visit-for-tests.ts";

export const VISITORS = 4;
const TAGS = ["refund", "shipping"];
const tab = fc.integer({ min: 0, max: 1 });
const visitor = fc.integer({ min: 0, max: VISITORS - 1 });
const who = fc.constantFrom("ada" as const, "ben" as const);

/** Lists that a screen may show: every view, and some with filters; tags and agents are given by name. */
const shownLists = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record(
      { view: fc.constantFrom(...inboxViews), order: fc.constantFrom(...inboxOrders) },
      { requiredKeys: ["view"] },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.record({ view: fc.constantFrom("open" as const, "all" as const), unread: fc.constant(true) }),
  },
  { weight: 1, arbitrary: fc.record({ view: fc.constantFrom(...inboxViews), agent: who }) },
);

/** What an agent may do with a visitor's conversation, by the name of the action. */
const agentActions = fc.oneof(
  fc.record({
    action: fc.constantFrom(
      "resolve",
      "reopen",
      "read",
      "unread",
      "unsnooze",
      "take-over",
      "return-to-assistant",
      "block",
      "unblock",
    ),
  }),
  fc.record({ action: fc.constantFrom("assign", "unassign"), agent: who }),
  fc.record({ action: fc.constantFrom("tag", "untag"), tag: fc.constantFrom(...TAGS) }),
  fc.record({ action: fc.constant("snooze"), hours: fc.constantFrom(0, 1) }),
);
export type AgentAction = typeof agentActions extends fc.Arbitrary<infer T> ? T : never;

const tagNames = fc.constantFrom(...TAGS, "returns");
/** A new name, the name of another tag, or null: it is removed. */
const tidied = fc.constantFrom(...TAGS, "returns", null);

/** The steps; those that are more frequent in reality are more likely. */
export const shiftSteps = fc.oneof(
  { weight: 8, arbitrary: fc.record({ step: fc.constant("a visitor writes" as const), visitor }) },
  { weight: 6, arbitrary: fc.record({ step: fc.constant("ben does" as const), visitor, action: agentActions }) },
  { weight: 3, arbitrary: fc.record({ step: fc.constant("ben replies" as const), visitor }) },
  { weight: 3, arbitrary: fc.record({ step: fc.constant("ben sends a file" as const), visitor }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant("files are old" as const) }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant("ben notes" as const), visitor, mentions: who }) },
  { weight: 3, arbitrary: fc.record({ step: fc.constant("ben corrects a name" as const), visitor }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant("an assistant hands over" as const), visitor }) },
  { weight: 9, arbitrary: fc.record({ step: fc.constant("the ai does" as const), visitor, deed: deedsOfAi }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant("a draft comes late" as const) }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant("a tag is tidied" as const), from: tagNames, to: tidied }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant("a contact is erased" as const), visitor }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant("a conversation is erased" as const), visitor }) },
  {
    weight: 4,
    arbitrary: fc.record({
      step: fc.constant("a message is redacted" as const),
      visitor,
      back: fc.integer({ min: 0, max: 3 }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ step: fc.constant("ada does" as const), tab, visitor, action: agentActions }) },
  { weight: 5, arbitrary: fc.record({ step: fc.constant("ada replies" as const), tab, visitor }) },
  { weight: 4, arbitrary: fc.record({ step: fc.constant("ada opens a list" as const), tab, list: shownLists }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant("ada closes a list" as const), tab }) },
  { weight: 3, arbitrary: fc.record({ step: fc.constant("ada opens a conversation" as const), tab, visitor }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant("ada goes on in a list" as const), tab }) },
  { weight: 3, arbitrary: fc.record({ step: fc.constant("a socket breaks" as const) }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant("the network is cut" as const) }) },
  { weight: 3, arbitrary: fc.record({ step: fc.constant("the network is back" as const) }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant("an answer is lost" as const) }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant("a tab is reloaded" as const), tab }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant("all is quiet" as const) }) },
  {
    weight: 8,
    arbitrary: fc.record({ step: fc.constant("a moment passes" as const), ms: fc.integer({ min: 1, max: 60 }) }),
  },
);
export type ShiftStep = typeof shiftSteps extends fc.Arbitrary<infer T> ? T : never;
