import type { Timeouts } from "../timeouts.ts";

export interface HeldLease {
  /** Aborted when the lease is lost. */
  signal: AbortSignal;
  /** Renews it no more. */
  end(): void;
}

/** The lease is renewed three times before it would run out. */
const RENEWALS_A_LEASE = 3;

/**
 * Renews the lease of a job while its handler runs.
 *
 * ```
 *      .--- a third of the lease: renewed, or the storage is away ---.
 *      v                                                             |
 *    held -----------------------------------------------------------+--> ended (the handler has come to its end)
 *                                                                    |
 *                                                                    '--> lost: another process has claimed the job, or
 *                                                                         the time ran out before a renewal went through
 * ```
 *
 * @param leaseUntil by `steadyNow`, as are all times here
 * @param renew answers whether the job was still ours
 */
export function holdLease({
  leaseMs,
  leaseUntil,
  renew,
  steadyNow,
  timeouts,
}: {
  leaseMs: number;
  leaseUntil: number;
  renew(leaseUntil: number): Promise<boolean>;
  steadyNow(): number;
  timeouts: Timeouts;
}): HeldLease {
  const lost = new AbortController();
  let until = leaseUntil;
  let ended = false;
  let cancel = renewLater();
  return {
    signal: lost.signal,
    end() {
      ended = true;
      cancel();
    },
  };

  function renewLater(): () => void {
    return timeouts.after(leaseMs / RENEWALS_A_LEASE, () => void renewNow());
  }

  async function renewNow(): Promise<void> {
    const next = steadyNow() + leaseMs;
    const renewed = await renew(next).catch(() => undefined);
    if (ended) return;
    if (renewed) until = next;
    if (renewed === false || steadyNow() >= until) lost.abort(new Error("The lease of the job was lost."));
    else cancel = renewLater();
  }
}
