/** Codes and tokens (S3, S7, S8, S16; F11 to F14, F16, F17; A6, A7, A9, A10). */
import { listenBeside } from "@frontdesk/testing/mcp-app";
import { ISSUER, listTools, oauthApp, pkce, postForm, registeredApp, toolNames } from "@frontdesk/testing/oauth-app";
import { query } from "@frontdesk/testing/second-app";
import { signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { beforeEach, expect, test } from "vitest";
import { setAssistantState } from "../../assistants/update-assistant.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const kit = await startTestApp({ TOOL_RATE_LIMIT: "100000" });
const acme = await kit.team();
let admin = await signedIn(kit, acme, "CHAT_AGENT_ADMIN");
const beside = await listenBeside(kit);
const robin = await registeredApp(kit);

// Sessions end while the clock goes on.
beforeEach(async () => {
  admin = await admin.again();
});

const works = async (access: string) => (await listTools(kit, access)).status === 200;
const grants = async () => Number((await query(kit.storage, "SELECT count(*) AS n FROM app_grants"))[0]?.n);

test("a code gives both tokens, as a standard says it, which work at once", async () => {
  const answer = await robin.exchange(await robin.code(admin));
  expect([answer.status, answer.headers["cache-control"], answer.headers["access-control-allow-origin"]]).toEqual([
    ...[200, "no-store", "*"],
  ]);
  expect(answer.body).toEqual({
    access_token: expect.stringMatching(/^fd_access_[0-9A-Za-z]{71}$/),
    token_type: "Bearer",
    expires_in: 86_400,
    refresh_token: expect.stringMatching(/^fd_refresh_[0-9A-Za-z]{71}$/),
    scope: "assist",
  });
  // A host is known that refreshes a second after the first token.
  expect((await robin.refresh(answer.body.refresh_token)).status).toBe(200);
  expect(await toolNames(kit, answer.body.access_token)).toEqual([
    ...["list-conversations", "get-conversation", "search-conversations", "view-tags"],
  ]);
});

test.each([undefined, "assist", "offline_access openid", "read_conversations send_replies"])(
  "scope %j: one scope, and always a refresh token",
  async (scope) => {
    const { body } = await robin.exchange(await robin.code(admin, {}, { scope }));
    expect(body).toMatchObject({ scope: "assist", refresh_token: expect.any(String) });
  },
);

test.each([
  [undefined, "mcp"],
  [`${ISSUER}/mcp`, "mcp"],
  [`${ISSUER}/mcp/`, "mcp"],
  ["HTTPS://CHAT.TEST/mcp", "mcp"],
  ["https://chat.test:443/mcp", "mcp"],
  [`${ISSUER}/mcp/readonly`, "readonly"],
  [`${ISSUER}/mcp/readonly/`, "readonly"],
])("resource %s is %s", async (resource, door) => {
  const { access } = await robin.connect(admin, { permissions: ["view_tags", "add_notes"] }, { resource });
  expect(await toolNames(kit, access, "/mcp/readonly")).toEqual(["view-tags"]);
  expect((await listTools(kit, access)).status).toBe(door === "mcp" ? 200 : 401);
});

test("/tools takes no token of an app", async () => {
  const { access } = await robin.connect(admin);
  const headers = { authorization: `Bearer ${access}`, host: "chat.test" };
  expect((await kit.app.http.inject({ method: "GET", url: "/tools", headers })).statusCode).toBe(401);
});

test("a code is for one minute, and for once: its second use ends what the first gave", async () => {
  const late = await robin.code(admin);
  kit.clock.advance(MINUTE);
  expect((await robin.exchange(late)).body.error).toBe("invalid_grant");

  const once = await robin.code(admin);
  const { body } = await robin.exchange(once);
  expect(await works(body.access_token)).toBe(true);
  const again = await robin.exchange(once);
  expect([again.status, again.body.error]).toEqual([400, "invalid_grant"]);
  expect(await works(body.access_token)).toBe(false);
  expect((await robin.refresh(body.refresh_token)).body.error).toBe("invalid_grant");
  expect((await query(kit.storage, "SELECT action FROM audit_log ORDER BY id DESC LIMIT 1"))[0]).toEqual({
    action: "exchange-code",
  });
});

test("of eight who use a code at once, over two processes, one gets tokens, and they end with the second", async () => {
  const once = await robin.code(admin);
  const other = oauthApp(beside, robin);
  const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => (n % 2 ? robin : other).exchange(once)));
  const given = answers.filter(({ status }) => status === 200);
  expect(given).toHaveLength(1);
  expect(answers.filter(({ body }) => body.error === "invalid_grant")).toHaveLength(7);
  expect(await works(given[0]?.body.access_token)).toBe(false);
});

