/** Decision 33. */
import { IDEMPOTENCY_KEY, type RestOperation, rest } from "@frontdesk/core/contract";
import { appOn, dump, openBeside, query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import { createApiKey } from "../access/create-api-key.ts";

const { app, team, request, storage, runtime, clock } = await startTestApp();
const other = await appOn({ storage: await openBeside(storage), runtime });
const DAY_MS = 24 * 60 * 60 * 1_000;

/** The POSTs that create, and the conversation that POST /messages writes into. */
async function creatingPosts(acme: TestTeam) {
  const begun = await acme.post("/conversations", { widget_id: acme.widgetId, content: "Hi" });
  const conversation_id = begun.body.data.attributes.conversation_id as string;
  const hook = { endpoint_url: "https://a.test/hook", events: ["message.sent"] };
  const settings = { address: `support-${acme.teamId}@mail.example`, inbound: { kind: "http" } };
  const mailbox = { channel: "email", widget_id: acme.widgetId, settings };
  const outbound = { host: "smtp.mail.example", port: 465, security: "tls", username: null };
  const sending = await acme.post("/channels", {
    ...mailbox,
    settings: { ...settings, address: `sales-${acme.teamId}@mail.example`, outbound },
  });
  const first = { channel_id: sending.body.data.id, to: "will@will.example", subject: "Hi", content: "Hello" };
  return [
    { path: "/conversations", body: { widget_id: acme.widgetId, content: "Hello" }, other: { content: "Hello!" } },
    { path: "/contacts/initialize", body: { widgetId: acme.widgetId, name: "Vera" }, other: { name: "Vero" } },
    { path: "/messages", body: { conversation_id, content: "Hello" }, other: { content: "Hello!" } },
    { path: "/conversations/outbound", body: first, other: { content: "Hello!" } },
    { path: "/widgets", body: { name: "Shop" }, other: { name: "Shed" } },
    { path: "/channels", body: mailbox, other: { name: "Mail" } },
    { path: "/webhooks", body: hook, other: { is_active: false } },
    { path: "/articles", body: { question: "Where?", answer: "Here." }, other: { answer: "There." } },
    {
      path: "/assistants",
      body: { name: "Robin", permissions: ["view_tags"], widgets: "all" },
      other: { widgets: [] },
    },
    { path: "/agents/invite", body: { agents: ["grace@acme.test"] }, other: { agents: ["lin@acme.test"] } },
  ];
}

const visitorMessage = (acme: TestTeam) => ({ widget_id: acme.widgetId, content: "Hello" });

test("the POSTs that create are the ones that take a key", async () => {
  const posts = Object.values(rest as Record<string, RestOperation>).filter(({ retrySafe }) => retrySafe);
  // Making a new secret or token has no body to repeat; the tests of those operations have it.
  const bodiless = ["/webhooks/{webhook}/rotate", "/assistants/{assistant}/token", "/widgets/{widget}/identity-secret"];
  const paths = [...bodiless, ...(await creatingPosts(await team())).map(({ path }) => path)];
  expect(posts.map(({ path }) => path).toSorted()).toEqual(paths.toSorted());
});

test("a repeat with the same key and body gets the first answer, marked as replayed, and does nothing", async () => {
  const acme = await team();
  for (const [index, { path, body }] of (await creatingPosts(acme)).entries()) {
    const key = { [IDEMPOTENCY_KEY]: `key ${index}` };
    const first = await acme.post(path, body, key);
    expect(first.status, path).toBeLessThan(202);
    expect(first.headers["idempotent-replayed"]).toBeUndefined();
    const log = await acme.events();
    clock.advance(60_000);
    const second = await acme.post(path, body, key);
    expect(second.headers["idempotent-replayed"]).toBe("true");
    expect({ status: second.status, body: second.body }).toEqual({ status: first.status, body: first.body });
    expect(await acme.events()).toEqual(log);
  }
});

test("the same key with another body, or at another address, is 422 and does nothing", async () => {
  const acme = await team();
  const posts = await creatingPosts(acme);
  for (const [index, { path, body, other }] of posts.entries()) {
    const key = { [IDEMPOTENCY_KEY]: `key ${index}` };
    await acme.post(path, body, key);
    const log = await acme.events();
    for (const answer of [
      await acme.post(path, { ...body, ...other }, key),
      await acme.post(path, { ...body, more: 1 }, key),
      await acme.post(posts[(index + 1) % posts.length]?.path as string, posts[(index + 1) % posts.length]?.body, key),
    ]) {
      expect(answer.status).toBe(422);
      expect(answer.body.errors).toEqual({ [IDEMPOTENCY_KEY]: ["This key was already used for a different request."] });
    }
    expect(await acme.events()).toEqual(log);
  }
});

test("the order of the names in a body is no difference, at any depth; the order of a list is one", async () => {
  const acme = await team();
  const key = { [IDEMPOTENCY_KEY]: "any order" };
  const send = (body: string) => acme.post("/contacts/initialize", body, key);
  const day = "2026-11-20T08:00:00.000Z";
  const visits = [1, 2].map((page) => `{"page":"https://a.test/${page}","date":"${day}"}`);
  const turned = [1, 2].map((page) => `{"date":"${day}","page":"https://a.test/${page}"}`);
  const first = await send(
    `{"widgetId":"${acme.widgetId}","name":"Vera","x":{"2":1,"10":2},"page_visited":[${visits}]}`,
  );
  expect(first.status).toBe(200);
  const log = await acme.events();
  const again = await send(
    `{ "page_visited": [${turned}], "x": {"10":2,"2":1}, "name": "Ver\\u0061", "widgetId": "${acme.widgetId}" }`,
  );
  expect(again.headers["idempotent-replayed"]).toBe("true");
  expect({ status: again.status, body: again.body }).toEqual({ status: first.status, body: first.body });
  const other = `{"widgetId":"${acme.widgetId}","name":"Vera","x":{"2":1,"10":2},"page_visited":[${visits.toReversed()}]}`;
  expect((await send(other)).status).toBe(422);
  expect(await acme.events()).toEqual(log);
});

test("50 twins at the same time have one effect and one answer", async () => {
  const acme = await team();
  const key = { [IDEMPOTENCY_KEY]: "twins" };
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => acme.post("/conversations", visitorMessage(acme), key)),
  );
  expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
  expect(answers[0]?.status).toBe(200);
  expect(answers.filter(({ headers }) => headers["idempotent-replayed"] === "true")).toHaveLength(49);
  const names = (await acme.events()).map(({ name }) => name);
  expect(names.filter((name) => name === "message.received")).toHaveLength(1);
  expect((await acme.get("/contacts")).body.meta.pagination.total).toBe(1);
});

