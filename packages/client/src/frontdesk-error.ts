/** The one error that a call of the client throws when the service says no, or cannot be reached. */

export interface FrontdeskErrorDetails {
  status: number;
  message: string;
  errors?: Record<string, string[]> | undefined;
  body?: unknown;
  retryAfter?: number | undefined;
  requestId?: string | undefined;
  cause?: unknown;
}

/** A class, because callers tell it apart with `instanceof`. */
export class FrontdeskError extends Error {
  override readonly name = "FrontdeskError";
  /** The HTTP status, or 0 when no answer came; `cause` then holds the reason. */
  readonly status: number;
  /** For a validation error (422): each field and what is wrong with it. */
  readonly errors: Record<string, string[]> | undefined;
  /** The whole answer, where it is JSON. */
  readonly body: unknown;
  /** Seconds to wait before trying again, where the service said so. */
  readonly retryAfter: number | undefined;
  /** Names the request in the service's log; tell it when you ask for help. */
  readonly requestId: string | undefined;

  constructor({ status, message, errors, body, retryAfter, requestId, cause }: FrontdeskErrorDetails) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.errors = errors;
    this.body = body;
    this.retryAfter = retryAfter;
    this.requestId = requestId;
  }
}
