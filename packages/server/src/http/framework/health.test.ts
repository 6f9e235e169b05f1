/** Architecture, 6 "health"; decisions 31 and 32. */

import { appOn, openBeside, query } from "@frontdesk/testing/second-app";
import { openTestStorage, startTestApp } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import { createLogger } from "../../logger.ts";

const { app, team, request, storage, runtime } = await startTestApp();
const behindProxy = await appOn({ storage, runtime, env: { TRUST_PROXY: "true" } });
const { storage: emptyStorage } = await openTestStorage();
const unmigrated = await appOn({ storage: emptyStorage, runtime });

/** An app whose whole log is kept, down to the last level. */
async function withLog(parts: Awaited<ReturnType<typeof startTestApp>>) {
  const lines: string[] = [];
  const logger = createLogger({ level: "trace", destination: { write: (line) => void lines.push(line) } });
  return { lines, logged: await appOn({ storage: parts.storage, runtime: parts.runtime, logger }) };
}
const broken = await startTestApp();
const { lines: brokenLines, logged: brokenApp } = await withLog(broken);
const talkative = await startTestApp();
const { lines, logged } = await withLog(talkative);

test("/health/live says that the process runs, also when it cannot work", async () => {
  for (const { http } of [app, unmigrated]) {
    const answer = await http.inject("/health/live");
    expect([answer.statusCode, answer.json()]).toEqual([200, { status: "ok" }]);
  }
});

test("/health/ready says whether it can do its work", async () => {
  const ready = await app.http.inject("/health/ready");
  expect([ready.statusCode, ready.json()]).toEqual([200, { status: "ok" }]);
  const not = await unmigrated.http.inject("/health/ready");
  expect([not.statusCode, not.json()]).toEqual([503, { status: "unavailable" }]);
});

test("/metrics is for our own networks; from outside there is nothing at this address", async () => {
  const ask = async (from: string, headers: Record<string, string> = {}, of = app) =>
    (await of.http.inject({ url: "/metrics", remoteAddress: from, headers })).statusCode;
  for (const from of ["127.0.0.1", "::1", "10.1.2.3", "192.168.0.9", "172.16.0.1", "fd00::1", "::ffff:10.0.0.1"]) {
    expect(await ask(from), from).toBe(200);
  }
  for (const from of ["203.0.113.7", "8.8.8.8", "2001:db8::1", "::ffff:8.8.8.8", "172.32.0.1"]) {
    expect(await ask(from), from).toBe(404);
  }
  // Through a proxy that we trust, it is the visitor's address that counts.
  expect(await ask("10.0.0.1", { "x-forwarded-for": "203.0.113.7" }, behindProxy)).toBe(404);
  expect(await ask("10.0.0.1", { "x-forwarded-for": "10.0.0.5" }, behindProxy)).toBe(200);
  // Through an unknown proxy, any client could ask.
  expect(await ask("127.0.0.1", { "x-forwarded-for": "203.0.113.7" })).toBe(404);
  expect(await ask("127.0.0.1", { forwarded: "for=203.0.113.7" })).toBe(404);
  const outside = await app.http.inject({ url: "/metrics", remoteAddress: "8.8.8.8" });
  expect(outside.json()).toEqual({ message: "There is nothing at this address." });
});

test("the metrics name routes by their pattern, and hold no id, address, key or text", async () => {
  const acme = await team();
  const body = { widget_id: acme.widgetId, content: "the secret question", email: "vera@example.com" };
  const asked = await acme.post("/conversations", body);
  const { conversation_id, contact } = asked.body.data.attributes;
  await acme.get(`/contacts/${contact.id}?search=hidden`);
  await acme.get(`/conversations/${conversation_id}/messages?search=hidden`);
  await acme.get("/no/such/address/hidden");
  await request("GET", "/widgets", { headers: { "x-api-key": "hidden" } });
  const { payload } = await app.http.inject("/metrics");
  expect(payload).toContain('route="/api/v1/contacts/:id",status="200"');
  expect(payload).toContain('route="/api/v1/widgets",status="401"');
  expect(payload).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-|hidden|secret|vera|example\.com|fd_key/);
});

test("the command that starts it prints where it listens, and the log does not repeat it", async () => {
  const { lines: told, logged: starting } = await withLog({ ...talkative, storage: await openBeside(storage) });
  await starting.start();
  expect(told.join("")).toBe("");
  await starting.http.inject("/health/live");
  expect(told.join("")).toContain("Answered");
  await starting.close();
});

test("a line of the log says which address asked, as the limits count it, and holds no token", async () => {
  const { lines, logged } = await withLog({ ...talkative, storage: await openBeside(storage) });
  for (const [remoteAddress, client] of [
    ["203.0.113.9", "203.0.113.9"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ]) {
    lines.length = 0;
    await logged.http.inject({
      url: "/files/fd_file_geheim/map.png?token=geheim",
      remoteAddress: String(remoteAddress),
    });
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ msg: "Answered", route: "/files/:token/:name", client });
    await logged.http.inject({ url: "/exports/fd_export_geheim/a.zip", remoteAddress: String(remoteAddress) });
    await logged.http.inject({ url: "/app/join/geheim", remoteAddress: String(remoteAddress) });
    await logged.http.inject({ url: "/setup?token=geheim", headers: { authorization: "Bearer geheim" } });
    expect(lines).toHaveLength(4);
    expect(lines.join("")).not.toContain("geheim");
  }
  await logged.close();
});

