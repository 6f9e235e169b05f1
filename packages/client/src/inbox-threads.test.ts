/** Missing messages of a thread are fetched, also when an answer is lost or refused. The service's answers are scripted. */
import type { InboxThread } from "@frontdesk/core/contract/inbox";
import type { LiveMessage } from "@frontdesk/core/contract/live";
import { expect, test } from "vitest";
import type { AskInbox } from "./agent-requests.ts";
import { applyTeamEvent } from "./apply-team-event.ts";
import { wallClock } from "./clock.ts";
import type { InboxContext } from "./inbox-context.ts";
import { emptyInbox, type InboxState, withEmptyThread, withMessage, withThreadPage } from "./inbox-state.ts";
import { createInboxStore } from "./inbox-store.ts";
import { inboxThreads } from "./inbox-threads.ts";

const EPOCH = "epoch";
const message = (sort_number: number) => ({ id: `m${sort_number}`, conversation_id: "c", sort_number }) as LiveMessage;
const page = (numbers: number[], has_after = false): InboxThread => ({
  messages: numbers.map(message),
  has_before: false,
  has_after,
  number: 1,
  epoch: EPOCH,
});
const NO_ANSWER = { ok: false, status: 0, body: {}, retryAfterMs: 0 };

/** A thread that has the messages 1 and 5, and a service with these answers to requests for messages. */
function withGap(answers: object[]) {
  const store = createInboxStore({ me: "ada", waiting: () => [], drafted: () => [], returned: () => [] });
  const opened = withThreadPage(withEmptyThread(store.inbox, "c"), "c", page([1]), "newest");
  store.inbox = withMessage(opened, message(5));
  const later: (() => unknown)[] = [];
  const context: InboxContext = {
    store,
    ask: (async () => answers.shift()) as unknown as AskInbox,
    clock: wallClock,
    position: () => ({ epoch: EPOCH, number: 1 }),
    isOpen: () => true,
    retryLater: (act) => later.push(act),
    dropUnlisted() {},
  };
  const threads = inboxThreads(context, { startViewing() {}, stopViewing() {} });
  return {
    answers,
    later,
    fill: () => threads.fillGaps("c"),
    shown: () => store.inbox.threads.get("c")?.messages.map(({ sort_number }) => sort_number),
    gap: () => store.inbox.threads.get("c")?.missingAfter,
  };
}

test("missing messages are asked for again when the answer was lost", async () => {
  const { fill, later, shown, gap } = withGap([NO_ANSWER, { ok: true, body: page([2, 3, 4]) }]);
  await fill();
  expect([shown(), gap(), later.length]).toEqual([[1, 5], 1, 1]);
  await later[0]?.();
  expect([shown(), gap(), later.length]).toEqual([[1, 2, 3, 4, 5], null, 1]);
});

test("more than a page of missing messages is fetched page by page", async () => {
  const { fill, shown, gap } = withGap([
    { ok: true, body: page([2, 3], true) },
    { ok: true, body: page([4]) },
  ]);
  await fill();
  expect([shown(), gap()]).toEqual([[1, 2, 3, 4, 5], null]);
});

test("what is refused, or brings nothing, is not asked for again and again", async () => {
  const refused = withGap([{ ...NO_ANSWER, status: 404 }]);
  await refused.fill();
  expect(refused.later).toEqual([]);
  const empty = withGap([
    { ok: true, body: page([]) },
    { ok: true, body: page([]) },
  ]);
  await empty.fill();
  expect(empty.answers).toHaveLength(1);
});

test("an answer on its way takes nothing back of how far a message has got", () => {
  const delivered = (state: string, sort_number = 1) =>
    ({ ...message(sort_number), delivery: { state, at: "2026-11-20T09:00:00.000Z" } }) as LiveMessage;
  const stateOf = (inbox: InboxState) => inbox.threads.get("c")?.messages[0]?.delivery?.state;
  const older = { ...page([]), messages: [delivered("queued")], number: 7 };
  const opened = withThreadPage(withEmptyThread(emptyInbox("ada"), "c"), "c", older, "newest");
  const event = {
    type: "event",
    number: 8,
    name: "message.delivery-changed",
    at: "",
    message: delivered("sent"),
  } as const;
  const sent = applyTeamEvent(opened, event) as InboxState;
  expect(stateOf(sent)).toBe("sent");
  expect(stateOf(withThreadPage(sent, "c", older, "newest"))).toBe("sent");
  expect(stateOf(withMessage(sent, delivered("queued")))).toBe("sent");
  // One that was read after the event knows more.
  const newer = { ...older, messages: [delivered("failed")], number: 9 };
  expect(stateOf(withThreadPage(sent, "c", newer, "newest"))).toBe("failed");
  // A message that is not loaded stays so: nothing is missing before it.
  const other = applyTeamEvent(sent, { ...event, number: 10, message: delivered("failed", 40) }) as InboxState;
  expect(other.threads.get("c")).toMatchObject({ messages: [{ sort_number: 1 }], missingAfter: null });
});
