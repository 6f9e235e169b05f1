import type { Storage } from "../storage/database.ts";
import type { Statement } from "../storage/statement.ts";

/** `last_used_at` is for people; it is written at most this often for a key. */
const LAST_USED_STEP_MS = 60_000;

/** What was read of a key, a connection or a session, as it is cached in memory. */
export interface Used {
  actor: { teamId: string };
  /** When its use was last noted, as far as this process knows. */
  notedAt: number;
}

type MarkUsed = Statement<{ team_id: string; id: string; last_used_at: number }, unknown>;

/**
 * Notes the use of a key, a connection or a session in the background: the request does not wait, and a failure loses only a
 * date.
 */
export type NoteUse = (used: Used, id: string, mark: MarkUsed) => void;

export function noteUse(storage: Storage, now: () => number, onFailure: (error: unknown) => void): NoteUse {
  return (used, id, mark) => {
    const moment = now();
    if (moment - used.notedAt < LAST_USED_STEP_MS) return;
    used.notedAt = moment;
    const { teamId } = used.actor;
    storage.write(teamId, (db) => db.run(mark, { team_id: teamId, id, last_used_at: moment })).catch(onFailure);
  };
}
