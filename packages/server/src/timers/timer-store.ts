import { sql } from "kysely";
import type { Context } from "../context.ts";
import { statement, wholeRow } from "../storage/statement.ts";
import type { TimerRow } from "../storage/tables.ts";
import type { TimerKind, TimerRequest } from "./timer.ts";

type Key = Pick<TimerRow, "team_id" | "kind" | "subject_id">;

/** Sets or moves a timer in the transaction of `ctx`. */
export function storeTimer(ctx: Context, { kind, subjectId, dueAt, data, unlessSet }: TimerRequest): void {
  ctx.write(unlessSet ? setTimerUnlessSet : setTimer, {
    team_id: ctx.teamId,
    kind,
    subject_id: subjectId,
    due_at: dueAt,
    armed_for: dueAt,
    data: data === undefined || data === null ? null : JSON.stringify(data),
    attempts: 0,
    last_error: null,
    failed_at: null,
  });
}

/** Ends a timer, if it is set, in the transaction of `ctx`. */
export function dropTimer(ctx: Context, kind: TimerKind, subjectId: string): void {
  ctx.write(deleteTimer, { team_id: ctx.teamId, kind, subject_id: subjectId });
}

const KEY = ["team_id", "kind", "subject_id"] as const;
const WHAT_IS_SET = ["due_at", "armed_for", "data", "attempts", "last_error", "failed_at"] as const;

const setTimer = statement<TimerRow>((db, param) =>
  db
    .insertInto("timers")
    .values(wholeRow(param, "timers"))
    .onConflict((conflict) =>
      conflict
        .columns(KEY)
        .doUpdateSet((row) => Object.fromEntries(WHAT_IS_SET.map((column) => [column, row.ref(`excluded.${column}`)]))),
    ),
);

/** A failed timer no longer waits, and can be set again. */
const setTimerUnlessSet = statement<TimerRow>((db, param) =>
  db
    .insertInto("timers")
    .values(wholeRow(param, "timers"))
    .onConflict((conflict) =>
      conflict
        .columns(KEY)
        .doUpdateSet((row) => Object.fromEntries(WHAT_IS_SET.map((column) => [column, row.ref(`excluded.${column}`)])))
        .where("timers.failed_at", "is not", null),
    ),
);

export const deleteTimer = statement<Key>((db, param) =>
  db
    .deleteFrom("timers")
    .where("team_id", "=", param("team_id"))
    .where("kind", "=", param("kind"))
    .where("subject_id", "=", param("subject_id")),
);

export const timerByKey = statement<Key, TimerRow>((db, param) =>
  db
    .selectFrom("timers")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("kind", "=", param("kind"))
    .where("subject_id", "=", param("subject_id")),
);

/** A timer as a search over all teams finds it. */
export type DueTimer = Key & Pick<TimerRow, "due_at" | "armed_for" | "attempts">;

/**
 * Due timers of all teams: at most `per_team` of each, its oldest, and at most `limit` of all; first those that are the oldest
 * of their teams. The inner limit bounds nothing: it keeps SQLite on the index `timers_due`, instead of the primary key, which
 * has the teams in order and every timer.
 */
export const dueTimers = statement<{ now: number; per_team: number; limit: number }, DueTimer>((db, param) =>
  db
    .selectFrom((ranked) =>
      ranked
        .selectFrom((due) =>
          due
            .selectFrom("timers")
            .select(["team_id", "kind", "subject_id", "due_at", "armed_for", "attempts"])
            .where("failed_at", "is", null)
            .where("due_at", "<=", param("now"))
            .orderBy("due_at")
            .limit(sql.lit(EVERY_ROW))
            .as("due"),
        )
        .select(["team_id", "kind", "subject_id", "due_at", "armed_for", "attempts"])
        .select(sql<number>`row_number() over (partition by team_id order by due_at)`.as("place"))
        .as("ranked"),
    )
    .select(["team_id", "kind", "subject_id", "due_at", "armed_for", "attempts"])
    .where("place", "<=", param("per_team"))
    .orderBy("place")
    .orderBy("due_at")
    .limit(param("limit")),
);

const EVERY_ROW = 2_147_483_647;

/** When the next timer of any team is due, among those that are not due yet. */
export const nextTimer = statement<{ now: number }, Pick<TimerRow, "due_at">>((db, param) =>
  db
    .selectFrom("timers")
    .select("due_at")
    .where("failed_at", "is", null)
    .where("due_at", ">", param("now"))
    .orderBy("due_at")
    .limit(1),
);

/** Moves a timer whose attempt has failed, unless it was moved or tried meanwhile; with `failed_at` set it no longer waits. */
export const postponeTimer = statement<
  DueTimer & Pick<TimerRow, "last_error" | "failed_at"> & { seen_attempts: number }
>((db, param) =>
  db
    .updateTable("timers")
    .set({
      due_at: param("due_at"),
      attempts: param("attempts"),
      last_error: param("last_error"),
      failed_at: param("failed_at"),
    })
    .where("team_id", "=", param("team_id"))
    .where("kind", "=", param("kind"))
    .where("subject_id", "=", param("subject_id"))
    .where("armed_for", "=", param("armed_for"))
    .where("attempts", "=", param("seen_attempts"))
    .where("failed_at", "is", null),
);

/** Ends a timer whose subject is gone, unless it was set again meanwhile. */
export const endTimer = statement<Key & Pick<TimerRow, "armed_for">>((db, param) =>
  db
    .deleteFrom("timers")
    .where("team_id", "=", param("team_id"))
    .where("kind", "=", param("kind"))
    .where("subject_id", "=", param("subject_id"))
    .where("armed_for", "=", param("armed_for")),
);

/** Which failed timers have expired: those that failed then or earlier, ms since the epoch. */
export interface OldTimers {
  failed_before: number;
}

/** The teams that have old timers, each once. */
export const teamsWithOldTimers = statement<OldTimers, { team_id: string }>((db, param) =>
  db
    .selectFrom((query) =>
      query
        .selectFrom("timers")
        .select("team_id")
        .where("failed_at", "is not", null)
        .where("failed_at", "<=", param("failed_before"))
        .orderBy("failed_at")
        .limit(sql.lit(EVERY_ROW))
        .as("old"),
    )
    .select("team_id")
    .distinct(),
);

/** Deletes old timers of the team, at most `limit` of them. */
export const deleteOldTimers = statement<OldTimers & { team_id: string; limit: number }>((db, param) =>
  db
    .deleteFrom("timers")
    .where("team_id", "=", param("team_id"))
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple("kind", "subject_id"),
        "in",
        selectFrom("timers")
          .select(["kind", "subject_id"])
          .where("team_id", "=", param("team_id"))
          .where("failed_at", "is not", null)
          .where("failed_at", "<=", param("failed_before"))
          .limit(param("limit"))
          .$asTuple("kind", "subject_id"),
      ),
    ),
);
