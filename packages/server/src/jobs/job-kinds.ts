import type { JobKind } from "./job.ts";

/** How the jobs of one kind are run. */
export interface JobSettings {
  /** How many of them a process runs at once. */
  atOnce: number;
  /** The wait after each failed attempt; after the last of them the job has failed. */
  retryWaitsMs: readonly number[];
  /** How long at most the jobs of a process that died are blocked; a living process renews this lease. */
  leaseMs: number;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

const usual: JobSettings = {
  atOnce: 4,
  retryWaitsMs: [30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS],
  leaseMs: MINUTE_MS,
};

/** Fails only when the database or the file storage is away: a mail that cannot be imported has attempts of its own. */
const importing: JobSettings = {
  ...usual,
  retryWaitsMs: [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, ...Array(48).fill(HOUR_MS)],
};

export const jobKinds: Record<JobKind, JobSettings> = {
  "send-mail": usual,
  "send-replies-mail": usual,
  "change-conversation": usual,
  "hand-over-conversations": usual,
  "release-from-ai": usual,
  // Visitors who wait for the same model come first.
  "summarise-handoff": { ...usual, atOnce: 1 },
  // Few at once: a server of embeddings may share its machine with the model that answers.
  "embed-articles": { ...usual, atOnce: 2 },
  erase: { ...usual, atOnce: 1 },
  "apply-retention": { ...usual, atOnce: 1 },
  "try-channel-account": usual,
  "export-contact": { ...usual, atOnce: 1 },
  "mail-own-data-link": usual,
  "read-site": usual,
  "remove-site": usual,
  "import-mail": importing,
  "import-sent-mail": importing,
};

/** Kinds of earlier versions, whose work is done in another way since: leftover jobs of them end as done. */
const RETIRED_KINDS: readonly string[] = ["wake-conversation", "mail-replies"];

export const isJobKind = (kind: string): kind is JobKind => Object.hasOwn(jobKinds, kind);
export const isRetired = (kind: string): boolean => RETIRED_KINDS.includes(kind);

/** Jobs of a kind that this program does not know are retried as any other: a newer process may know it. */
export const jobSettings = (kind: string): JobSettings => (isJobKind(kind) ? jobKinds[kind] : usual);
