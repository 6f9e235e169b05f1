/** POST /webhooks (decisions 13 to 15 and 42). */
import { eventNames } from "@frontdesk/core/contract";
import { invalid } from "@frontdesk/testing/rest-answers";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { eventsOf } from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";
import { statement } from "../storage/statement.ts";
import type { EventRow, IdempotencyKeyRow, WebhookRow } from "../storage/tables.ts";
import { secretPlace } from "./signing-secrets.ts";

const { storage, runtime, team, clock } = await startTestApp();
const now = () => new Date(clock.now()).toISOString();

const orders = {
  name: "Order system",
  endpoint_url: "https://hooks.acme.test/frontdesk?x=1",
  is_active: false,
  events: ["message.received", "conversation.resolved"],
};

test("the answer is 201 with the subscription in an array and the signing secret in it", async () => {
  const acme = await team();
  const { status, body } = await acme.post("/webhooks", orders);
  expect(status).toBe(201);
  expect(body).toEqual({
    message: "Webhook created.",
    data: {
      type: "webhook",
      id: expect.any(String),
      attributes: [{ ...orders, created_at: now(), updated_at: now(), signing_secret: expect.any(String) }],
    },
    mock: false,
  });
});

describe("the signing secret", () => {
  test("is whsec_ and the base64 of 32 bytes, another one each time", async () => {
    const acme = await team();
    const secrets = [await secretOf(acme), await secretOf(acme)];
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(Buffer.from(secret.slice("whsec_".length), "base64")).toHaveLength(32);
    }
    expect(new Set(secrets).size).toBe(2);
  });

  test("is shown this once: no other answer holds it", async () => {
    const acme = await team();
    const { body } = await acme.post("/webhooks", orders);
    const path = `/webhooks/${body.data.id}`;
    const secret = body.data.attributes[0].signing_secret;
    for (const answer of [
      await acme.get(path),
      await acme.get("/webhooks"),
      await acme.patch(path, { name: "Orders" }),
      await acme.delete(path),
    ]) {
      expect(answer.status).toBe(200);
      expect(JSON.stringify(answer.body)).not.toContain(secret);
      expect(JSON.stringify(answer.body)).not.toContain("signing_secret");
    }
  });

  test("is never stored as it is, nor in the event log, and can be opened again to sign", async () => {
    const acme = await team();
    const { body } = await acme.post("/webhooks", orders, { "idempotency-key": "retry-1" });
    const secret: string = body.data.attributes[0].signing_secret;
    const [webhooks, events, answers] = await storage.read((db) =>
      Promise.all([
        db.all(webhookRows, { team_id: acme.teamId }),
        db.all(eventRows, { team_id: acme.teamId }),
        db.all(answerRows, { team_id: acme.teamId }),
      ]),
    );
    expect([webhooks.length, answers.length]).toEqual([1, 1]);
    expect(events.length).toBeGreaterThan(0);
    const dump = JSON.stringify([webhooks, events, answers]);
    expect(dump).not.toContain(secret);
    expect(dump).not.toContain(secret.slice("whsec_".length, -1));
    const [webhook] = webhooks;
    if (!webhook) throw new Error("There is no subscription.");
    expect(runtime.vault.open(webhook.secret_sealed, secretPlace(webhook))).toBe(secret);
  });
});

test("the name is the host of the address when left out, and the subscription is active", async () => {
  const acme = await team();
  const { endpoint_url, events } = orders;
  const { status, body } = await acme.post("/webhooks", { endpoint_url, events });
  expect(status).toBe(201);
  expect(body.data.attributes[0]).toMatchObject({ name: "hooks.acme.test", is_active: true });
});

test("event names that stand twice count once, in the order they came", async () => {
  const acme = await team();
  const events = ["tag.removed", "message.sent", "tag.removed", "message.received", "message.sent"];
  const { body } = await acme.post("/webhooks", { ...orders, events });
  expect(body.data.attributes[0].events).toEqual(["tag.removed", "message.sent", "message.received"]);
});

test("every event of GET /webhooks/events can be subscribed to", async () => {
  const acme = await team();
  const { body } = await acme.post("/webhooks", { ...orders, events: eventNames });
  expect(body.data.attributes[0].events).toEqual(eventNames);
});

test("a repeat makes another subscription", async () => {
  const acme = await team();
  const first = await acme.post("/webhooks", orders);
  const second = await acme.post("/webhooks", orders);
  expect(second.body.data.id).not.toBe(first.body.data.id);
  expect((await acme.get("/webhooks")).body.meta.pagination.total).toBe(2);
});

test("webhook.created is recorded, with the id and the name alone", async () => {
  const acme = await team();
  const events = await eventsOf(acme, () => acme.post("/webhooks", orders));
  const [webhook] = (await acme.get("/webhooks")).body.data;
  expect(events.map(({ name, data }) => ({ name, data }))).toEqual([
    { name: "webhook.created", data: { webhook: { id: webhook.id, name: "Order system" } } },
  ]);
});

