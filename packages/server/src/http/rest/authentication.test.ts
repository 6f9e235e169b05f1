/** Specification, "Authentication" and "Errors" 401, 403; decision 29. */
import { apiKeyScopes } from "@frontdesk/core/domain/policy";
import { appOn, dump, overTheWire, query } from "@frontdesk/testing/second-app";
import { type RequestOptions, startTestApp } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import { createApiKey } from "../../access/create-api-key.ts";
import { listApiKeys } from "../../access/list-api-keys.ts";
import { revokeApiKey } from "../../access/revoke-api-key.ts";
import { newToken } from "../../access/token.ts";
import { updateTeam } from "../../teams/update-team.ts";

const { app, team, request, storage, runtime, clock } = await startTestApp();
const other = await appOn({ storage, runtime });
const base = await other.start();
const MINUTE_MS = 60_000;

const refused = { message: "The API key is missing or invalid." };
const withKey = (key: string) => request("GET", "/widgets", { headers: { "x-api-key": key } });

test("a missing, malformed, mistyped, unknown or foreign key is 401, all with the same body", async () => {
  const acme = await team();
  const key = acme.apiKey;
  const last = key.at(-1) === "0" ? "1" : "0";
  const keys = [
    "",
    "x",
    "fd_key_",
    "null",
    `${key} `.repeat(2),
    key.slice(0, -1),
    key.slice(0, -1) + last,
    key.replace("fd_key_", "fd_invite_"),
    key.toUpperCase(),
    `Bearer ${key}`,
    `${key}a`,
    "f".repeat(10_000),
    newToken("key", acme.teamId, runtime.random),
    newToken("key", runtime.newId(), runtime.random),
    newToken("invite", acme.teamId, runtime.random),
    newToken("key", "ffffffff-ffff-ffff-ffff-ffffffffffff", runtime.random),
  ];
  const answers = [await request("GET", "/widgets"), ...(await Promise.all(keys.map(withKey)))];
  for (const { status, body, headers } of answers) {
    expect({ status, body }).toEqual({ status: 401, body: refused });
    expect(headers["x-request-id"]).toBeTruthy();
    expect(headers["x-ratelimit-limit"]).toBeUndefined();
  }
  expect((await withKey(key)).status).toBe(200);
});

test("the header's name may be written in any case; the key in the query or in another header is no key", async () => {
  const { apiKey } = await team();
  for (const name of ["X-API-KEY", "x-api-key", "X-Api-Key"]) {
    expect((await request("GET", "/widgets", { headers: { [name]: apiKey } })).status).toBe(200);
  }
  for (const query of [`?x-api-key=${apiKey}`, `?X-API-KEY=${apiKey}`, `?api_key=${apiKey}`]) {
    expect(await request("GET", `/widgets${query}`)).toMatchObject({ status: 401, body: refused });
  }
  for (const headers of [{ authorization: `Bearer ${apiKey}` }, { cookie: `x-api-key=${apiKey}` }]) {
    expect(await request("GET", "/widgets", { headers })).toMatchObject({ status: 401, body: refused });
  }
});

test("a key that is sent twice is 401, even when both are right", async () => {
  const acme = await team();
  const answer = await overTheWire(base, {
    path: "/api/v1/widgets",
    headers: { "x-api-key": [acme.apiKey, acme.apiKey] },
  });
  expect(answer).toMatchObject({ status: 401, body: refused });
});

test("a key works until the moment it expires", async () => {
  const acme = await team({ expiresAt: clock.now() + MINUTE_MS });
  clock.advance(MINUTE_MS - 1);
  expect((await withKey(acme.apiKey)).status).toBe(200);
  clock.advance(1);
  expect(await withKey(acme.apiKey)).toMatchObject({ status: 401, body: refused });
});

test("a revoked key is refused at once, also by a server that has answered it before", async () => {
  const acme = await team();
  const ask = () => other.http.inject({ url: "/api/v1/widgets", headers: { "x-api-key": acme.apiKey } });
  expect((await ask()).statusCode).toBe(200);
  const [{ id: keyId } = { id: "" }] = await app.perform(acme.actor, listApiKeys, {});
  await app.perform(acme.actor, revokeApiKey, { keyId });
  expect((await ask()).statusCode).toBe(401);
  expect(await withKey(acme.apiKey)).toMatchObject({ status: 401, body: refused });
});

test("a key of another team opens that team and no other", async () => {
  const [acme, sams] = [await team(), await team()];
  const mine = await sams.get("/agents");
  expect(mine.body.data.map(({ id }: { id: string }) => id)).toEqual([sams.ada.id]);
  expect((await sams.get(`/agents/${acme.ada.id}`)).status).toBe(403);
});

test("a key without the scope of an operation is 403; with the scope alone it passes", async () => {
  const reader = await team({ scopes: ["widgets:read"] });
  expect((await reader.get("/widgets")).status).toBe(200);
  for (const path of ["/contacts", "/conversations/all", "/agents", "/webhooks", "/webhooks/events", "/assistants"]) {
    expect(await reader.get(path)).toMatchObject({
      status: 403,
      body: { message: "This API key does not have permission to do this." },
    });
  }
  const none = await team({ scopes: [] });
  expect((await none.get("/widgets")).status).toBe(403);
  const all = await team({ scopes: apiKeyScopes });
  expect((await all.get("/webhooks")).status).toBe(200);
});

