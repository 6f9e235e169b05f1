/** Registration without a row (S8, S14; F7 to F10; A5). */

import { inDepth } from "@frontdesk/testing/depth";
import { listenBeside } from "@frontdesk/testing/mcp-app";
import { oauthApp, register, registeredApp } from "@frontdesk/testing/oauth-app";
import { query } from "@frontdesk/testing/second-app";
import { signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";

const kit = await startTestApp();
const acme = await kit.team();
const CURSOR = "cursor://anysphere.cursor-mcp/oauth/callback";
const CURSOR_WEB = "https://www.cursor.com/agents/mcp/oauth/callback";

/** Where the browser is sent for a redirect of a client. */
async function leadsTo(clientId: string, redirectUri: string): Promise<string> {
  const { headers } = await oauthApp(kit, { clientId, redirectUri }).authorize();
  return new URL(headers.location ?? "").searchParams.get("problem") ?? "asked";
}

test("an answer has no null, no secret, and whole numbers", async () => {
  const body = { client_name: "Claude", redirect_uris: ["https://claude.ai/api/mcp/auth_callback"], scope: "x y" };
  const { status, headers, body: given } = await register(kit, body);
  expect([status, headers["cache-control"]]).toEqual([201, "no-store"]);
  expect(given).toEqual({
    client_id: expect.stringMatching(/^fd_client_[\w.-]+$/),
    client_id_issued_at: Math.floor(kit.clock.now() / 1_000),
    client_name: "Claude",
    redirect_uris: body.redirect_uris,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    scope: "assist",
  });
});

test.each([
  ["its desktop app", [CURSOR], [CURSOR]],
  ["the build of March", [CURSOR, CURSOR_WEB], [CURSOR, CURSOR_WEB]],
  ["the build with a port", [CURSOR, CURSOR_WEB, "http://localhost:8787/callback"], undefined],
  ["one with a scheme that we don't take", ["cursor-nightly://x/callback", CURSOR_WEB, CURSOR], [CURSOR_WEB, CURSOR]],
])("Cursor, %s: what can't be used is left out, and each of the others will do", async (_what, asked, kept = asked) => {
  const { status, body } = await register(kit, { client_name: "Cursor", redirect_uris: asked });
  expect([status, body.redirect_uris]).toEqual([201, kept]);
  for (const redirect of kept) expect(await leadsTo(body.client_id, redirect)).toBe("asked");
  for (const redirect of asked.filter((uri) => !kept.includes(uri)))
    expect(await leadsTo(body.client_id, redirect)).toBe("unknown-redirect");
});

test.each([undefined, "native", "web", "nonsense", 5])("application_type %j changes nothing", async (type) => {
  const { status, body } = await register(kit, {
    ...{ redirect_uris: ["http://localhost:1/callback"], application_type: type, token_endpoint_auth_method: "none" },
  });
  expect(status).toBe(201);
  expect(await leadsTo(body.client_id, "http://localhost:54321/callback")).toBe("asked");
});

test.each<[string, unknown, string]>([
  ["no redirects", {}, "invalid_redirect_uri"],
  ["an empty list", { redirect_uris: [] }, "invalid_redirect_uri"],
  ["a text", { redirect_uris: "https://a.test/" }, "invalid_redirect_uri"],
  ["none that will do", { redirect_uris: ["http://a.test/", "myapp://x", 5, null] }, "invalid_redirect_uri"],
  ["a name that is none", { client_name: 5, redirect_uris: ["https://a.test/"] }, "invalid_client_metadata"],
  ["a list", [], "invalid_client_metadata"],
  [
    "addresses without end",
    { redirect_uris: Array.from({ length: 10 }, (_, n) => `https://a.test/${n}${"x".repeat(900)}`) },
    "invalid_client_metadata",
  ],
])("%s: 400 as RFC 7591 has it", async (_what, body, error) => {
  expect(await register(kit, body)).toMatchObject({
    status: 400,
    body: { error, error_description: expect.any(String) },
  });
});

test("what is no JSON, or too long, gets an error in the same form", async () => {
  const send = (payload: string, type: string) =>
    kit.app.http.inject({ method: "POST", url: "/oauth/register", headers: { "content-type": type }, payload });
  for (const [payload, type, status] of [
    ["{", "application/json", 400],
    ["a=b", "application/x-www-form-urlencoded", 400],
    ["<a/>", "text/xml", 415],
    [JSON.stringify({ a: "x".repeat(20_000) }), "application/json", 413],
  ] as const) {
    const answer = await send(payload, type);
    expect([answer.statusCode, answer.json().error]).toEqual([status, expect.stringMatching(/^invalid_/)]);
  }
});

test("a name is one line, without characters that hide what follows", async () => {
  const shown = async (name: string) =>
    (await register(kit, { client_name: name, redirect_uris: ["https://a.test:8443/"] })).body.client_name;
  expect(await shown("  Claude\n\u202ecom.live\u0007 ")).toBe("Claude com.live");
  expect(await shown("\u200b\u2066")).toBe("a.test:8443");
  expect(await shown("x".repeat(500))).toHaveLength(100);
});

test("an id works after a restart, and in another process; one that was changed, or of another installation, does not", async () => {
  const robin = await registeredApp(kit);
  const beside = await listenBeside(kit);
  expect((await oauthApp(beside, robin).authorize()).headers.location).toMatch(/connect\?request=/);
  const other = await startTestApp();
  expect((await oauthApp(other, robin).authorize()).headers.location).toMatch(/problem=unknown-app/);
  for (const clientId of [
    robin.clientId.slice(0, -4),
    // Not its last character, some of whose bits are no part of the bytes.
    `${robin.clientId.slice(0, -2)}${robin.clientId.at(-2) === "A" ? "B" : "A"}${robin.clientId.at(-1)}`,
    "fd_client_",
    "fd_client_v1.abc",
    "",
    "x",
    "__proto__",
  ]) {
    expect(await leadsTo(clientId, robin.redirectUri), clientId).toBe("unknown-app");
  }
});

const STRANGERS = inDepth(10, 100);

test(`${STRANGERS * 100} questions and registrations of strangers leave no row`, async () => {
  const beside = await listenBeside(kit);
  const robin = await registeredApp(kit);
  await signedIn(kit, acme, "CHAT_AGENT_ADMIN");
  const rows = async () => {
    const tables = ["app_grants", "app_tokens", "assistants", "audit_log", "events", "jobs", "idempotency_keys"];
    return Promise.all(
      tables.map(async (table) => Number((await query(kit.storage, `SELECT count(*) AS n FROM ${table}`))[0]?.n)),
    );
  };
  const before = await rows();
  for (let count = 0; count < STRANGERS; count += 1) {
    const at = { remoteAddress: `192.0.${count}.1` };
    await Promise.all(
      Array.from({ length: 50 }, (_, n) => [
        beside.app.http.inject({
          ...at,
          method: "GET",
          url: `/oauth/authorize?${robin.query({ state: `${count}-${n}` })}`,
        }),
        beside.app.http.inject({
          ...{ ...at, method: "POST", url: "/oauth/register" },
          payload: { redirect_uris: [`https://a.test/${n}`] },
        }),
      ]).flat(),
    );
  }
  expect(await rows()).toEqual(before);
});