test("a code is bound to its client, redirect, challenge, resource and connection", async () => {
  const other = await registeredApp(kit, { name: "Other", redirectUri: "https://other.test/callback" });
  const swaps: [string, Record<string, string | undefined>, string][] = [
    ["another client", { client_id: other.clientId }, "invalid_grant"],
    ["a client by document", { client_id: "https://claude.ai/oauth/x" }, "invalid_grant"],
    ["a client that is unknown", { client_id: "nobody" }, "invalid_client"],
    ["no client", { client_id: undefined }, "invalid_request"],
    ["another redirect", { redirect_uri: other.redirectUri }, "invalid_grant"],
    ["a redirect with a slash", { redirect_uri: `${robin.redirectUri}/` }, "invalid_grant"],
    ["another verifier", { code_verifier: pkce().verifier }, "invalid_grant"],
    ["no verifier", { code_verifier: undefined }, "invalid_request"],
    ["an empty verifier", { code_verifier: "" }, "invalid_request"],
    ["the challenge as its verifier", { code_verifier: "challenge" }, "invalid_grant"],
    ["a verifier that is too short", { code_verifier: "a".repeat(42) }, "invalid_grant"],
    ["the other resource", { resource: `${ISSUER}/mcp/readonly` }, "invalid_target"],
    ["the resource of another server", { resource: "https://evil.test/mcp" }, "invalid_target"],
    ["another code", { code: `fd_code_${"0".repeat(71)}` }, "invalid_grant"],
    ["a refresh token for a code", { code: (await robin.connect(admin)).refresh }, "invalid_grant"],
    ["no code", { code: undefined }, "invalid_request"],
  ];
  const code = await robin.code(admin);
  for (const [what, change, error] of swaps) {
    const given = what.startsWith("the challenge") ? { code_verifier: pkce().challenge } : change;
    const answer = await robin.exchange(code, given);
    expect([answer.status, answer.body.error], what).toEqual([error === "invalid_client" ? 401 : 400, error]);
  }
  // None of them has used it up.
  expect((await robin.exchange(code)).status).toBe(200);
  const withoutRedirect = await robin.code(admin);
  expect((await robin.exchange(withoutRedirect, { redirect_uri: undefined })).status).toBe(200);
});

test("every error is JSON of the standard, and nothing is cached", async () => {
  const { refresh } = await robin.connect(admin);
  const form = { grant_type: "refresh_token", client_id: robin.clientId, refresh_token: refresh };
  const asked: [string, Record<string, string | undefined> | [string, string][], number, string][] = [
    ["no grant_type", { ...form, grant_type: undefined }, 400, "invalid_request"],
    ["the password grant", { ...form, grant_type: "password" }, 400, "unsupported_grant_type"],
    ["the implicit grant", { ...form, grant_type: "implicit" }, 400, "unsupported_grant_type"],
    ["client credentials", { ...form, grant_type: "client_credentials" }, 400, "unsupported_grant_type"],
    ["a dead token", { ...form, refresh_token: `fd_refresh_${"0".repeat(71)}` }, 400, "invalid_grant"],
    ["a token of no form", { ...form, refresh_token: "x" }, 400, "invalid_grant"],
    ["no token", { ...form, refresh_token: "" }, 400, "invalid_request"],
    ["a client of no one", { ...form, client_id: "x" }, 401, "invalid_client"],
    ["a parameter twice", [...Object.entries(form), ["client_id", "x"]] as [string, string][], 400, "invalid_request"],
    ["another resource", { ...form, resource: "https://evil.test/mcp" }, 400, "invalid_target"],
  ];
  for (const [what, fields, status, error] of asked) {
    const answer = await postForm(kit, "/oauth/token", fields);
    expect([answer.status, answer.body.error, answer.headers["cache-control"]], what).toEqual([
      status,
      error,
      "no-store",
    ]);
    expect(Object.keys(answer.body)).toEqual(["error", "error_description"]);
  }
  const json = await kit.app.http.inject({ method: "POST", url: "/oauth/token", payload: form });
  expect([json.statusCode, json.json().error]).toEqual([400, "invalid_request"]);
  const text = {
    method: "POST",
    url: "/oauth/token",
    headers: { "content-type": "text/plain" },
    payload: "x",
  } as const;
  expect((await kit.app.http.inject(text)).json().error).toBe("invalid_request");
  expect((await kit.app.http.inject({ method: "GET", url: "/oauth/token" })).statusCode).toBe(405);
});

