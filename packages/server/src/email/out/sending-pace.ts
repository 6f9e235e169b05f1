/** The span in which an account's mails are counted. */
const PACE_SPAN_MS = 60_000;

/**
 * How many mails of each account leave, and until when it sends none because its server has said that it sends too much. A mail that has
 * to wait gets a turn of its own, so that a thousand that wait are not all tried whenever one may leave. Kept in memory: the outbox has one
 * process send for an account at a time, and after a crash the server says it again.
 */
export interface SendingPace {
  /** Counts a mail that leaves now; otherwise how long it has to wait, ms. */
  take(accountId: string, pace: number, mailId: string): { waits: 0 } | { waits: number; because: "pace" | "quota" };
  pause(accountId: string, ms: number): void;
}

interface Account {
  /** When mails have left, oldest first. */
  left: number[];
  /** The turns, oldest first: of those that have left, and of those that wait. */
  turns: number[];
  /** The turns of those that wait, by mail. */
  waiting: Map<string, number>;
  pausedUntil: number;
}

/** @param steadyNow ms, by a clock that is never set back */
export function createSendingPace(steadyNow: () => number): SendingPace {
  const accounts = new Map<string, Account>();
  return {
    take(accountId, pace, mailId) {
      const now = steadyNow();
      const account = accountOf(accountId);
      if (account.pausedUntil > now) return { waits: account.pausedUntil - now, because: "quota" };
      forgetOld(account, now);
      const turn = account.waiting.get(mailId) ?? nextTurn(account, pace, now);
      // One that is late for its turn leaves as soon as the mails that left meanwhile allow it.
      const leaves = Math.max(turn, afterMinute(account.left, pace));
      if (leaves > now) {
        account.waiting.set(mailId, turn);
        return { waits: leaves - now, because: "pace" };
      }
      account.waiting.delete(mailId);
      account.left.push(now);
      return { waits: 0 };
    },
    pause(accountId, ms) {
      const account = accountOf(accountId);
      account.pausedUntil = Math.max(account.pausedUntil, steadyNow() + ms);
    },
  };

  function accountOf(accountId: string): Account {
    const known = accounts.get(accountId) ?? { left: [], turns: [], waiting: new Map(), pausedUntil: 0 };
    accounts.set(accountId, known);
    return known;
  }
}

/** A free turn. */
function nextTurn({ turns }: Account, pace: number, now: number): number {
  const turn = Math.max(now, afterMinute(turns, pace));
  turns.push(turn);
  return turn;
}

/** When the last `pace` of these times are no longer all within a minute. */
const afterMinute = (times: readonly number[], pace: number): number =>
  (times.at(-pace) ?? Number.NEGATIVE_INFINITY) + PACE_SPAN_MS;

/** Turns that were not taken are of mails that were erased, or of an account that was paused. */
function forgetOld(account: Account, now: number): void {
  const isRecent = (time: number) => time > now - PACE_SPAN_MS;
  account.left = account.left.filter(isRecent);
  account.turns = account.turns.filter(isRecent);
  for (const [mailId, turn] of account.waiting) if (!isRecent(turn)) account.waiting.delete(mailId);
}
