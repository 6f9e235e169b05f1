/** The REST API, authenticated by the session instead of a key. */
import { createClient } from "@frontdesk/client";
import { ROOT } from "./send.ts";

export const rest = createClient({
  baseUrl: `${ROOT}/app/api/v1`,
  apiKey: "",
  retries: 1,
  // The service tries the servers of a channel for up to 30 s.
  timeoutMs: 40_000,
  fetch(address, request) {
    const headers = new Headers(request?.headers);
    headers.delete("X-API-KEY");
    return fetch(address, { ...request, headers });
  },
});