test("eight refreshes at once, over two processes, are all usable, in one grant", async () => {
  const { refresh } = await robin.connect(admin);
  const before = await grants();
  const other = oauthApp(beside, robin);
  const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => (n % 2 ? robin : other).refresh(refresh)));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  for (const { body } of answers) {
    expect(await works(body.access_token)).toBe(true);
    expect((await robin.refresh(body.refresh_token)).status).toBe(200);
  }
  expect(await grants()).toBe(before);
});

test("an answer that was lost can be asked for again, days later; a token whose successor was used cannot", async () => {
  const lost = await robin.connect(admin);
  await robin.refresh(lost.refresh);
  kit.clock.advance(5 * DAY);
  const { status, body } = await robin.refresh(lost.refresh);
  expect(status).toBe(200);
  expect(await works(body.access_token)).toBe(true);

  const next = await robin.refresh(body.refresh_token);
  expect(await works(next.body.access_token)).toBe(true);
  kit.clock.advance(10 * MINUTE);
  // A worker that has been slow.
  expect((await robin.refresh(body.refresh_token)).status).toBe(200);
  kit.clock.advance(1);
  const replayed = await robin.refresh(body.refresh_token);
  expect([replayed.status, replayed.body.error]).toEqual([400, "invalid_grant"]);
  expect(await works(next.body.access_token)).toBe(false);
  expect((await robin.refresh(next.body.refresh_token)).body.error).toBe("invalid_grant");
  expect((await query(kit.storage, "SELECT action FROM audit_log ORDER BY id DESC LIMIT 1"))[0]).toEqual({
    action: "renew-app-tokens",
  });
});

test("the connection says that its access was ended, until it is connected again", async () => {
  const app = await registeredApp(kit, { name: "Noted" });
  const tokens = await app.connect(admin);
  const noted = async () => {
    const { data } = (await acme.get("/assistants?limit=100")).body;
    return data.find(({ attributes }: { attributes: { name: string } }) => attributes.name === "Noted").attributes.app;
  };
  expect(await noted()).toEqual({
    ...{ name: "Noted", host: null, redirect_host: "robin.test", resource: "mcp", ended_at: null },
  });
  const { body } = await app.refresh(tokens.refresh);
  await works(body.access_token);
  kit.clock.advance(11 * MINUTE);
  await app.refresh(tokens.refresh);
  expect((await noted()).ended_at).toBe(new Date(kit.clock.now()).toISOString());
  await app.connect(admin);
  expect((await noted()).ended_at).toBeNull();
});

test("a refresh token ends after 60 days without use, and all of it a year after the consent", async () => {
  const idle = await robin.connect(admin);
  kit.clock.advance(60 * DAY - 1);
  const { body } = await robin.refresh(idle.refresh);
  kit.clock.advance(60 * DAY);
  expect((await robin.refresh(body.refresh_token)).body.error).toBe("invalid_grant");

  admin = await admin.again();
  let { refresh } = await robin.connect(admin);
  const began = kit.clock.now();
  for (let day = 0; day < 360; day += 40) {
    kit.clock.advance(40 * DAY);
    refresh = (await robin.refresh(refresh)).body.refresh_token;
  }
  kit.clock.advance(began + 365 * DAY - kit.clock.now() - 60_000);
  const last = await robin.refresh(refresh);
  expect([last.status, last.body.expires_in]).toEqual([200, 60]);
  kit.clock.advance(60_000);
  expect((await robin.refresh(last.body.refresh_token)).body.error).toBe("invalid_grant");
  expect(await works(last.body.access_token)).toBe(false);
});

