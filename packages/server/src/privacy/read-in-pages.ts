/** Rows about others are read in pieces, outside of any write, since there may be many. */
import type { Storage } from "../storage/database.ts";
import { teamCounters } from "../teams/team-store.ts";

/** Numbers of the log in one read, of which few are read. */
const EVENTS_AT_ONCE = 10_000;
const FIRST_ID = "00000000-0000-0000-0000-000000000000";

/** Reads page after page of at most `limit` rows in the order of their ids, until one is not full. */
export async function eachPage(
  { limit, signal }: { limit: number; signal: AbortSignal | undefined },
  pageAfter: (after: string) => Promise<readonly { id: string }[]>,
): Promise<void> {
  let after = FIRST_ID;
  for (let isMore = true; isMore; ) {
    signal?.throwIfAborted();
    const page = await pageAfter(after);
    after = page.at(-1)?.id ?? after;
    isMore = page.length === limit;
  }
}

/** Part after part of the team's log, as it is now. */
export async function eachPartOfLog(
  storage: Storage,
  { team_id, signal }: { team_id: string; signal: AbortSignal | undefined },
  read: (part: { team_id: string; after: number; up_to: number }) => Promise<void>,
): Promise<void> {
  const last = (await storage.first(teamCounters, { team_id }))?.event_number ?? 0;
  for (let after = 0; after < last; after += EVENTS_AT_ONCE) {
    signal?.throwIfAborted();
    await read({ team_id, after, up_to: after + EVENTS_AT_ONCE });
  }
}
