import type { Channel } from "@frontdesk/core/domain/channel";
import { expect, test } from "vitest";
import { type FoundThread, type Thread, type ThreadFacts, threadOf } from "./thread-of.ts";

const facts: ThreadFacts = {
  byToken: undefined,
  byId: undefined,
  dmarcFailed: false,
  isTrusted: true,
  isAutomatic: false,
};
const found = (changes: Partial<FoundThread> = {}): FoundThread => ({
  conversationId: "of Vera",
  channel: "email",
  knowsSender: true,
  isResolved: false,
  isPastReopening: false,
  ...changes,
});
const joins: Thread = { outcome: "join", conversationId: "of Vera", reopens: false };
const joinsMarked: Thread = { outcome: "join-marked", conversationId: "of Vera", reopens: false };
const isLinked: Thread = { outcome: "new-linked", linkedTo: "of Vera" };
const isNew: Thread = { outcome: "new", isMarked: false };
const isMarked: Thread = { outcome: "new", isMarked: true };

type Way = "token" | "id" | "both" | "none";
const ways: Way[] = ["token", "id", "both", "none"];
const truths = [false, true];
const channels: Channel[] = ["email", "website"];

/** The table of the specification, in its words and not in the code's. */
function expected(way: Way, known: boolean, channel: Channel, late: boolean): Thread {
  if (way === "none") return isNew;
  if (late) return isLinked;
  if (known) return joins;
  if (way === "id") return isLinked;
  return channel === "website" ? isLinked : joinsMarked;
}

const table = ways.flatMap((way) =>
  truths.flatMap((known) => channels.flatMap((channel) => truths.map((late) => ({ way, known, channel, late })))),
);

const factsOf = ({ way, known, channel, late }: (typeof table)[number]): ThreadFacts => {
  const thread = found({ knowsSender: known, channel, isPastReopening: late });
  return {
    ...facts,
    byToken: way === "token" || way === "both" ? thread : undefined,
    byId: way === "id" || way === "both" ? thread : undefined,
  };
};

test.each(table)("found by $way, sender known: $known, channel: $channel, past reopening: $late", (row) => {
  expect(threadOf(factsOf(row))).toEqual(expected(row.way, row.known, row.channel, row.late));
});

test.each(table)("a sender who may be forged joins nothing: by $way, $known, $channel, $late", (row) => {
  for (const isTrusted of truths) {
    expect(threadOf({ ...factsOf(row), dmarcFailed: true, isTrusted })).toEqual(isMarked);
  }
  expect(threadOf({ ...factsOf(row), isTrusted: false })).toEqual(isMarked);
});

test("a token comes before an id that leads elsewhere", () => {
  const elsewhere = found({ conversationId: "of Sam" });
  expect(threadOf({ ...facts, byToken: found(), byId: elsewhere })).toEqual(joins);
  expect(threadOf({ ...facts, byToken: found({ knowsSender: false }), byId: elsewhere })).toEqual(joinsMarked);
});

test("what joins a resolved conversation reopens it, unless it is automatic", () => {
  const resolved = found({ isResolved: true });
  expect(threadOf({ ...facts, byToken: resolved })).toEqual({ ...joins, reopens: true });
  expect(threadOf({ ...facts, byId: resolved })).toEqual({ ...joins, reopens: true });
  expect(threadOf({ ...facts, byToken: { ...resolved, knowsSender: false } })).toEqual({
    ...joinsMarked,
    reopens: true,
  });
  expect(threadOf({ ...facts, byToken: resolved, isAutomatic: true })).toEqual(joins);
});
