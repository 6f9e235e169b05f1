import type { Mail } from "../mail/mail.ts";

/** What a job of each kind is given. JSON-able; sealed at rest. */
export interface JobPayloads {
  "send-mail": Mail;
  "send-replies-mail": { conversationId: string };
  "change-conversation": { changeId: string };
}

export type JobKind = keyof JobPayloads;

/** Work that is done after the commit that asked for it: stored, tried again, done at least once. */
export type JobRequest = { [Kind in JobKind]: JobRequestOf<Kind> }[JobKind];

interface JobRequestOf<Kind extends JobKind> {
  kind: Kind;
  payload: JobPayloads[Kind];
  /** Not before this moment, ms since the epoch; left out: at once. */
  dueAt?: number;
  /**
   * Jobs of a team with the same key run one after the other, in the order in which they were enqueued, whatever their
   * kinds; one that waits for its next attempt holds back those behind it. Left out: in no order.
   */
  queueKey?: string;
  /** What led to it, as JSON: the id of an event, or a chain of automations. */
  cause?: string;
}

/** A job that runs, as its handler sees it. */
export interface RunningJob {
  teamId: string;
  id: string;
  cause: string | null;
  /**
   * Aborted when the lease is lost, so that another process may run the job, and when this process stops. A handler that
   * then rejects because the process stops has used up no attempt.
   */
  signal: AbortSignal;
}

/** Does the work of one kind. It runs outside any transaction, and has failed when it rejects. */
export type JobHandler<Kind extends JobKind> = (payload: JobPayloads[Kind], job: RunningJob) => Promise<void>;

/** One for every kind. */
export type JobHandlers = { [Kind in JobKind]: JobHandler<Kind> };
