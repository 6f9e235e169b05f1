/** Whatever is sent to the addresses for apps, the answer is one of the standard's, and nothing is stored. */
import { postForm, register, registeredApp } from "@frontdesk/testing/oauth-app";
import { query } from "@frontdesk/testing/second-app";
import { startTestApp } from "@frontdesk/testing/test-kit";
import fc from "fast-check";
import { expect, test } from "vitest";

const kit = await startTestApp();
await kit.team();
const robin = await registeredApp(kit);
let count = 0;
/** Each request comes from another address: the bound is tested elsewhere. */
function from(): string {
  count += 1;
  return `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`;
}

const NAMES = [
  ...[
    "grant_type",
    "code",
    "refresh_token",
    "client_id",
    "redirect_uri",
    "code_verifier",
    "resource",
    "scope",
    "token",
  ],
  ...["response_type", "state", "code_challenge", "code_challenge_method", "response_mode", "request", "client_secret"],
];
const VALUES = [
  ...["authorization_code", "refresh_token", "code", "S256", "plain", "https://chat.test/mcp", "", "\u0000", "\ud800"],
  ...[robin.clientId, robin.redirectUri, `fd_code_${"0".repeat(71)}`, `fd_refresh_${"z".repeat(71)}`, "a".repeat(43)],
];
const fields = fc.array(
  fc.tuple(fc.oneof(fc.constantFrom(...NAMES), fc.string()), fc.oneof(fc.constantFrom(...VALUES), fc.string())),
  { maxLength: 12 },
);
const rows = async () =>
  Promise.all(
    ["app_grants", "app_tokens", "assistants", "audit_log"].map(async (table) =>
      Number((await query(kit.storage, `SELECT count(*) AS n FROM ${table}`))[0]?.n),
    ),
  );

test.each(["/oauth/token", "/oauth/revoke"])("POST %s", async (path) => {
  const before = await rows();
  await fc.assert(
    fc.asyncProperty(fields, async (given) => {
      const { status, body } = await postForm(kit, path, given);
      if (path === "/oauth/revoke" && status === 200) return;
      expect([400, 401]).toContain(status);
      expect(body).toEqual({ error: expect.stringMatching(/^[a-z_]+$/), error_description: expect.any(String) });
    }),
    { numRuns: 400 },
  );
  expect(await rows()).toEqual(before);
});

test("GET /oauth/authorize leads to us, or to the registered redirect with an error", async () => {
  await fc.assert(
    fc.asyncProperty(fields, fc.boolean(), async (given, known) => {
      const ours = { client_id: robin.clientId, redirect_uri: robin.redirectUri };
      const all = [...given, ...(known ? Object.entries(ours) : [])] as [string, string][];
      const { statusCode, headers } = await kit.app.http.inject({
        ...{ method: "GET", url: `/oauth/authorize?${new URLSearchParams(all)}`, remoteAddress: from() },
      });
      expect(statusCode).toBe(302);
      const to = headers.location ?? "";
      expect(to).toMatch(/^https:\/\/(?:chat\.test\/app\/connect\?|robin\.test\/callback\?error=[a-z_]+&)/);
      expect(to).toMatch(/^[\x21-\x7e]+$/);
    }),
    { numRuns: 700 },
  );
});

test("POST /oauth/register registers, or says why not", async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (redirects, name) => {
      const bodies = [redirects, { redirect_uris: redirects, client_name: name }];
      for (const asked of bodies) {
        if (typeof asked !== "object" || asked === null) continue;
        const { status, body } = await register(kit, asked);
        expect([201, 400]).toContain(status);
        if (status === 400) expect(body.error).toMatch(/^invalid_/);
      }
    }),
    { numRuns: 200 },
  );
});
