/** Missing messages of a thread are fetched, also when an answer is lost or refused. The service's answers are scripted. */
import type { InboxThread } from "@frontdesk/core/contract/inbox";
import type { LiveMessage } from "@frontdesk/core/contract/live";
import { expect, test } from "vitest";
import type { AskInbox } from "./agent-requests.ts";
import { wallClock } from "./clock.ts";
import type { InboxContext } from "./inbox-context.ts";
import { withEmptyThread, withMessage, withThreadPage } from "./inbox-state.ts";
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
