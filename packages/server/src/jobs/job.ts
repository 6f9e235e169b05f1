import type { WidgetLanguage } from "@frontdesk/core/domain/widget-settings";
import type { Mail } from "../mail/mail.ts";

/** The payload of a job of each kind. JSON-able; sealed at rest. */
export interface JobPayloads {
  "send-mail": Mail;
  "send-replies-mail": { conversationId: string };
  "change-conversation": { changeId: string };
  erase: { erasureId: string };
  "apply-retention": Record<string, never>;
  "try-channel-account": { accountId: string };
  "export-contact": { exportId: string };
  "mail-own-data-link": { email: string; language: WidgetLanguage; linkUrl: string };
  /** All mails of an account that are stored. */
  "import-mail": { accountId: string };
  /** The same, of the mails from its folder of sent mails. */
  "import-sent-mail": { accountId: string };
  "read-site": { siteId: string };
  "remove-site": { siteId: string };
  /** What the team's articles mean, where that is not stored yet. */
  "embed-articles": Record<string, never>;
  "hand-over-conversations": { fromId: string; toId: string | null; byId: string | null };
  /** All conversations of an AI that was switched off. */
  "release-from-ai": Record<string, never>;
  /** A note for the team, after a handoff by the AI. `words`: the sort number of its message. */
  "summarise-handoff": { conversationId: string; words: number };
}

export type JobKind = keyof JobPayloads;

/** Work done after the commit that requested it: stored, retried, done at least once. */
export type JobRequest = { [Kind in JobKind]: JobRequestOf<Kind> }[JobKind];

interface JobRequestOf<Kind extends JobKind> {
  kind: Kind;
  payload: JobPayloads[Kind];
  /** Not before this moment, ms since the epoch; left out: at once. */
  dueAt?: number;
  /**
   * Jobs of a team with the same key run one after the other, in the order in which they were enqueued, whatever their kinds;
   * one that waits for its next attempt blocks those behind it. Left out: in no order.
   */
  queueKey?: string;
  /** The cause, as JSON: the id of an event, or a chain of automations. */
  cause?: string;
}

/** A running job, as its handler sees it. */
export interface RunningJob {
  teamId: string;
  id: string;
  cause: string | null;
  /**
   * Aborted when the lease is lost, because another process may run the job then, and when this process stops. A handler that
   * rejects because the process stops has used up no attempt.
   */
  signal: AbortSignal;
}

/** Does the work of one kind. It runs outside any transaction, and has failed when it rejects. */
export type JobHandler<Kind extends JobKind> = (payload: JobPayloads[Kind], job: RunningJob) => Promise<void>;

/** A handler for every kind. */
export type JobHandlers = { [Kind in JobKind]: JobHandler<Kind> };
