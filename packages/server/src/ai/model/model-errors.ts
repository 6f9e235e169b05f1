/**
 * Why there is no answer.
 * - `blocked`: the address is in a network that the operator has not listed; nothing was sent
 * - `unreachable`: no server there, no TLS, or the connection was closed before an answer
 * - `refused`: 401, 403, 404. The key or a name is wrong; another attempt would fail as well
 * - `rejected`: 400 and other 4xx. The server does not take this request
 * - `busy`: 429
 * - `failing`: 5xx, or an error told within an answer
 * - `timeout`: no first byte, or no end, in time
 * - `cut`: the answer broke off
 * - `filtered`, `length`: the model was stopped; what it has written is no answer
 * - `empty`: an answer without a text
 * - `garbage`: not an answer of this interface, a redirect, or more bytes than one may have
 * - `aborted`: the caller has ended it
 */
export type ModelFailureKind =
  | "blocked"
  | "unreachable"
  | "refused"
  | "rejected"
  | "busy"
  | "failing"
  | "timeout"
  | "cut"
  | "filtered"
  | "length"
  | "empty"
  | "garbage"
  | "aborted";

export interface ModelFailureParts {
  kind: ModelFailureKind;
  /** One plain sentence, without a key. */
  message: string;
  /** HTTP; null when there was no answer. */
  status?: number | null;
  /** What the server has asked us to wait (`Retry-After`), ms. */
  retryAfterMs?: number | null;
  /** The body that was sent, for the run log. */
  request?: string;
  /** The beginning of what came back, for the run log; the key is never in it. */
  response?: string;
  /** Pieces of the text have been handed out already, so the call may not be repeated. */
  hasBegun?: boolean;
  /** The tokens that the server counted for the failed call; null when it has told none. */
  usage?: Usage | null;
}

export interface Usage {
  tokensIn: number;
  tokensOut: number;
}

export class ModelFailure extends Error {
  readonly kind: ModelFailureKind;
  readonly status: number | null;
  readonly retryAfterMs: number | null;
  readonly request: string;
  readonly response: string;
  readonly hasBegun: boolean;
  readonly usage: Usage | null;

  constructor({ kind, message, status, retryAfterMs, request, response, hasBegun, usage }: ModelFailureParts) {
    super(message);
    this.name = "ModelFailure";
    this.kind = kind;
    this.status = status ?? null;
    this.retryAfterMs = retryAfterMs ?? null;
    this.request = request ?? "";
    this.response = response ?? "";
    this.hasBegun = hasBegun ?? false;
    this.usage = usage ?? null;
  }
}

/**
 * The tokens of a failed call. Where the server has told none, the prompt counts if the server may have read it.
 *
 * @param asked tokens of the prompt, by estimate
 */
export function costOf({ kind, status, usage }: ModelFailure, asked: number): Usage {
  const wasAsked = status !== null || kind === "aborted";
  return usage ?? { tokensIn: wasAsked ? asked : 0, tokensOut: 0 };
}
