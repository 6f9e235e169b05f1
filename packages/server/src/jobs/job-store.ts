import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { SealedPlace } from "../access/vault.ts";
import type { Context } from "../context.ts";
import { columnNames } from "../storage/columns.ts";
import { statement, wholeRow } from "../storage/statement.ts";
import type { JobRow } from "../storage/tables.ts";
import type { JobRequest } from "./job.ts";

/** Stores a job in the transaction of `ctx`. */
export function enqueueJob(ctx: Context, job: JobRequest): void {
  const key = { team_id: ctx.teamId, id: ctx.newId() };
  const row: NewJob = {
    ...key,
    kind: job.kind,
    payload_sealed: ctx.vault.seal(JSON.stringify(job.payload), payloadPlace(key)),
    state: "waiting",
    attempts: 0,
    run_at: job.dueAt ?? ctx.now,
    lease_until: null,
    claim_id: null,
    last_error: null,
    created_at: ctx.now,
    cause: job.cause ?? null,
  };
  if (job.queueKey === undefined) ctx.write(insertJob, { ...row, queue_key: null, queue_number: null });
  else ctx.write(insertJobInQueue, { ...row, queue_key: job.queueKey });
}

type NewJob = Omit<JobRow, "queue_key" | "queue_number">;

/** What the payload of a job is sealed for. */
export const payloadPlace = ({ team_id, id }: Pick<JobRow, "team_id" | "id">): SealedPlace => ({
  column: "jobs.payload_sealed",
  teamId: team_id,
  id,
});

const insertJob = statement<JobRow>((db, param) => db.insertInto("jobs").values(wholeRow(param, "jobs")));

/** The same, behind the unfinished jobs of its key. Writes of a team are serial, so the numbers are in order. */
const insertJobInQueue = statement<NewJob & { queue_key: string }>((db, param) => {
  const given = columnNames("jobs").filter((column) => column !== "queue_number");
  return db
    .insertInto("jobs")
    .columns([...given, "queue_number"])
    .expression((query) =>
      query
        .selectFrom("jobs as ahead")
        .select([
          ...given.map((column) => param(column as keyof NewJob).as(column)),
          sql<number>`coalesce(max(ahead.queue_number), 0) + 1`.as("queue_number"),
        ])
        .where("ahead.team_id", "=", param("team_id"))
        .where("ahead.queue_key", "=", param("queue_key"))
        .where(sql<SqlBool>`ahead.state in ('waiting', 'running')`),
    );
});

interface Now {
  /** Wall clock, as `run_at`; ms since the epoch. */
  now: number;
  /** The steady clock, as leases. */
  steady_now: number;
}

/**
 * The teams that have due jobs: waiting ones, and running ones whose lease ran out with their process. The limit bounds
 * nothing: it keeps SQLite on the index `jobs_due`, instead of one that has the teams in order and every job.
 */
export const teamsWithDueJobs = statement<Now, { team_id: string }>((db, param) =>
  db
    .selectFrom((query) =>
      query
        .selectFrom("jobs")
        .select("team_id")
        .where(isDue(param))
        .orderBy("run_at")
        .limit(sql.lit(EVERY_ROW))
        .as("due"),
    )
    .select("team_id")
    .distinct(),
);

const EVERY_ROW = 2_147_483_647;

/** The team's oldest due job that is of no `busy` kind (made by `listParam`), and has no other of its key ahead. */
export const dueJob = statement<Now & { team_id: string; busy: string }, JobRow>((db, param, dialect) =>
  db
    .selectFrom("jobs")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where(isDue(param))
    .where(({ not, ref }) => not(dialect.isInTexts(ref("kind"), param("busy"))))
    .where(({ or, eb, not, exists, selectFrom }) =>
      or([
        eb("queue_key", "is", null),
        not(
          exists(
            selectFrom("jobs as ahead")
              .select("ahead.id")
              .whereRef("ahead.team_id", "=", "jobs.team_id")
              .whereRef("ahead.queue_key", "=", "jobs.queue_key")
              .whereRef("ahead.queue_number", "<", "jobs.queue_number")
              .where(sql<SqlBool>`ahead.state in ('waiting', 'running')`),
          ),
        ),
      ]),
    )
    .orderBy("run_at")
    .orderBy("id")
    .limit(1),
);

/** Whether a job of this key has not ended. */
export const unendedJob = statement<{ team_id: string; queue_key: string }, { id: string }>((db, param) =>
  db
    .selectFrom("jobs")
    .select("id")
    .where("team_id", "=", param("team_id"))
    .where("queue_key", "=", param("queue_key"))
    .where(sql<SqlBool>`state in ('waiting', 'running')`)
    .limit(1),
);

/** Whether a job of this key waits that has not been tried: one that has may fail for good. */
export const waitingJob = statement<{ team_id: string; queue_key: string }, { id: string }>((db, param) =>
  db
    .selectFrom("jobs")
    .select("id")
    .where("team_id", "=", param("team_id"))
    .where("queue_key", "=", param("queue_key"))
    // The first line is as in the index.
    .where(sql<SqlBool>`state in ('waiting', 'running')`)
    .where("state", "=", sql.lit("waiting"))
    .where("attempts", "=", sql.lit(0))
    .limit(sql.lit(1)),
);

/** The states are literals, and the first line is as in the index `jobs_due`: otherwise the index is not used. */
const isDue = (param: <K extends keyof Now>(name: K) => RawBuilder<Now[K]>) =>
  sql<SqlBool>`state in ('waiting', 'running') and run_at <= ${param("now")}
    and (state = 'waiting' or lease_until <= ${param("steady_now")})`;

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

/** For a restored backup: the processes that ran these jobs then do not run on it. */
export const endEveryJobLease = statement<Record<never, never>>((db) =>
  db.updateTable("jobs").set({ lease_until: 0 }).where("state", "=", sql.lit("running")),
);

/** Renews the lease of a job, unless another process has claimed it meanwhile. */
export const renewJob = statement<Pick<JobRow, "team_id" | "id" | "claim_id" | "lease_until">>((db, param) =>
  db
    .updateTable("jobs")
    .set({ lease_until: param("lease_until") })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id"))
    .where("state", "=", "running")
    .where("claim_id", "=", param("claim_id")),
);

/** Ends an attempt, unless another process has claimed the job meanwhile (compare and set). */
export const finishJob = statement<
  Pick<JobRow, "team_id" | "id" | "claim_id" | "state" | "attempts" | "run_at" | "last_error" | "payload_sealed">
>((db, param) =>
  db
    .updateTable("jobs")
    .set({
      state: param("state"),
      attempts: param("attempts"),
      run_at: param("run_at"),
      last_error: param("last_error"),
      payload_sealed: param("payload_sealed"),
      lease_until: null,
    })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id"))
    .where("claim_id", "=", param("claim_id")),
);

/** Which jobs have expired; times in ms. */
export interface OldJobs {
  /** Done ones that ended then or earlier. */
  done_before: number;
  /** Failed ones that ended then or earlier. */
  failed_before: number;
  /** No job has this id or a later one: ids rise with time, so only the old end of the table is read. */
  before_id: string;
}

/** A job of a kind that is not over. */
export const unfinishedJob = statement<Pick<JobRow, "team_id" | "kind">, { id: string }>((db, param) =>
  db
    .selectFrom("jobs")
    .select("id")
    .where("team_id", "=", param("team_id"))
    .where("kind", "=", param("kind"))
    .where(sql<SqlBool>`state in ('waiting', 'running')`)
    .limit(sql.lit(1)),
);

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
