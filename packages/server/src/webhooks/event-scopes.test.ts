/** A key gets no event that it may not read (docs/decisions/0031-power-of-keys.md). */
import { eventNames, eventScope } from "@frontdesk/core/contract";
import type { ApiKeyScope } from "@frontdesk/core/domain/policy";
import { signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { veraWrites } from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";
import { createApiKey } from "../access/create-api-key.ts";
import { audienceOf } from "../live/audience.ts";

const kit = await startTestApp();
const { app, team, request } = kit;
const ENDPOINT = "https://hook.example/in";
const SUBSCRIBER: readonly ApiKeyScope[] = ["webhooks:read", "webhooks:write"];

/** Requests with another key of the team, which has these scopes. */
async function keyWith(acme: TestTeam, ...scopes: ApiKeyScope[]) {
  const { value } = await app.perform(acme.actor, createApiKey, { name: "other", scopes });
  return (method: string, path: string, body?: object) =>
    request(method, path, { headers: { "x-api-key": value }, ...(body && { body }) });
}

const lacks = (...scopes: ApiKeyScope[]) => ({
  status: 403,
  body: {
    message: `This API key cannot subscribe to events with data that it cannot read. Missing scopes: ${scopes.join(", ")}.`,
  },
});

/** A subscription of the owner's, and a delivery of it: Vera has written. */
async function subscribed() {
  const acme = await team();
  const { body } = await acme.post("/webhooks", {
    endpoint_url: ENDPOINT,
    events: ["message.received", "tag.assigned"],
  });
  await veraWrites(acme);
  const path = `/webhooks/${body.data.id}`;
  const delivery = (await acme.get(`${path}/deliveries`)).body.data[0].id as string;
  return { acme, path, delivery };
}

test.each(eventNames)(
  "%s is subscribed to with the scope that shows it in the live stream, and not without",
  async (name) => {
    const acme = await team();
    expect(eventScope(name)).toBe(audienceOf(name).team);
    const asked = { endpoint_url: ENDPOINT, events: [name] };
    const without = await keyWith(acme, ...SUBSCRIBER, "widgets:read", "agents:read", "knowledge:read");
    expect(await without("POST", "/webhooks", asked)).toMatchObject(lacks(eventScope(name)));
    expect((await acme.get("/webhooks")).body.data).toEqual([]);
    const withIt = await keyWith(acme, ...SUBSCRIBER, eventScope(name));
    expect((await withIt("POST", "/webhooks", asked)).status).toBe(201);
  },
);

describe("a key that may not read conversations", () => {
  test("has nothing of theirs sent anywhere: not by another event, another address, or switching on", async () => {
    const { acme, path } = await subscribed();
    const ask = await keyWith(acme, ...SUBSCRIBER, "contacts:read");
    const change = (body: object) => ask("PATCH", path, body);
    const refused = lacks("conversations:read");
    expect(await change({ endpoint_url: "https://mallory.example/in" })).toMatchObject(refused);
    expect(await change({ events: ["message.received", "message.sent"] })).toMatchObject(refused);
    expect((await change({ is_active: false })).status).toBe(200);
    expect(await change({ is_active: true })).toMatchObject(refused);
    expect(await change({ name: "Mine", is_active: true })).toMatchObject(refused);
    expect((await acme.get(path)).body.data.attributes[0]).toMatchObject({ endpoint_url: ENDPOINT, is_active: false });
  });

  test("renames, takes events away, adds those it may have, and removes the subscription", async () => {
    const { acme, path } = await subscribed();
    const ask = await keyWith(acme, ...SUBSCRIBER, "contacts:read");
    expect((await ask("PATCH", path, { name: "Renamed" })).status).toBe(200);
    expect((await ask("PATCH", path, { events: ["message.received", "contact.updated"] })).status).toBe(200);
    expect((await ask("PATCH", path, { endpoint_url: ENDPOINT })).status).toBe(200);
    expect((await ask("DELETE", path)).status).toBe(200);
  });

  test("sees that there were deliveries, and neither reads nor repeats one, tests one, or gets the secret", async () => {
    const { acme, path, delivery } = await subscribed();
    const ask = await keyWith(acme, ...SUBSCRIBER);
    expect((await ask("GET", `${path}/deliveries`)).body.data).toHaveLength(1);
    const asked: [string, string, object?][] = [
      ["GET", `${path}/deliveries/${delivery}`],
      ["POST", `${path}/deliveries/${delivery}/replay`],
      ["POST", `${path}/test`],
      ["POST", `${path}/test?event=message.sent`],
      ["POST", `${path}/rotate`],
    ];
    for (const [method, at, body] of asked) {
      expect(await ask(method, at, body), at).toMatchObject(lacks("conversations:read"));
    }
    const reader = await keyWith(acme, ...SUBSCRIBER, "conversations:read");
    for (const [method, at, body] of asked) expect((await reader(method, at, body)).status, at).toBe(200);
  });

  test("sends no failed delivery again, also of an event that the subscription names no more", async () => {
    const { acme, path } = await subscribed();
    // Stopped with the subscription, as a failed one is.
    await acme.patch(path, { is_active: false });
    await acme.patch(path, { is_active: true, events: ["contact.updated"] });
    const since = { since: "2026-01-01T00:00:00Z" };
    const ask = await keyWith(acme, ...SUBSCRIBER, "contacts:read");
    expect(await ask("POST", `${path}/replay`, since)).toMatchObject(lacks("conversations:read"));
    const reader = await keyWith(acme, ...SUBSCRIBER, "conversations:read");
    expect((await reader("POST", `${path}/replay`, since)).status).toBe(200);
  });
});

test("an admin who is signed in needs no scope", async () => {
  const { acme, path, delivery } = await subscribed();
  const abe = await signedIn(kit, acme, "CHAT_AGENT_ADMIN");
  expect((await abe.get(`/v1${path}/deliveries/${delivery}`)).status).toBe(200);
  expect((await abe.patch(`/v1${path}`, { endpoint_url: "https://other.example/in" })).status).toBe(200);
});

describe("POST /widgets/{id}/identity-secret", () => {
  const needed: readonly ApiKeyScope[] = [
    "widgets:write",
    "conversations:read",
    "conversations:write",
    "contacts:write",
  ];

  test.each(needed)("needs %s: its holder is any visitor", async (scope) => {
    const acme = await team();
    const path = `/widgets/${acme.widgetId}/identity-secret`;
    const without = await keyWith(acme, "widgets:read", ...needed.filter((one) => one !== scope));
    expect((await without("POST", path)).status).toBe(403);
    expect((await (await keyWith(acme, ...needed))("POST", path)).status).toBe(200);
  });
});

test("POST /contacts/initialize begins no conversation for a key that may only write contacts", async () => {
  const acme = await team();
  const visitor = { widgetId: acme.widgetId, name: "Vera" };
  const message = { content: "Hello" };
  const ask = await keyWith(acme, "contacts:write");
  expect(await ask("POST", "/contacts/initialize", { ...visitor, message })).toMatchObject({
    status: 403,
    body: { message: "This API key cannot start a conversation. Missing scopes: conversations:write." },
  });
  expect((await acme.get("/contacts")).body.data).toEqual([]);
  expect((await ask("POST", "/contacts/initialize", visitor)).status).toBe(200);
  const both = await keyWith(acme, "contacts:write", "conversations:write");
  expect((await both("POST", "/contacts/initialize", { ...visitor, message })).status).toBe(200);
});
