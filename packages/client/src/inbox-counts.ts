/**
 * The counts beside the views. They follow events, but are fetched at most once per second:
 *
 *   quiet --countSoon()--> waiting --1 s--> asking --answered--> quiet
 *                             ^              |
 *                             '--no answer---'
 *
 * countSoon() while it waits adds nothing.
 */
import type { InboxCounts } from "@frontdesk/core/contract/inbox";
import { retryWaitMs } from "./clock.ts";
import type { InboxContext } from "./inbox-context.ts";
import { isRefusal } from "./visitor-requests.ts";

const COUNT_AFTER_MS = 1_000;

export interface InboxCounter {
  /** Counts soon, once for all events until then. */
  countSoon(): void;
  /** Shows these counts. */
  isCounted(counts: InboxCounts): void;
  stop(): void;
}

export function inboxCounter({ store, ask, clock, isOpen }: InboxContext): InboxCounter {
  /** The number of the log that the shown counts are as of. */
  let countedAt = 0;
  let cancel: (() => void) | undefined;

  return {
    countSoon: () => countAfter(COUNT_AFTER_MS),
    isCounted({ number }) {
      countedAt = number;
    },
    stop() {
      cancel?.();
      cancel = undefined;
    },
  };

  function countAfter(ms: number): void {
    cancel ??= clock.after(ms, () => {
      cancel = undefined;
      void count();
    });
  }

  async function count(): Promise<void> {
    const answer = await ask("getCounts", {});
    if (!isOpen()) return;
    if (!answer.ok) {
      if (!isRefusal(answer.status)) countAfter(retryWaitMs(1, clock.random));
      return;
    }
    if (answer.body.number < countedAt) return;
    countedAt = answer.body.number;
    store.inbox = { ...store.inbox, counts: answer.body.views };
    store.changed();
  }
}
