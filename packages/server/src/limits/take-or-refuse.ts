import { rateLimited } from "@frontdesk/core/domain/refusal";
import type { RateLimiter } from "./rate-limiter.ts";

/** @throws Refusal `rate-limited` when the limit is reached; the request is then not counted */
export async function takeOrRefuse(limiter: RateLimiter, key: string, requests = 1): Promise<void> {
  const { allowed, retryAfterSeconds } = await limiter.take(key, requests);
  if (!allowed) throw rateLimited(retryAfterSeconds);
}
