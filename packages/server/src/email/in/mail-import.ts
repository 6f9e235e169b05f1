import type { JobRequest } from "../../jobs/job.ts";

/**
 * ```
 * (a raw mail) --> stored --> imported   it is a message
 *                  |  ^  |--> automatic  no human wrote it, and it answers nothing: a system message in a resolved conversation of its own
 *                  |  |  |--> held       its sender has sent too many: a system message, without events
 *                  |  |  |--> ignored    its sender is blocked, its account deleted, or we sent it: nothing of it is kept
 *                  |  |  '--> spam       its mailbox's own server says so; its original is kept --> ignored: deleted, or after 30 days
 *                  |  '-------'          an agent says that it is none
 *                  '--> failed           after five attempts, or its account is deleted and a hold keeps it; its original is kept
 * (any of them) --> erased               its text or its sender was erased: only that it came is kept
 * ```
 * One from the folder of sent mails is `sent` in place of `stored`. A process that runs an older version finds no such mail, and
 * knows no such job: it would import it as one that came in.
 *
 * The row stays in every state, so that the same mail is never taken again. Mails of an account that is paused stay `stored`. The
 * record of erasures has the keys of those that are `erased`, so that a restored backup of before them knows them too.
 */
export const mailImportStates = [
  "stored",
  "sent",
  "imported",
  "automatic",
  "held",
  "spam",
  "failed",
  "ignored",
  "erased",
] as const;
export type MailImportState = (typeof mailImportStates)[number];

/** The largest mail. */
export const MAIL_MAX_BYTES = 50 * 1_048_576;

/** The wait after each failed attempt at one mail; after the last of them it is `failed`. Other mails do not wait for it. */
export const IMPORT_WAITS_MS: readonly number[] = [1_000, 10_000, 60_000, 600_000];

/** The states of mails that wait for their import, each with the job that imports them. */
const jobOfWaiting = { stored: "import-mail", sent: "import-sent-mail" } as const satisfies {
  [State in MailImportState]?: string;
};
export type WaitingState = keyof typeof jobOfWaiting;
export const waitingStates = Object.keys(jobOfWaiting) as readonly WaitingState[];

export const isWaiting = (state: string): state is WaitingState => Object.hasOwn(jobOfWaiting, state);

/** The job that imports the mails of an account that wait in a state. */
export const importJob = (state: WaitingState, accountId: string) =>
  ({ kind: jobOfWaiting[state], payload: { accountId } }) satisfies JobRequest;

/** The same, after those of before: mails come in in their order. */
export const importInOrder = (state: WaitingState, accountId: string) =>
  ({ ...importJob(state, accountId), queueKey: `${jobOfWaiting[state]}:${accountId}` }) satisfies JobRequest;