describe("endpoint_url", () => {
  test.each([
    "https://hooks.acme.test/",
    "https://hooks.acme.test:8443/a/b?c=d@e",
    "https://localhost/hook",
    "https://127.0.0.1/hook",
    "https://10.0.0.7:8443/hook",
    "https://192.168.1.1/hook",
    "https://169.254.169.254/latest/meta-data",
    "https://[::1]:8443/hook",
    "https://[fd00::1]/hook",
  ])("is taken as it is, a private address too, which is blocked at delivery: %s", async (endpoint_url) => {
    const acme = await team();
    const { status, body } = await acme.post("/webhooks", { ...orders, endpoint_url });
    expect(status).toBe(201);
    expect(body.data.attributes[0].endpoint_url).toBe(endpoint_url);
  });

  test("is taken with 2048 characters", async () => {
    const acme = await team();
    const endpoint_url = longUrl(2048);
    const { body } = await acme.post("/webhooks", { ...orders, endpoint_url });
    expect(body.data.attributes[0].endpoint_url).toBe(endpoint_url);
  });

  test.each([
    ["http", "http://hooks.acme.test/hook"],
    ["another scheme", "ftp://hooks.acme.test/hook"],
    ["no scheme", "hooks.acme.test/hook"],
    ["no host", "https://"],
    ["no host but a path", "https:///hook"],
    ["a malformed host", "https://hooks.acme.test:99999/hook"],
    ["brackets left open", "https://[::1/hook"],
    ["a percent sign in the host", "https://hooks%zz.test/hook"],
    ["a user name", "https://ada@hooks.acme.test/hook"],
    ["a user name and a password", "https://ada:secret@hooks.acme.test/hook"],
    ["a hidden user name", "https://hooks.acme.test\\@evil.test/hook"],
    ["a tab", "https://hooks.acme.test/a\tb"],
    ["a line break", "https://hooks.acme.test/\r\nX-Evil: 1"],
    ["a line break at the end", "https://hooks.acme.test/hook\n"],
    ["a space before it", " https://hooks.acme.test/hook"],
    ["a space in it", "https://hooks.acme.test/a b"],
    ["a control character", "https://hooks.acme.test/a\u0001"],
    ["the control character delete", "https://hooks.acme.test/a\u007f"],
    ["a control character beyond ASCII", "https://hooks.acme.test/a\u0085b"],
    ["2049 characters", longUrl(2049)],
    ["an empty text", ""],
    ["null", null],
    ["a number", 443],
    ["nothing", undefined],
  ])("with %s gives 422", async (_what, endpoint_url) => {
    const acme = await team();
    const { status, body } = await acme.post("/webhooks", { ...orders, endpoint_url });
    expect(status).toBe(422);
    expect(body).toEqual(invalid("endpoint_url"));
    expect((await acme.get("/webhooks")).body.data).toEqual([]);
  });
});

test.each<[string, object, string]>([
  ["no events", { events: undefined }, "events"],
  ["an empty list of events", { events: [] }, "events"],
  ["a single event name", { events: "message.received" }, "events"],
  ["an unknown event name", { events: ["message.received", "message.eaten"] }, "events.1"],
  ["the event name *", { events: ["*"] }, "events.0"],
  ["an event that is not public", { events: ["webhook.created"] }, "events.0"],
  ["an event name of another type", { events: [null] }, "events.0"],
  ["a name of another type", { name: 7 }, "name"],
  ["is_active as text", { is_active: "true" }, "is_active"],
  ["is_active as a number", { is_active: 1 }, "is_active"],
])("%s gives 422 with the field named", async (_what, fields, field) => {
  const acme = await team();
  const { status, body } = await acme.post("/webhooks", { ...orders, ...fields });
  expect(status).toBe(422);
  expect(body).toEqual(invalid(field));
  expect((await acme.get("/webhooks")).body.data).toEqual([]);
});

function longUrl(length: number): string {
  return "https://hooks.acme.test/".padEnd(length, "a");
}

async function secretOf(acme: TestTeam): Promise<string> {
  return (await acme.post("/webhooks", orders)).body.data.attributes[0].signing_secret;
}

const webhookRows = statement<{ team_id: string }, WebhookRow>((db, param) =>
  db.selectFrom("webhooks").selectAll().where("team_id", "=", param("team_id")),
);
const eventRows = statement<{ team_id: string }, EventRow>((db, param) =>
  db.selectFrom("events").selectAll().where("team_id", "=", param("team_id")),
);
const answerRows = statement<{ team_id: string }, IdempotencyKeyRow>((db, param) =>
  db.selectFrom("idempotency_keys").selectAll().where("team_id", "=", param("team_id")),
);