test("every answer has its own request id, and no client chooses it", async () => {
  const acme = await team();
  const answers = [
    await acme.get("/widgets"),
    await acme.get("/widgets", { "x-request-id": "mine" }),
    await acme.get("/contacts/unknown"),
    await acme.get("/contacts?limit=0"),
    await acme.get("/contacts/%ff"),
    await acme.get("/nothing"),
    await acme.post("/widgets", {}),
    await acme.post("/messages", "not json"),
    await request("GET", "/widgets"),
    await request("GET", "/openapi.json"),
  ];
  const ids = answers.map(({ headers }) => headers["x-request-id"]);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
  expect(new Set(ids).size).toBe(answers.length);
  for (const { body } of answers) expect(JSON.stringify(body)).not.toMatch(/request_?id/i);
});

test("a fault of ours is a generic 500; the log has the reason under the same request id", async () => {
  const acme = await broken.team();
  await query(broken.storage, "ALTER TABLE page_visits RENAME TO hidden_visits");
  await query(broken.storage, "ALTER TABLE messages RENAME TO hidden_messages");
  const call = (method: "GET" | "POST", url: string, body?: object) =>
    brokenApp.http.inject({
      method,
      url: `/api/v1${url}`,
      headers: { "x-api-key": acme.apiKey, "content-type": "application/json" },
      ...(body && { payload: body }),
    });
  const asked = { widget_id: acme.widgetId, content: "the secret question" };
  // A list without a contact has no need of the table.
  await call("POST", "/contacts/initialize", { widgetId: acme.widgetId });
  for (const answer of [
    await call("GET", "/contacts"),
    await call("POST", "/conversations", asked),
    await call("POST", "/contacts/initialize", {
      widgetId: acme.widgetId,
      message: { content: "the secret question" },
    }),
  ]) {
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toEqual({ message: "Something went wrong on our side. Please try again." });
    const id = answer.headers["x-request-id"];
    const told = brokenLines.map((line) => JSON.parse(line)).filter((line) => line.reqId === id && line.level >= 50);
    expect(told).toHaveLength(1);
    expect(told[0].err.message).toMatch(/page_visits|messages/);
    expect(told[0].err.stack).toContain("/storage/");
  }
  expect(brokenLines.join("")).not.toContain("the secret question");
  // Nothing is half done: neither contact nor conversation of the failed requests is there.
  expect(await query(broken.storage, `SELECT id FROM conversations WHERE team_id = '${acme.teamId}'`)).toEqual([]);
});

test("a row that the database refuses does not get into the log with its texts", async () => {
  const acme = await broken.team();
  const rule =
    broken.storage.engine === "sqlite"
      ? "CREATE TRIGGER refuse BEFORE INSERT ON contacts BEGIN SELECT raise(abort, 'refused'); END"
      : "ALTER TABLE contacts ADD CONSTRAINT refuse CHECK (name IS NULL)";
  await query(broken.storage, rule);
  const person = { name: "Vera the secret", email: "secret@vera.test" };
  for (const [url, body] of [
    ["/contacts/initialize", { widgetId: acme.widgetId, ...person }],
    ["/conversations", { widget_id: acme.widgetId, content: "the secret question", ...person }],
  ] as const) {
    const answer = await brokenApp.http.inject({
      method: "POST",
      url: `/api/v1${url}`,
      headers: { "x-api-key": acme.apiKey },
      payload: body,
    });
    expect(answer.statusCode).toBe(500);
    const id = String(answer.headers["x-request-id"]);
    const told = brokenLines.find((line) => line.includes(id) && line.includes('"level":50'));
    expect(told).toMatch(/refuse/);
  }
  expect(brokenLines.join("")).not.toMatch(/the secret|secret@vera/);
});

test("the log holds no key, secret, link or text of anybody, at any level", async () => {
  const acme = await talkative.team();
  const sent: string[] = [];
  const call = async (method: "GET" | "POST" | "PUT", url: string, body?: object | string, key = acme.apiKey) => {
    sent.push(url);
    const answer = await logged.http.inject({
      method,
      url: `/api/v1${url}`,
      headers: { "x-api-key": key, "content-type": "application/json", "idempotency-key": `private-${sent.length}` },
      ...(body && { payload: body }),
    });
    return answer.json();
  };
  const visitor = { email: "vera@private.test", phone: "+4915112345678", name: "Vera Private" };
  const asked = await call("POST", "/conversations", {
    widget_id: acme.widgetId,
    content: "private words",
    ...visitor,
  });
  const { conversation_id, contact } = asked.data.attributes;
  await call("POST", "/messages", { conversation_id, content: "private words too" });
  await call("PUT", `/contacts/${contact.id}`, { name: "Private Vera" });
  await call("GET", "/contacts?search=private");
  const hook = await call("POST", "/webhooks", { endpoint_url: "https://private.test/hook", events: ["message.sent"] });
  const secret = hook.data.attributes[0].signing_secret;
  const { message } = await call("POST", "/agents/invite", { agents: ["grace@private.test"] });
  const link = /\/join\/(\S+)/.exec(message)?.[1] as string;
  await logged.http.inject(`/join/${link}`);
  await logged.http.inject("/setup?token=private-token");
  await call("POST", "/messages", '{"content": "private words", ');
  await call("POST", "/messages", { content: 5, agent_id: "private" });
  await call("GET", "/widgets", undefined, `${acme.apiKey.slice(0, -1)}*`);
  await call("GET", "/%ff/private");

  const log = lines.join("");
  expect(lines.length).toBeGreaterThanOrEqual(sent.length);
  for (const hidden of [acme.apiKey, acme.apiKey.slice(0, -6), secret, link, "private", "+4915112345678", "whsec_"]) {
    expect(log.toLowerCase()).not.toContain(hidden.toLowerCase());
  }
});