test("an access token ends after a day, although it was cached", async () => {
  const { access } = await robin.connect(admin);
  kit.clock.advance(DAY - 1);
  expect(await works(access)).toBe(true);
  kit.clock.advance(1);
  expect(await works(access)).toBe(false);
});

test("an app may give its tokens back: always 200, and the grant ends", async () => {
  const { access, refresh } = await robin.connect(admin);
  const revoke = (fields: Record<string, string>) => postForm(kit, "/oauth/revoke", fields);
  const other = await registeredApp(kit, { name: "Other" });
  for (const fields of [{ token: "x" }, { token: refresh, client_id: other.clientId }, { token: acme.apiKey }])
    expect((await revoke(fields)).status).toBe(200);
  expect(await works(access)).toBe(true);
  expect((await revoke({ token: refresh, client_id: robin.clientId, token_type_hint: "refresh_token" })).status).toBe(
    200,
  );
  expect(await works(access)).toBe(false);
  expect((await robin.refresh(refresh)).body.error).toBe("invalid_grant");
  expect((await revoke({})).body.error).toBe("invalid_request");
});

test("a revoked connection: no token of it works, and no code", async () => {
  const app = await registeredApp(kit, { name: "Revoked" });
  const code = await app.code(admin);
  const { access, refresh } = await app.connect(admin);
  const { data } = (await acme.get("/assistants?limit=100")).body;
  const { id } = data.find(({ attributes }: { attributes: { name: string } }) => attributes.name === "Revoked");
  await kit.app.perform(acme.actor, setAssistantState, { assistantId: id, state: "revoked" });
  expect(await works(access)).toBe(false);
  expect((await app.refresh(refresh)).body.error).toBe("invalid_grant");
  expect((await app.exchange(code)).body.error).toBe("invalid_grant");
});

test("a grant that refreshes without end has to wait, and is not harmed by it", async () => {
  let { refresh } = await robin.connect(admin);
  let answer = await robin.refresh(refresh);
  let count = 1;
  for (; answer.status === 200 && count < 100; count += 1) {
    refresh = answer.body.refresh_token;
    answer = await robin.refresh(refresh);
  }
  expect([answer.status, answer.body.error, Number(answer.headers["retry-after"])]).toEqual([
    ...[429, "temporarily_unavailable", 60],
  ]);
  expect(count).toBe(60);
  kit.clock.advance(15 * MINUTE);
  expect((await robin.refresh(refresh)).status).toBe(200);
});

test("300 people behind one address refresh in the same minute, and tokens that ended are no wrong keys", async () => {
  const alive: { access: string; refresh: string }[] = [];
  for (let count = 0; count < 20; count += 1) alive.push(await robin.connect(admin));
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, n) => robin.refresh(alive[n % alive.length]?.refresh as string)),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  kit.clock.advance(2 * DAY);
  for (let count = 0; count < 100; count += 1) expect((await listTools(kit, alive[0]?.access)).status).toBe(401);
  expect((await listTools(kit, "fd_assistant_x")).status).toBe(401);
});

test("the database has hashes alone", async () => {
  const code = await robin.code(admin);
  const { body } = await robin.exchange(code);
  const tables = await Promise.all(
    ["app_grants", "app_tokens", "assistants", "events", "audit_log"].map((table) =>
      query(kit.storage, `SELECT * FROM ${table}`),
    ),
  );
  const dump = JSON.stringify(tables);
  for (const secret of [code.code, code.verifier, body.access_token, body.refresh_token]) {
    expect(secret.length).toBeGreaterThan(40);
    expect(dump).not.toContain(secret);
  }
});
