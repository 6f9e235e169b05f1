/** Work that is done after the commit that asked for it: stored, tried again, done at least once. */
export interface JobRequest {
  kind: JobKind;
  /** JSON-able; sealed at rest. */
  payload: object;
  /** Not before this moment, ms since the epoch; left out: at once. */
  dueAt?: number;
}

export type JobKind = "send-mail" | "mail-replies" | "change-conversation" | "wake-conversation";
