/** The span in which an account's mails are counted. */
const PACE_SPAN_MS = 60_000;

/**
 * How many mails of each account leave, and until when it sends none because its server has said that it sends too much. Kept in
 * memory: the outbox has one process send for an account at a time, and after a crash the server says it again.
 */
export interface SendingPace {
  /** Counts a mail that leaves now; otherwise how long it has to wait, ms. */
  take(accountId: string, pace: number): { waits: 0 } | { waits: number; because: "pace" | "quota" };
  pause(accountId: string, ms: number): void;
}

/** @param steadyNow ms, by a clock that is never set back */
export function createSendingPace(steadyNow: () => number): SendingPace {
  const accounts = new Map<string, { left: number[]; pausedUntil: number }>();
  return {
    take(accountId, pace) {
      const now = steadyNow();
      const account = accountOf(accountId);
      if (account.pausedUntil > now) return { waits: account.pausedUntil - now, because: "quota" };
      account.left = account.left.filter((at) => at > now - PACE_SPAN_MS);
      const oldest = account.left.at(-pace);
      if (oldest !== undefined) return { waits: oldest + PACE_SPAN_MS - now, because: "pace" };
      account.left.push(now);
      return { waits: 0 };
    },
    pause(accountId, ms) {
      const account = accountOf(accountId);
      account.pausedUntil = Math.max(account.pausedUntil, steadyNow() + ms);
    },
  };

  function accountOf(accountId: string) {
    const known = accounts.get(accountId) ?? { left: [], pausedUntil: 0 };
    accounts.set(accountId, known);
    return known;
  }
}
