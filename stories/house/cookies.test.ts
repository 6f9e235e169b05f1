import { expect, test } from "vitest";
import { sourceFiles } from "./source-files.ts";

const server = sourceFiles("packages/server/src").filter(({ path }) => !path.includes(".test."));

/** How often each text occurs, by file. */
const placesOf = (pattern: RegExp) =>
  server
    .flatMap(({ path, text }) => [...text.matchAll(pattern)].map(() => path.replace("packages/server/src/", "")))
    .toSorted();

test("cookies are set in one file, and for sessions alone", () => {
  expect(placesOf(/set-cookie"/gi).filter((path) => path.startsWith("http/"))).toEqual([
    "http/session/session-cookie.ts",
  ]);
  expect(placesOf(/cookie\.set\(/g)).toEqual(["http/session/begin-session.ts", "http/session/session-routes.ts"]);
  expect(placesOf(/cookie\.clear\(/g)).toEqual(["http/session/session-routes.ts"]);
});

test("every route that sets a cookie is one that http/session/cookie-routes.test.ts sends from another site", () => {
  // Signing in, joining, set-up. A new one here needs a new request there.
  expect(placesOf(/\bbegin\(request, reply/g)).toEqual([
    "http/session/session-routes.ts",
    "http/session/session-routes.ts",
    "http/session/setup-routes.ts",
  ]);
});
