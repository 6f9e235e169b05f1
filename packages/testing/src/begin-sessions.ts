/** Signs agents in, for tests with routes and no app. */
import { createAuthentication } from "@frontdesk/server/access/authenticate";
import { type BeginSession, beginSession } from "@frontdesk/server/http/session/begin-session";
import { ownCookies } from "@frontdesk/server/http/session/session-cookie";
import type { Perform } from "@frontdesk/server/perform";
import type { Storage } from "@frontdesk/server/storage/database";

export function beginSessions(storage: Storage, perform: Perform, now: () => number): BeginSession {
  const authenticate = createAuthentication(storage, now, () => {});
  return beginSession({ perform, authenticate, cookies: ownCookies("https://chat.acme.test") });
}
