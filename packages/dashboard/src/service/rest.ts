/** The REST API, authenticated by the session instead of a key. */
import { createClient } from "@frontdesk/client";
import { ROOT } from "./send.ts";
import { fetchVerified } from "./verify-again.ts";

// The service tries the servers of a channel for up to 30 s.
const TIMEOUT_MS = 40_000;

export const rest = createClient({
  baseUrl: `${ROOT}/app/api/v1`,
  apiKey: "",
  retries: 1,
  timeoutMs: TIMEOUT_MS,
  fetch(address, request) {
    const headers = new Headers(request?.headers);
    headers.delete("X-API-KEY");
    return fetchVerified((isAgain) =>
      fetch(address, { ...request, headers, ...(isAgain && { signal: AbortSignal.timeout(TIMEOUT_MS) }) }),
    );
  },
});
