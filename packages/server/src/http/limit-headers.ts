import { rateLimited } from "@frontdesk/core/domain/refusal";
import type { RateLimiter } from "../limits/sliding-window.ts";

/**
 * Counts a request and writes what is left into the headers of its answer, whatever the answer becomes (decision 30).
 *
 * @throws Refusal `rate-limited` when the limit is reached; the request is then not counted
 */
export function limitHeaders(limiter: RateLimiter) {
  return (keyId: string, reply: { header(name: string, value: number): unknown }): void => {
    const verdict = limiter.take(keyId);
    reply.header("x-ratelimit-limit", verdict.limit);
    reply.header("x-ratelimit-remaining", verdict.remaining);
    reply.header("x-ratelimit-reset", verdict.resetSeconds);
    if (!verdict.allowed) throw rateLimited(verdict.retryAfterSeconds);
  };
}
