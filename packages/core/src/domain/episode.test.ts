import { expect, test } from "vitest";
import { type Episode, type EpisodeEvent, fold, measuredFrom, replierOf, waitingAfter } from "./episode.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const opens = (at = 0): EpisodeEvent => ({ name: "opened", at, by: "visitor", byId: "vera" });
const writes = (at: number): EpisodeEvent => ({ name: "visitor-wrote", at });
const asks = (at: number): EpisodeEvent => ({ name: "handoff-requested", at });
const replies = (at: number, agentId = "ada", openMs: number | null = null): EpisodeEvent => ({
  name: "replied",
  at,
  by: "human",
  agentId,
  openMs,
});
const answers = (at: number): EpisodeEvent => ({ name: "replied", at, by: "assistant", agentId: "ada", openMs: null });
const resolves = (at: number): EpisodeEvent => ({ name: "resolved", at, by: '{"system":{}}', openMs: null });
const snoozes = (at: number): EpisodeEvent => ({ name: "snoozed", at });
const wakes = (at: number): EpisodeEvent => ({ name: "unsnoozed", at });
const rates = (at: number, rating: number): EpisodeEvent => ({ name: "rated", at, rating });

/** The fields of `expected`, of the last episode of a history. */
function last(history: EpisodeEvent[], expected: Partial<Episode>): [Partial<Episode>, Partial<Episode>] {
  const episode = fold(history).at(-1) as Episode;
  return [Object.fromEntries(Object.keys(expected).map((key) => [key, episode[key as keyof Episode]])), expected];
}

/** Histories with what is true of their last episode. */
const histories: [what: string, history: EpisodeEvent[], expected: Partial<Episode>][] = [
  ["nobody has written yet", [opens()], { number: 1, openedAt: 0, openedBy: "visitor", waitingSince: null }],
  ["a visitor waits since the first message", [opens(), writes(1), writes(5)], { waitingSince: 1 }],
  ["a human reply ends the waiting", [opens(), writes(1), replies(5)], { waitingSince: null, replies: 1 }],
  ["so does an assistant's", [opens(), writes(1), answers(5)], { waitingSince: null, assistantReplies: 1, replies: 0 }],
  ["a further message waits anew", [opens(), writes(1), replies(5), writes(9)], { waitingSince: 9 }],
  ["asking for a human waits", [opens(), writes(1), answers(2), asks(3)], { waitingSince: 3 }],
  ["asking while waiting changes nothing", [opens(), writes(1), asks(3)], { waitingSince: 1 }],
  ["resolving ends the waiting", [opens(), writes(1), resolves(3)], { waitingSince: null, resolvedAt: 3 }],
  ["snoozing does not", [opens(), writes(1), snoozes(3), wakes(4)], { waitingSince: 1 }],
  ["the first reply is measured", [opens(), writes(10), replies(25)], { firstReplyAt: 25, firstReplyMs: 15 }],
  [
    "and whose it was",
    [opens(), writes(1), replies(2, "mia"), replies(3)],
    { firstReplyBy: "mia", lastReplyBy: "ada" },
  ],
  ["in open time as it was measured then", [opens(), writes(1), replies(9, "ada", 4)], { firstReplyOpenMs: 4 }],
  [
    "a second reply changes nothing of it",
    [opens(), writes(1), replies(2), writes(3), replies(9)],
    { firstReplyMs: 1 },
  ],
  [
    "after an assistant's answer it is of the waiting that the human ended",
    [opens(), writes(1), answers(2), writes(10), replies(14)],
    { firstReplyAt: 14, firstReplyMs: 4 },
  ],
  ["a reply that nobody waits for is no first reply", [opens(), replies(3)], { firstReplyAt: null, replies: 1 }],
  ["a clock that was set back measures 0", [opens(), writes(10), replies(4)], { firstReplyMs: 0 }],
  ["a resolution is measured from the opening", [opens(5), writes(5), resolves(20)], { resolutionMs: 15 }],
  ["snoozes add up", [opens(), snoozes(2), wakes(5), snoozes(6), wakes(10)], { snoozedMs: 7, snoozedSince: null }],
  ["putting off again goes on with the same", [opens(), snoozes(2), snoozes(4), wakes(9)], { snoozedMs: 7 }],
  ["resolving ends a snooze", [opens(), snoozes(2), resolves(6)], { snoozedMs: 4, snoozedSince: null }],
  ["a reply after the resolution belongs to none", [opens(), writes(1), resolves(2), replies(3)], { replies: 0 }],
  ["a reopening begins the next", [opens(), resolves(2), opens(7)], { number: 2, openedAt: 7, replies: 0 }],
];

test.each(histories)("%s", (_what, history, expected) => {
  const [found, wanted] = last(history, expected);
  expect(found).toEqual(wanted);
});

test("a reopened conversation is measured from its reopening", () => {
  const at = 9 * DAY_MS;
  const [, second] = fold([opens(), writes(0), resolves(1), opens(at), writes(at), replies(at + 10 * MINUTE_MS)]);
  expect(second).toMatchObject({ number: 2, firstReplyMs: 10 * MINUTE_MS });
});

test("a rating is of the episode that was resolved last, and each can have one", () => {
  const rated = fold([opens(), resolves(1), rates(2, 5), opens(3), rates(4, 1), resolves(5), rates(6, 3)]);
  expect(rated.map(({ rating, ratedAt }) => ({ rating, ratedAt }))).toEqual([
    { rating: 1, ratedAt: 4 },
    { rating: 3, ratedAt: 6 },
  ]);
});

test("a log whose beginning was deleted gives the episodes that begin in it", () => {
  expect(fold([writes(1), replies(2), resolves(3), rates(4, 5), opens(5)])).toHaveLength(1);
});

test("open time is measured of a waiting that a human ended, from when it began, and of a resolution, from the opening", () => {
  const waiting = fold([opens(2), writes(3)]);
  expect(measuredFrom(waiting, replies(9))).toBe(3);
  expect(measuredFrom(waiting, resolves(9))).toBe(2);
  expect(measuredFrom(waiting, answers(9))).toBeUndefined();
  expect(measuredFrom(fold([opens(2)]), replies(9))).toBeUndefined();
  expect(measuredFrom(fold([opens(2), writes(3), resolves(4)]), replies(9))).toBeUndefined();
});

test("people answer from the dashboard and by programs; an automatic message is no answer", () => {
  expect(replierOf("dashboard")).toBe("human");
  expect(replierOf("api")).toBe("human");
  expect(replierOf("assistant")).toBe("assistant");
  expect(replierOf("automation")).toBeUndefined();
  expect(replierOf("widget")).toBeUndefined();
});

test("the waiting of an opened conversation begins with a message, not with the opening", () => {
  expect(waitingAfter(null, { name: "opened", at: 5 })).toBeNull();
});
