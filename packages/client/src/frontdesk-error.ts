/** The only error that a call of the client throws: the service refused the request, or did not answer. */

export interface FrontdeskErrorDetails {
  status: number;
  message: string;
  errors?: Record<string, string[]> | undefined;
  body?: unknown;
  retryAfter?: number | undefined;
  requestId?: string | undefined;
  cause?: unknown;
}

/** A class, because callers detect it with `instanceof`. */
export class FrontdeskError extends Error {
  override readonly name = "FrontdeskError";
  /** The HTTP status, or 0 when no answer came; `cause` then holds the reason. */
  readonly status: number;
  /** For a validation error (422): each field and what is wrong with it. */
  readonly errors: Record<string, string[]> | undefined;
  /** The whole answer, if it is JSON. */
  readonly body: unknown;
  /** Seconds to wait before a retry, if the service named them. */
  readonly retryAfter: number | undefined;
  /** Identifies the request in the service's log; include it when you ask for help. */
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
