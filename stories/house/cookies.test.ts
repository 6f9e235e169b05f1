import { expect, test } from "vitest";
import { sourceFiles } from "./source-files.ts";

const server = sourceFiles("packages/server/src").filter(({ path }) => !path.includes(".test."));

/** How often each text occurs, by file. */
const placesOf = (pattern: RegExp) =>
  server
    .flatMap(({ path, text }) => [...text.matchAll(pattern)].map(() => path.replace("packages/server/src/", "")))
    .toSorted();

test("cookies are set in one file, for signing in alone", () => {
  expect(placesOf(/set-cookie"/gi).filter((path) => path.startsWith("http/"))).toEqual([
    "http/session/session-cookie.ts",
  ]);
  // Session, second step and browser; what passkeys are asked to sign.
  expect(placesOf(/\bcookies?\.(\w+\.)?set\(/g)).toEqual([
    "http/session/begin-session.ts",
    "http/session/begin-session.ts",
    "http/session/begin-session.ts",
    "http/session/begin-session.ts",
    "http/session/passkey-challenge.ts",
    // A sign-in by SSO that was begun.
    "http/session/sso-routes.ts",
    "http/session/sso-routes.ts",
  ]);
  expect(placesOf(/\bcookies?\.(\w+\.)?clear\(/g)).toEqual([
    "http/session/factor-routes.ts",
    "http/session/session-routes.ts",
    "http/session/sso-routes.ts",
    "http/session/sso-routes.ts",
  ]);
});

test("every route that sets a cookie is one that http/session/cookie-routes.test.ts sends from another site", () => {
  // A new one here needs a new request there.
  expect(placesOf(/\b(sessions\.(begin|enter|renew)|challenges\.begin)\(request, reply/g)).toEqual([
    // The second step, and a proof.
    "http/session/factor-routes.ts",
    "http/session/factor-routes.ts",
    // What passkeys are asked to sign, twice, and signing in with one.
    "http/session/passkey-routes.ts",
    "http/session/passkey-routes.ts",
    "http/session/passkey-routes.ts",
    // Signing in, and joining.
    "http/session/session-routes.ts",
    "http/session/session-routes.ts",
    "http/session/setup-routes.ts",
    // Signing in by SSO, a proof by it, and after the password. Those are in sso/sso-attacks.test.ts.
    "http/session/sso-routes.ts",
    "http/session/sso-routes.ts",
    "http/session/sso-routes.ts",
  ]);
});
