/** The spans in which an account's mails are counted. */
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** How long what is known of a day counts: another process may have sent meanwhile. */
const KNOWN_MS = MINUTE_MS;

/** The most mails that an account sends. */
export interface SendingLimits {
  minute: number;
  /** In any 24 hours. */
  day: number;
}

/**
 * How many mails of each account leave, and until when it sends none because its server has said that it sends too much. A mail that has
 * to wait gets a turn of its own, so that a thousand that wait are not all tried whenever one may leave. Kept in memory: the outbox has one
 * process send for an account at a time. What was sent in a day is read from the storage, so that a restart does not forget it; what is
 * being sent by then is not counted.
 */
export interface SendingPace {
  /** Counts a mail that leaves now; otherwise how long it has to wait, ms. */
  take(
    accountId: string,
    limits: SendingLimits,
    mailId: string,
  ): { waits: 0 } | { waits: number; because: "pace" | "daily-limit" | "quota" };
  /** Whether it has to be read what the account has sent in the last 24 hours. */
  mustKnow(accountId: string): boolean;
  /** @param times when the account has sent mails in the last 24 hours, by the steady clock */
  know(accountId: string, times: readonly number[]): void;
  pause(accountId: string, ms: number): void;
}

interface Account {
  /** When mails have left in the last minute, oldest first. */
  left: number[];
  /** The same of a day. */
  day: number[];
  /** The turns, oldest first: of those that have left, and of those that wait. */
  turns: number[];
  /** The turns of those that wait, by mail. */
  waiting: Map<string, Turn>;
  limits: SendingLimits | undefined;
  knownAt: number;
  pausedUntil: number;
}

interface Turn {
  at: number;
  because: "pace" | "daily-limit";
}

/** @param steadyNow ms, by a clock that is never set back */
export function createSendingPace(steadyNow: () => number): SendingPace {
  const accounts = new Map<string, Account>();
  return {
    take(accountId, limits, mailId) {
      const now = steadyNow();
      const account = accountOf(accountId);
      if (account.pausedUntil > now) return { waits: account.pausedUntil - now, because: "quota" };
      forgetOld(account, now);
      followLimits(account, limits);
      const turn = account.waiting.get(mailId) ?? nextTurn(account, limits, now);
      const ofDay = after(account.day, limits.day, DAY_MS);
      // One that is late for its turn leaves as soon as the mails that left meanwhile allow it.
      const leaves = Math.max(turn.at, after(account.left, limits.minute, MINUTE_MS), ofDay);
      if (leaves > now) {
        account.waiting.set(mailId, turn);
        return { waits: leaves - now, because: ofDay > now ? "daily-limit" : turn.because };
      }
      account.waiting.delete(mailId);
      account.left.push(now);
      account.day.push(now);
      return { waits: 0 };
    },
    mustKnow: (accountId) => steadyNow() >= accountOf(accountId).knownAt + KNOWN_MS,
    know(accountId, times) {
      const account = accountOf(accountId);
      // What this process has sent is in both.
      const [first = Number.POSITIVE_INFINITY] = account.left;
      account.day = [...times.filter((time) => time < first).toSorted((one, other) => one - other), ...account.left];
      account.knownAt = steadyNow();
    },
    pause(accountId, ms) {
      const account = accountOf(accountId);
      account.pausedUntil = Math.max(account.pausedUntil, steadyNow() + ms);
    },
  };

  function accountOf(accountId: string): Account {
    const known = accounts.get(accountId) ?? {
      ...{ left: [], day: [], turns: [], waiting: new Map(), limits: undefined },
      ...{ knownAt: Number.NEGATIVE_INFINITY, pausedUntil: 0 },
    };
    accounts.set(accountId, known);
    return known;
  }
}

/** An admin has changed them: all that waits gets new turns. */
function followLimits(account: Account, limits: SendingLimits): void {
  const { limits: before } = account;
  if (before && before.minute === limits.minute && before.day === limits.day) return;
  account.limits = limits;
  account.waiting.clear();
  account.turns = [...account.left];
}

/** A free turn. */
function nextTurn({ turns, day, waiting }: Account, limits: SendingLimits, now: number): Turn {
  const ofMinute = after(turns, limits.minute, MINUTE_MS);
  const isFull = day.length + waiting.size >= limits.day;
  const ofDay = isFull ? after([...day, ...[...waiting.values()].map(({ at }) => at)], limits.day, DAY_MS) : 0;
  const turn: Turn = { at: Math.max(now, ofMinute, ofDay), because: ofDay > now ? "daily-limit" : "pace" };
  turns.push(turn.at);
  return turn;
}

/** When the last `count` of these times are no longer all within the span. */
const after = (times: readonly number[], count: number, span: number): number =>
  (times.at(-count) ?? Number.NEGATIVE_INFINITY) + span;

/** Turns that were not taken are of mails that were erased, or of an account that was paused. */
function forgetOld(account: Account, now: number): void {
  const isRecent = (time: number) => time > now - MINUTE_MS;
  account.left = account.left.filter(isRecent);
  account.turns = account.turns.filter(isRecent);
  account.day = account.day.filter((time) => time > now - DAY_MS);
  for (const [mailId, { at }] of account.waiting) if (!isRecent(at)) account.waiting.delete(mailId);
}
