/** Work that is done after the commit that asked for it: stored, tried again, done at least once. */
export interface JobRequest {
  kind: JobKind;
  /** JSON-able; sealed at rest. */
  payload: object;
}

export type JobKind = "send-mail" | "change-conversation";
