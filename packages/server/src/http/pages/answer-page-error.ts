import { Refusal } from "@frontdesk/core/domain/refusal";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { StorageUnavailable } from "../../storage/database.ts";
import { RETRY_STORAGE_SECONDS } from "../framework/answer-error.ts";
import { HttpProblem } from "../framework/http-problem.ts";
import { refusalStatus } from "../framework/refusal-status.ts";
import type { PageTexts } from "./locales/en.ts";
import { sendPlainPage } from "./page.ts";

/** Answers an error on a page for people with a page, where `answer-error.ts` answers programs with JSON. */
export function answerPageError(texts: PageTexts) {
  const { unreadable, unavailable, tooMany, fault } = texts.trouble;
  return (error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (error instanceof StorageUnavailable) {
      request.log.warn({ err: error }, "The storage is unreachable.");
      return sendPlainPage(reply.header("retry-after", RETRY_STORAGE_SECONDS), 503, texts.lang, unavailable);
    }
    if (error instanceof Refusal && error.reason.name === "rate-limited") {
      reply.header("retry-after", error.reason.retryAfterSeconds);
      return sendPlainPage(reply, refusalStatus(error.reason), texts.lang, tooMany);
    }
    const status = error instanceof HttpProblem ? error.status : "statusCode" in error ? error.statusCode : undefined;
    if (status && status < 500) return sendPlainPage(reply, status, texts.lang, unreadable);
    request.log.error({ err: error }, "A page failed because of a bug in Frontdesk.");
    return sendPlainPage(reply, 500, texts.lang, fault);
  };
}
