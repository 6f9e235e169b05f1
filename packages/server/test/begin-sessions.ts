/** What signs people in, where a test has routes and no app. */
import { createAuthentication } from "../src/access/authenticate.ts";
import { type BeginSession, beginSession } from "../src/http/session/begin-session.ts";
import { sessionCookie } from "../src/http/session/session-cookie.ts";
import type { Perform } from "../src/perform.ts";
import type { Storage } from "../src/storage/database.ts";

export function beginSessions(storage: Storage, perform: Perform, now: () => number): BeginSession {
  const authenticate = createAuthentication(storage, now, () => {});
  return beginSession({ perform, authenticate, cookie: sessionCookie("https://chat.acme.test") });
}
