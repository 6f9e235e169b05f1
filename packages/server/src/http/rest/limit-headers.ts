import { rateLimited } from "@frontdesk/core/domain/refusal";
import type { RateLimiter } from "../../limits/rate-limiter.ts";

interface LimitedReply {
  header(name: string, value: number): unknown;
}

/**
 * Counts a request, or several in one, and writes the remaining limit into the headers of its answer, whatever the answer is
 * (decision 30).
 *
 * @throws Refusal `rate-limited` when the limit is reached; the request is then not counted
 */
export function limitHeaders(limiter: RateLimiter) {
  return async (keyId: string, reply: LimitedReply, requests = 1): Promise<void> => {
    const verdict = await limiter.take(keyId, requests);
    reply.header("x-ratelimit-limit", verdict.limit);
    reply.header("x-ratelimit-remaining", verdict.remaining);
    reply.header("x-ratelimit-reset", verdict.resetSeconds);
    if (!verdict.allowed) throw rateLimited(verdict.retryAfterSeconds);
  };
}