test("a key is remembered for 24 hours; after that the same request has a new effect", async () => {
  const acme = await team();
  const key = { [IDEMPOTENCY_KEY]: "a day" };
  const send = () => acme.post("/conversations", visitorMessage(acme), key);
  const first = await send();
  clock.advance(DAY_MS - 1);
  expect((await send()).body).toEqual(first.body);
  clock.advance(1);
  const late = await send();
  expect(late.headers["idempotent-replayed"]).toBeUndefined();
  expect(late.body.data.id).not.toBe(first.body.data.id);
  const rows = await query(storage, `SELECT key FROM idempotency_keys WHERE team_id = '${acme.teamId}'`);
  expect(rows).toHaveLength(1);
});

test("what fails is not remembered: the same key may then do something else", async () => {
  const acme = await team();
  const key = { [IDEMPOTENCY_KEY]: "retry" };
  const wrong = { widget_id: runtime.newId(), content: "Hello" };
  expect((await acme.post("/conversations", wrong, key)).status).toBe(404);
  expect((await acme.post("/conversations", { content: "" }, key)).status).toBe(422);
  expect((await acme.post("/conversations", "not json", key)).status).toBe(400);
  const right = await acme.post("/conversations", visitorMessage(acme), key);
  expect(right.status).toBe(200);
  expect(right.headers["idempotent-replayed"]).toBeUndefined();
});

