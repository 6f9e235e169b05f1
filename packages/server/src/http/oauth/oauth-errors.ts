import { Refusal } from "@frontdesk/core/domain/refusal";
import type { FastifyReply, FastifyRequest } from "fastify";
import { knownError, sendError } from "../framework/answer-error.ts";
import { HttpProblem } from "../framework/http-problem.ts";
import { refusalStatus } from "../framework/refusal-status.ts";

/** The codes of RFC 6749, RFC 7591 and RFC 8707 that an app may get here. */
export type OAuthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_target"
  | "unsupported_grant_type"
  | "invalid_redirect_uri"
  | "invalid_client_metadata"
  | "temporarily_unavailable"
  | "server_error";

/** An expected error at an address for apps. */
export class OAuthError extends Error {
  override name = "OAuthError";
  readonly code: OAuthErrorCode;
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: OAuthErrorCode, words: string, status = 400, retryAfterSeconds?: number) {
    super(words);
    this.code = code;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Every error in the form of RFC 6749, section 5.2: apps read nothing else. */
export function answerOAuthError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof OAuthError) {
    if (error.retryAfterSeconds !== undefined) reply.header("retry-after", error.retryAfterSeconds);
    return sendError(reply, error.status, { error: error.code, error_description: error.message });
  }
  const known = knownError(error, request);
  // The bound is lower here than the sentence says.
  const words = known instanceof HttpProblem && known.status === 413 ? "The body is too large." : known.message;
  const status = known instanceof Refusal ? refusalStatus(known.reason) : known.status;
  if (known instanceof Refusal && "retryAfterSeconds" in known.reason) {
    reply.header("retry-after", known.reason.retryAfterSeconds);
  }
  const code =
    status === 429 || status === 503 ? "temporarily_unavailable" : status >= 500 ? "server_error" : "invalid_request";
  return sendError(reply, status, { error: code, error_description: words });
}
