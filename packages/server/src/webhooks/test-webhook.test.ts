/** POST /webhooks/{webhook}/test (decision 16): an example, sent as a real event is, for setting up an endpoint. */
import {
  deliverySchema,
  type EventName,
  eventNames,
  events,
  messageAndDataOf,
  WebhookDelivery,
} from "@frontdesk/core/contract";
import { closed, problemsOf } from "@frontdesk/testing/ajv";
import { status } from "@frontdesk/testing/https-receiver";
import { invalid, refused } from "@frontdesk/testing/rest-answers";
import { startAppWithReceivers, subscribe } from "@frontdesk/testing/subscriber";
import { expect, test } from "vitest";

const { app, team, clock, receiver } = await startAppWithReceivers();
await app.start();

test("a test event is the example of the first event that the subscription names, signed and numbered like every other", async () => {
  const acme = await team();
  const there = await receiver();
  const hook = await subscribe(acme, there.url(), { events: ["tag.assigned", "message.sent"] });
  const answer = await acme.post(`${hook.path}/test`);
  expect(answer.status).toBe(200);
  expect(problemsOf(closed(messageAndDataOf(WebhookDelivery)), answer.body)).toEqual([]);
  expect(answer.body).toMatchObject({
    message: "A test event is on its way.",
    data: { attributes: { event: "tag.assigned", state: "waiting", attempt: 1, max_attempts: 1, last_attempt: null } },
  });
  await expect.poll(hook.states).toEqual(["delivered"]);
  expect(there.received).toHaveLength(1);
  const { headers, body } = there.received[0] as (typeof there.received)[0];
  const envelope = JSON.parse(body.toString());
  expect(problemsOf(closed(deliverySchema("tag.assigned")), envelope)).toEqual([]);
  expect(envelope).toEqual({
    id: answer.body.data.id,
    event: "tag.assigned",
    data: events["tag.assigned"].example,
    occurred_at: new Date(clock.now()).toISOString(),
    version: "2026-09",
  });
  expect(headers).toMatchObject({
    "x-service-event": "tag.assigned",
    "x-service-webhook-id": hook.id,
    "x-service-delivery-id": expect.stringMatching(/^del_/),
    "x-service-delivery-attempt": "1",
    "x-service-signature": expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
  });
  const { attempts } = (await hook.log(envelope.id)).attributes;
  expect(attempts).toMatchObject([{ outcome: "delivered", request: { body: body.toString() } }]);
});

test("every event can be chosen, also one that the subscription does not name; an unknown one is refused", async () => {
  const acme = await team();
  const there = await receiver();
  const hook = await subscribe(acme, there.url());
  for (const name of eventNames) {
    expect((await acme.post(`${hook.path}/test?event=${name}`)).body.data.attributes.event).toBe(name);
  }
  await expect.poll(() => there.received.length).toBe(eventNames.length);
  for (const { headers, body } of there.received) {
    const name = headers["x-service-event"] as EventName;
    expect({ name, data: JSON.parse(body.toString()).data }).toEqual({ name, data: events[name].example });
  }
  for (const wrong of ["message.eaten", "webhook.tested", ""]) {
    const answer = await acme.post(`${hook.path}/test?event=${wrong}`);
    expect(answer).toMatchObject({ status: 422, body: invalid("event") });
  }
});

test("it has one attempt, whatever the answer, and can be replayed, in one attempt again", async () => {
  const acme = await team();
  const there = await receiver();
  const hook = await subscribe(acme, there.url());
  there.answers(status(503), status(500), status(200));
  const { body } = await acme.post(`${hook.path}/test`);
  await expect.poll(hook.states).toEqual(["failed"]);
  await acme.post(`${hook.path}/deliveries/${body.data.id}/replay`);
  await expect.poll(async () => (await hook.log(body.data.id)).attributes.attempts.length).toBe(2);
  await expect.poll(hook.states).toEqual(["failed"]);
  expect(there.received.map(({ headers }) => headers["x-service-delivery-attempt"])).toEqual(["1", "1"]);
});

test("it goes to this subscription alone, is no event of the team's own, and each time another one", async () => {
  const acme = await team();
  const there = await receiver();
  const [hook, other] = [await subscribe(acme, there.url("/this")), await subscribe(acme, there.url("/other"))];
  const before = (await acme.events()).length;
  await acme.post(`${hook.path}/test`);
  await acme.post(`${hook.path}/test`);
  await expect.poll(hook.states).toEqual(["delivered", "delivered"]);
  expect(there.received.map(({ path }) => path)).toEqual(["/this", "/this"]);
  expect(new Set(there.received.map(({ headers }) => headers["webhook-id"])).size).toBe(2);
  expect(await other.deliveries()).toEqual([]);
  expect((await acme.events()).slice(before).map(({ name }) => name)).toEqual(["webhook.tested", "webhook.tested"]);
});

test("a subscription that is switched off, or is not ours, is sent none", async () => {
  const [acme, sams] = [await team(), await team()];
  const there = await receiver();
  const hook = await subscribe(acme, there.url(), { is_active: false });
  expect(await acme.post(`${hook.path}/test`)).toMatchObject({ status: 422, body: invalid("webhook") });
  expect(await sams.post(`${hook.path}/test`)).toMatchObject({ status: 403, body: refused("Webhook not found.") });
  expect(await hook.deliveries()).toEqual([]);
  expect((await acme.events()).map(({ name }) => name)).not.toContain("webhook.tested");
});
