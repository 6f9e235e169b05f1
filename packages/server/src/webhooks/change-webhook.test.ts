/** GET, PATCH and DELETE /webhooks/{webhook} (decisions 13, 16, 24 and 25). */

import { invalid, NO_IDS, refused } from "@frontdesk/testing/rest-answers";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { eventsOf } from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";

const { team, clock } = await startTestApp();
const now = () => new Date(clock.now()).toISOString();

const orders = {
  name: "Order system",
  endpoint_url: "https://hooks.acme.test/frontdesk",
  is_active: true,
  events: ["message.received", "conversation.resolved"],
};

test("GET answers the subscription in an array, without its secret", async () => {
  const acme = await team();
  const id = await subscribe(acme);
  const { status, body } = await acme.get(`/webhooks/${id}`);
  expect(status).toBe(200);
  expect(body).toEqual({
    data: { type: "webhook", id, attributes: [{ ...orders, created_at: now(), updated_at: now() }] },
    mock: false,
  });
  expect((await acme.get(`/webhooks/${id.toUpperCase()}`)).body).toEqual(body);
});

describe("PATCH", () => {
  test.each([
    { name: "Orders" },
    { endpoint_url: "https://10.0.0.7:8443/other" },
    { is_active: false },
    { events: ["tag.assigned"] },
    { name: "Orders", endpoint_url: "https://other.test/", is_active: false, events: ["message.sent"] },
  ])("sets the fields that are sent and leaves the others: %j", async (change) => {
    const acme = await team();
    const id = await subscribe(acme);
    const created_at = now();
    clock.advance(60_000);
    const [event, ...others] = await eventsOf(acme, async () => {
      const { status, body } = await acme.patch(`/webhooks/${id}`, change);
      expect(status).toBe(200);
      expect(body).toEqual({
        message: "Webhook updated.",
        data: { type: "webhook", id, attributes: [{ ...orders, ...change, created_at, updated_at: now() }] },
        mock: false,
      });
      expect((await acme.get(`/webhooks/${id}`)).body.data).toEqual(body.data);
    });
    expect(others).toEqual([]);
    const { name } = { ...orders, ...change };
    expect(event).toMatchObject({ name: "webhook.updated", data: { webhook: { id, name } } });
  });

  test("folds event names that stand twice", async () => {
    const acme = await team();
    const id = await subscribe(acme);
    const { body } = await acme.patch(`/webhooks/${id}`, { events: ["tag.removed", "tag.removed"] });
    expect(body.data.attributes[0].events).toEqual(["tag.removed"]);
  });

  test.each<[object, string[]]>([
    [{}, ["body"]],
    [{ signing_secret: "whsec_mine" }, ["name", "endpoint_url", "is_active", "events"]],
    [{ name: "" }, ["name"]],
    [{ name: null }, ["name"]],
    [{ endpoint_url: "http://hooks.acme.test/" }, ["endpoint_url"]],
    [{ endpoint_url: "https://ada:secret@hooks.acme.test/" }, ["endpoint_url"]],
    [{ endpoint_url: "https://hooks.acme.test/\u0085" }, ["endpoint_url"]],
    [{ endpoint_url: "https://hooks.acme.test:99999/" }, ["endpoint_url"]],
    [{ is_active: "false" }, ["is_active"]],
    [{ events: [] }, ["events"]],
    [{ events: ["message.eaten"] }, ["events.0"]],
    [{ name: "Orders", events: ["message.eaten"] }, ["events.0"]],
  ])("that breaks a rule, or names no change, gives 422 and changes nothing: %j", async (change, fields) => {
    const acme = await team();
    const id = await subscribe(acme);
    const before = (await acme.get(`/webhooks/${id}`)).body;
    const { status, body } = await acme.patch(`/webhooks/${id}`, change);
    expect(status).toBe(422);
    expect(body).toEqual(invalid(...fields));
    expect((await acme.get(`/webhooks/${id}`)).body).toEqual(before);
  });
});

test("DELETE removes the subscription; after that it is unknown", async () => {
  const acme = await team();
  const [id, other] = [await subscribe(acme), await subscribe(acme)];
  const [event, ...others] = await eventsOf(acme, async () => {
    const { status, body } = await acme.delete(`/webhooks/${id}`);
    expect(status).toBe(200);
    expect(body).toEqual({ message: "Webhook deleted.", mock: false });
  });
  expect(others).toEqual([]);
  expect(event).toMatchObject({ name: "webhook.deleted", data: { webhook: { id, name: "Order system" } } });
  for (const again of [
    await acme.get(`/webhooks/${id}`),
    await acme.patch(`/webhooks/${id}`, { is_active: false }),
    await acme.delete(`/webhooks/${id}`),
  ]) {
    expect(again.status).toBe(403);
    expect(again.body).toEqual(refused("Webhook not found."));
  }
  const { body } = await acme.get("/webhooks");
  expect(body.data.map((webhook: { id: string }) => webhook.id)).toEqual([other]);
  expect(body.meta.pagination.total).toBe(1);
});

test("a subscription that is unknown, another team's, or no id at all gives 403, with one same body", async () => {
  const [acme, sams] = [await team(), await team()];
  const webhook = await subscribe(acme);
  for (const id of [webhook, ...NO_IDS]) {
    const path = `/webhooks/${encodeURIComponent(id)}`;
    for (const answer of [
      await sams.get(path),
      await sams.patch(path, { name: "Sam was here" }),
      await sams.delete(path),
    ]) {
      expect(answer.status).toBe(403);
      expect(answer.body).toEqual(refused("Webhook not found."));
    }
  }
  expect((await acme.get(`/webhooks/${webhook}`)).body.data.attributes[0].name).toBe("Order system");
});

async function subscribe(acme: TestTeam): Promise<string> {
  const { status, body } = await acme.post("/webhooks", orders);
  expect(status).toBe(201);
  return body.data.id;
}