test("of twins of which the first fails, the next one is done", async () => {
  const acme = await team();
  const key = { [IDEMPOTENCY_KEY]: "one may" };
  const agents = { agents: ["grace@acme.test"] };
  await acme.post("/agents/invite", agents);
  const answers = await Promise.all(Array.from({ length: 5 }, () => acme.post("/agents/invite", agents, key)));
  expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422]);
  expect((await acme.post("/agents/invite", { agents: ["lin@acme.test"] }, key)).status).toBe(200);
});

test("the signing secret is replayed, and sealed where it is kept", async () => {
  const acme = await team();
  const hook = { endpoint_url: "https://a.test/hook", events: ["message.sent"] };
  const [first, second] = [
    await acme.post("/webhooks", hook, { [IDEMPOTENCY_KEY]: "hook" }),
    await acme.post("/webhooks", hook, { [IDEMPOTENCY_KEY]: "hook" }),
  ];
  const secret = first.body.data.attributes[0].signing_secret;
  expect(secret).toMatch(/^whsec_/);
  expect(second.body.data.attributes[0].signing_secret).toBe(secret);
  expect(await dump(storage)).not.toContain(secret);
});

test("another server on the same data replays", async () => {
  const acme = await team();
  const key = { [IDEMPOTENCY_KEY.toLowerCase()]: "moved" };
  const first = await acme.post("/conversations", visitorMessage(acme), key);
  const second = await other.http.inject({
    method: "POST",
    url: "/api/v1/conversations",
    headers: { "x-api-key": acme.apiKey, "content-type": "application/json", ...key },
    payload: JSON.stringify(visitorMessage(acme)),
  });
  expect(second.headers["idempotent-replayed"]).toBe("true");
  expect(second.json()).toEqual(first.body);
});

test("API keys remember apart, those of one team and those of two", async () => {
  const [acme, sams] = [await team(), await team()];
  const { value: second } = await app.perform(acme.actor, createApiKey, { name: "second" });
  const key = { [IDEMPOTENCY_KEY]: "same" };
  const first = await acme.post("/conversations", visitorMessage(acme), key);
  const other = await request("POST", "/conversations", {
    headers: { "x-api-key": second, ...key },
    body: { ...visitorMessage(acme), name: "Another" },
  });
  const foreign = await sams.post("/conversations", { ...visitorMessage(sams), name: "Third" }, key);
  expect([first.status, other.status, foreign.status]).toEqual([200, 200, 200]);
  const ids = [first, other, foreign].map(({ body }) => body.data.id);
  expect(new Set(ids).size).toBe(3);
});

test("a key is 1 to 255 plain characters; anything else is 422 on the header", async () => {
  const acme = await team();
  const send = (key: string) => acme.post("/conversations", visitorMessage(acme), { [IDEMPOTENCY_KEY]: key });
  for (const key of ["", "x".repeat(256), "a\tb", "é"]) {
    const answer = await send(key);
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors)).toEqual([IDEMPOTENCY_KEY]);
  }
  for (const key of ["x", "x".repeat(255), "'; DROP TABLE idempotency_keys; --"]) {
    expect((await send(key)).status).toBe(200);
    expect((await send(key)).headers["idempotent-replayed"]).toBe("true");
  }
  expect((await acme.get("/contacts")).body.meta.pagination.total).toBe(3);
});

test("without a key every request is done", async () => {
  const acme = await team();
  const [first, second] = [
    await acme.post("/conversations", visitorMessage(acme)),
    await acme.post("/conversations", visitorMessage(acme)),
  ];
  expect(first.body.data.id).not.toBe(second.body.data.id);
});
