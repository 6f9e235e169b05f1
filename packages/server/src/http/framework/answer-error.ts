import type { ErrorReason } from "@frontdesk/core/contract";
import type { NamedReason } from "@frontdesk/core/domain/reasons";
import { invalid, Refusal, unavailable } from "@frontdesk/core/domain/refusal";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { StorageUnavailable } from "../../storage/database.ts";
import { HttpProblem } from "./http-problem.ts";
import { refusalStatus } from "./refusal-status.ts";
import { validationErrors } from "./validation-errors.ts";

/** Seconds to wait for a storage that is out of reach. */
export const RETRY_STORAGE_SECONDS = 2;

/**
 * Answers every error in one form: `{message}`, and `errors` by field for validation. An internal error is logged with its
 * request id and answered generically (decision 32): no stack, no SQL, no path, no version.
 */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return answerKnown(knownError(error, request), reply, {});
}

/** The same on the private APIs, with the reasons beside their sentences (`PrivateErrorBody` of the contract). */
export function answerPrivateError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = knownError(error, request);
  const fields = known instanceof Refusal ? known.fields : undefined;
  const reasons =
    fields && Object.fromEntries(Object.entries(fields).map(([field, given]) => [field, given.map(presentReason)]));
  return answerKnown(known, reply, { ...presentReason(known.detail), ...(reasons && { reasons }) });
}

/** A reason as the private APIs send it. */
export function presentReason({ name, values }: NamedReason): ErrorReason {
  return { reason: name, ...(values && { values }) };
}

function answerKnown(known: Refusal | HttpProblem, reply: FastifyReply, more: object): FastifyReply {
  if (known instanceof HttpProblem) {
    return sendError(reply, known.status, { message: known.message, ...more, ...known.more });
  }
  const { reason } = known;
  if ("retryAfterSeconds" in reason) reply.header("retry-after", reason.retryAfterSeconds);
  const body = { message: known.message, ...("errors" in reason && { errors: reason.errors }), ...more };
  return sendError(reply, refusalStatus(reason), body);
}

/** The error in words that may be shown. Internal errors and outages are logged here, with the request's id. */
export function knownError(error: unknown, request: FastifyRequest): Refusal | HttpProblem {
  if (error instanceof StorageUnavailable) return storageOutage(error, request);
  const known = expected(error);
  if (known) return known;
  request.log.error({ err: error }, "A request failed because of a bug in Frontdesk.");
  return new HttpProblem(500, "http.fault");
}

function expected(error: unknown): Refusal | HttpProblem | undefined {
  if (error instanceof Refusal || error instanceof HttpProblem) return error;
  const { validation, code } = error as FastifyError;
  if (validation) return invalid(validationErrors(validation));
  switch (code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new HttpProblem(413, "http.body-too-large");
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new HttpProblem(415, "http.not-json");
    case "FST_ERR_CTP_EMPTY_JSON_BODY":
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
    case "FST_ERR_BAD_URL":
    case "ECONNRESET":
      return new HttpProblem(400, "http.unreadable");
    default:
      return undefined;
  }
}

function storageOutage(error: StorageUnavailable, request: FastifyRequest): Refusal {
  request.log.warn({ err: error }, "The storage is unreachable.");
  return unavailable(RETRY_STORAGE_SECONDS);
}

/** Answers with an error body that is not the route's own. */
export function sendError(reply: FastifyReply, status: number, body: object): FastifyReply {
  // Bypasses the route's serialiser: an error has its own shape.
  return reply.code(status).type("application/json; charset=utf-8").serializer(JSON.stringify).send(body);
}