test("what a key may not do leaves nothing behind", async () => {
  const reader = await team({ scopes: ["contacts:read", "webhooks:read"] });
  const before = await reader.events();
  for (const answer of [
    await reader.post("/webhooks", { endpoint_url: "https://a.test/hook", events: ["message.sent"] }),
    await reader.post("/conversations", { widget_id: reader.widgetId, content: "Hi" }, { "idempotency-key": "1" }),
  ]) {
    expect(answer.status).toBe(403);
  }
  expect(await reader.events()).toEqual(before);
  expect((await reader.get("/contacts")).body.meta.pagination.total).toBe(0);
});

test("API access that is switched off is 403 at once, on every server, and on again as before", async () => {
  const acme = await team();
  const ask = async () => {
    const [here, there] = await Promise.all([
      acme.get("/widgets"),
      other.http.inject({ url: "/api/v1/widgets", headers: { "x-api-key": acme.apiKey } }),
    ]);
    return [here.status, there.statusCode];
  };
  expect(await ask()).toEqual([200, 200]);
  await app.perform(acme.actor, updateTeam, { apiAccess: false });
  expect(await ask()).toEqual([403, 403]);
  expect((await acme.get("/widgets")).body).toEqual({ message: "API access is turned off for this account." });
  await app.perform(acme.actor, updateTeam, { apiAccess: true });
  expect(await ask()).toEqual([200, 200]);
});

test("a client without access gets that error first, before any error of the request", async () => {
  const acme = await team();
  const wrong = { headers: { "content-type": "text/html" }, body: "{{{" };
  const asks: [string, string, RequestOptions][] = [
    ["POST", "/contacts/initialize", wrong],
    ["POST", "/messages", { body: "not json" }],
    ["GET", "/contacts?limit=abc", {}],
    ["GET", "/contacts?search=%ff", {}],
    ["GET", "/contacts?search=%00", {}],
    ["GET", "/contacts/%00", {}],
  ];
  for (const [method, path, ask] of asks) {
    expect(await request(method, path, ask)).toMatchObject({ status: 401, body: refused });
  }
  await app.perform(acme.actor, updateTeam, { apiAccess: false });
  for (const [method, path, ask] of asks) {
    const headers = { ...ask.headers, "x-api-key": acme.apiKey };
    expect((await request(method, path, { ...ask, headers })).status).toBe(403);
  }
});

test("the last use of a key is noted, at most once a minute", async () => {
  const acme = await team();
  const lastUse = async () => {
    // It is behind the note in the team's write queue, so that the note is stored once this is.
    await storage.write(acme.teamId, async () => {});
    const [row] = await query(storage, `SELECT last_used_at FROM api_keys WHERE team_id = '${acme.teamId}'`);
    return row?.last_used_at;
  };
  expect(await lastUse()).toBeNull();
  const first = clock.now();
  await acme.get("/widgets");
  expect(await lastUse()).toBe(first);
  clock.advance(MINUTE_MS - 1);
  await acme.get("/widgets");
  expect(await lastUse()).toBe(first);
  clock.advance(1);
  await acme.get("/widgets");
  expect(await lastUse()).toBe(first + MINUTE_MS);
});

test("no key, webhook secret or invitation link is in the database in a form that can be used", async () => {
  const acme = await team();
  const { value: second } = await app.perform(acme.actor, createApiKey, { name: "second" });
  const hook = { endpoint_url: "https://a.test/hook", events: ["message.sent"] };
  const made = await acme.post("/webhooks", hook, { "idempotency-key": "keep it" });
  const secret = made.body.data.attributes[0].signing_secret as string;
  const invited = await acme.post("/agents/invite", { agents: ["grace@acme.test"] }, { "idempotency-key": "invite" });
  const link = /\/join\/(\S+)/.exec(invited.body.message)?.[1] as string;
  expect(secret).toMatch(/^whsec_.{44}$/);
  expect(link).toMatch(/^fd_invite_/);

  const tables = await dump(storage);
  expect(tables).toContain("grace@acme.test");
  expect(tables).toContain("https://a.test/hook");
  for (const hidden of [acme.apiKey, second, secret, secret.slice("whsec_".length), link]) {
    expect(tables).not.toContain(hidden);
    expect(tables).not.toContain(hidden.slice(10, 40));
    expect(tables).not.toContain(Buffer.from(hidden).toString("base64").slice(0, 40));
    expect(tables).not.toContain(Buffer.from(hidden).toString("hex"));
  }
});

test("a signing secret is in the answer that makes it and in no other", async () => {
  const acme = await team();
  const made = await acme.post("/webhooks", { endpoint_url: "https://a.test/hook", events: ["message.sent"] });
  const secret = made.body.data.attributes[0].signing_secret as string;
  const path = `/webhooks/${made.body.data.id}`;
  const answers = [
    await acme.get(path),
    await acme.get("/webhooks"),
    await acme.patch(path, { name: "New" }),
    await acme.delete(path),
    { body: await acme.events() },
  ];
  for (const { body } of answers) expect(JSON.stringify(body)).not.toMatch(/signing_secret|whsec_|secret_sealed/);
  expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain(secret);
});
