import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { SealedPlace } from "../access/vault.ts";
import type { Context } from "../context.ts";
import { statement, wholeRow } from "../storage/statement.ts";
import type { JobRow } from "../storage/tables.ts";
import type { JobRequest } from "./job.ts";

/** Stores a job in the transaction of `ctx`. */
export function enqueueJob(ctx: Context, job: JobRequest): void {
  const row = { team_id: ctx.teamId, id: ctx.newId() };
  ctx.write(insertJob, {
    ...row,
    kind: job.kind,
    payload_sealed: ctx.vault.seal(JSON.stringify(job.payload), payloadPlace(row)),
    state: "waiting",
    attempts: 0,
    run_at: job.dueAt ?? ctx.now,
    lease_until: null,
    claim_id: null,
    last_error: null,
    created_at: ctx.now,
  });
}

/** Where the payload of a job is sealed for. */
export const payloadPlace = ({ team_id, id }: Pick<JobRow, "team_id" | "id">): SealedPlace => ({
  column: "jobs.payload_sealed",
  teamId: team_id,
  id,
});

const insertJob = statement<JobRow>((db, param) => db.insertInto("jobs").values(wholeRow(param, "jobs")));

/**
 * The teams that have due jobs: waiting ones, and running ones whose lease ran out with their process. A team comes once
 * for each of its jobs: with DISTINCT, SQLite leaves the index and reads every job there ever was.
 */
export const teamsWithDueJobs = statement<{ now: number }, { team_id: string }>((db, param) =>
  db
    .selectFrom("jobs")
    .select("team_id")
    .where(isDue(param("now"))),
);

/** The team's oldest due job. */
export const dueJob = statement<{ team_id: string; now: number }, JobRow>((db, param) =>
  db
    .selectFrom("jobs")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where(isDue(param("now")))
    .orderBy("run_at")
    .orderBy("id")
    .limit(1),
);

/** The states stand as literals, and the first line as in the index `jobs_due`: only so is the index used. */
const isDue = (now: RawBuilder<number>) =>
  sql<SqlBool>`state in ('waiting', 'running') and run_at <= ${now} and (state = 'waiting' or lease_until <= ${now})`;

export const claimJob = statement<Pick<JobRow, "team_id" | "id" | "claim_id" | "lease_until" | "attempts">>(
  (db, param) =>
    db
      .updateTable("jobs")
      .set({
        state: "running",
        claim_id: param("claim_id"),
        lease_until: param("lease_until"),
        attempts: param("attempts"),
      })
      .where("team_id", "=", param("team_id"))
      .where("id", "=", param("id")),
);

/** Ends an attempt, unless another process has claimed the job meanwhile (compare and set). */
export const finishJob = statement<
  Pick<JobRow, "team_id" | "id" | "claim_id" | "state" | "run_at" | "last_error" | "payload_sealed">
>((db, param) =>
  db
    .updateTable("jobs")
    .set({
      state: param("state"),
      run_at: param("run_at"),
      last_error: param("last_error"),
      payload_sealed: param("payload_sealed"),
      lease_until: null,
    })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id"))
    .where("claim_id", "=", param("claim_id")),
);

/** Which jobs have had their time; times in ms. */
export interface OldJobs {
  /** Done ones that ended then or earlier. */
  done_before: number;
  /** Failed ones that ended then or earlier. */
  failed_before: number;
  /** None has this id or a later one: ids rise with time, and so only the old end of the table is looked at. */
  before_id: string;
}

/** The teams that have old jobs, each once. */
export const teamsWithOldJobs = statement<OldJobs, { team_id: string }>((db, param) =>
  db
    .selectFrom("teams")
    .select("team_id")
    .where(({ exists, selectFrom, val }) =>
      exists(
        selectFrom("jobs").select(val(1).as("one")).whereRef("jobs.team_id", "=", "teams.team_id").where(isOld(param)),
      ),
    ),
);

/** Deletes old jobs of the team, at most `limit` of them, the oldest first. */
export const deleteOldJobs = statement<OldJobs & { team_id: string; limit: number }>((db, param) =>
  db
    .deleteFrom("jobs")
    .where("team_id", "=", param("team_id"))
    .where("id", "in", ({ selectFrom }) =>
      selectFrom("jobs")
        .select("id")
        .where("team_id", "=", param("team_id"))
        .where(isOld(param))
        .orderBy("id")
        .limit(param("limit")),
    ),
);

const isOld = (param: <K extends keyof OldJobs>(name: K) => RawBuilder<OldJobs[K]>) =>
  sql<SqlBool>`id < ${param("before_id")} and (
    (state = 'done' and run_at <= ${param("done_before")}) or (state = 'failed' and run_at <= ${param("failed_before")})
  )`;
