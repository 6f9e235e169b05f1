/** POST /webhooks/{webhook}/deliveries/{delivery}/replay and POST /webhooks/{webhook}/replay (decisions 16, 24 and 25). */
import { messageAndDataOf, WebhookDelivery } from "@frontdesk/core/contract";
import { closed, problemsOf } from "@frontdesk/testing/ajv";
import { status } from "@frontdesk/testing/https-receiver";
import { PATIENT } from "@frontdesk/testing/patient";
import { invalid, NO_IDS, refused } from "@frontdesk/testing/rest-answers";
import { hold, type Subscription, startAppWithReceivers, subscribe, textOf } from "@frontdesk/testing/subscriber";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { veraWrites } from "@frontdesk/testing/vera";
import { describe, expect, test, vi } from "vitest";

const { app, team, clock, receiver } = await startAppWithReceivers();
await app.start();
// Sends nothing, so that all waits.
const waiting = await startTestApp();

const MINUTE = 60_000;

const idsOf = (requests: { headers: Record<string, unknown> }[], name: string) =>
  requests.map(({ headers }) => headers[name]);

/** Sends one message to the subscription and waits until it is in the state. */
async function deliveredTo(acme: TestTeam, hook: Subscription, state: string) {
  await veraWrites(acme);
  return vi.waitFor(async () => {
    const [delivery] = await hook.deliveries();
    expect(delivery?.attributes.state).toBe(state);
    return delivery as NonNullable<typeof delivery>;
  }, PATIENT);
}

describe("replaying one delivery", () => {
  test.each([
    ["was delivered", "delivered", 200],
    ["has failed", "failed", 410],
  ])(
    "that %s sends it once more: attempt 1, the same event id and bytes, another del_ id",
    async (_how, state, code) => {
      const acme = await team();
      const there = await receiver();
      const hook = await subscribe(acme, there.url());
      there.answers(status(code));
      const delivery = await deliveredTo(acme, hook, state);
      clock.advance(3 * 24 * 60 * MINUTE);
      there.answers(status(201));
      const answer = await acme.post(`${hook.path}/deliveries/${delivery.id}/replay`);
      expect(answer.status).toBe(200);
      expect(problemsOf(closed(messageAndDataOf(WebhookDelivery)), answer.body)).toEqual([]);
      expect(answer.body).toMatchObject({
        message: "The delivery is queued for resending.",
        data: { id: delivery.id, attributes: { state: "waiting", attempt: 1, ended_at: null, next_attempt_at: null } },
      });
      await expect.poll(() => there.received.length).toBe(2);
      await expect.poll(hook.states).toEqual(["delivered"]);
      expect(there.received[1]?.body).toEqual(there.received[0]?.body);
      expect(idsOf(there.received, "webhook-id")).toEqual([delivery.id, delivery.id]);
      expect(idsOf(there.received, "x-service-delivery-attempt")).toEqual(["1", "1"]);
      expect(new Set(idsOf(there.received, "x-service-delivery-id")).size).toBe(2);
      expect(Number(there.received[1]?.headers["x-service-timestamp"])).toBe(Math.floor(clock.now() / 1_000));
      // The first try stays in the log.
      expect((await hook.log(delivery.id)).attributes.attempts).toMatchObject([{ status: code }, { status: 201 }]);
    },
  );

  test("that was stopped sends it, when the subscription is on again", async () => {
    const acme = await team();
    const there = await receiver();
    const hook = await subscribe(acme, there.url());
    const held = hold();
    there.answers(held.answer, status(200));
    const delivery = await deliveredTo(acme, hook, "sending");
    await expect.poll(() => held.waiting.length).toBe(1);
    await acme.patch(hook.path, { is_active: false });
    expect(await hook.states()).toEqual(["stopped"]);
    const path = `${hook.path}/deliveries/${delivery.id}/replay`;
    expect(await acme.post(path)).toMatchObject({ status: 422, body: invalid("webhook") });
    await acme.patch(hook.path, { is_active: true });
    expect((await acme.post(path)).status).toBe(200);
    await expect.poll(hook.states).toEqual(["delivered"]);
    expect(there.received).toHaveLength(2);
  });

  test("has four attempts of its own", async () => {
    const acme = await team();
    const there = await receiver();
    const hook = await subscribe(acme, there.url());
    there.answers(status(503), status(404), status(503), status(503), status(503), status(503), status(200));
    await veraWrites(acme);
    await expect.poll(async () => (await hook.deliveries())[0]?.attributes.attempt).toBe(2);
    clock.advance(66_000);
    await expect.poll(hook.states).toEqual(["failed"]);
    const [delivery] = await hook.deliveries();
    await acme.post(`${hook.path}/deliveries/${delivery?.id}/replay`);
    for (let attempt = 2; attempt <= 4; attempt += 1) {
      const waitingForIt = { state: "waiting", attempt };
      await expect.poll(async () => (await hook.deliveries())[0]?.attributes).toMatchObject(waitingForIt);
      clock.advance(17 * MINUTE);
    }
    await expect.poll(hook.states).toEqual(["failed"]);
    expect(idsOf(there.received, "x-service-delivery-attempt")).toEqual(["1", "2", "1", "2", "3", "4"]);
  });

  test("that waits or is under way changes nothing, and answers its state", async () => {
    const acme = await team();
    const there = await receiver();
    const hook = await subscribe(acme, there.url());
    const held = hold();
    there.answers(held.answer);
    const delivery = await deliveredTo(acme, hook, "sending");
    const path = `${hook.path}/deliveries/${delivery.id}/replay`;
    expect((await acme.post(path)).body.data.attributes).toMatchObject({ state: "sending", attempt: 1 });
    await expect.poll(() => held.waiting.length).toBe(1);
    held.letGo(status(500));
    await expect.poll(async () => (await hook.deliveries())[0]?.attributes.attempt).toBe(2);
    const [before] = await hook.deliveries();
    const answer = await acme.post(path);
    expect(answer.status).toBe(200);
    const { last_attempt: _, ...attributes } = before?.attributes ?? {};
    expect(answer.body.data.attributes).toEqual({ ...attributes, last_attempt: null });
    expect(await hook.deliveries()).toEqual([before]);
    expect(there.received).toHaveLength(1);
  });

  test("of another subscription, another team, or none at all is refused as looking at it is", async () => {
    const [acme, sams] = [await waiting.team(), await waiting.team()];
    const path = await subscribed(acme);
    const theirs = await subscribed(sams);
    await veraWrites(acme);
    await veraWrites(sams);
    const [ours] = (await acme.get(`${path}/deliveries`)).body.data;
    const [sam] = (await sams.get(`${theirs}/deliveries`)).body.data;
    expect(await sams.post(`${path}/deliveries/${ours.id}/replay`)).toMatchObject({
      status: 403,
      body: refused("Webhook not found."),
    });
    for (const id of [sam.id, "\0", "evt_", ...NO_IDS]) {
      const answer = await acme.post(`${path}/deliveries/${encodeURIComponent(id)}/replay`);
      expect({ id, ...answer }).toMatchObject({ id, status: 404, body: refused("Delivery not found.") });
    }
  });
});

describe("replaying all that failed", () => {
  test("since a time queues what failed or was stopped of the events since then, and nothing else; each arrives", async () => {
    const acme = await team();
    const there = await receiver();
    const hook = await subscribe(acme, there.url());
    // The message names the answer to each attempt.
    there.answers(({ request, response }) => {
      const attempt = Number(request.headers["x-service-delivery-attempt"]);
      response
        .writeHead(
          Number(
            textOf(request)
              .split(" ")
              .at(attempt - 1),
          ),
        )
        .end();
    });
    const write = async (content: string) => {
      await veraWrites(acme, { content });
      clock.advance(1_000);
    };
    await write("400");
    const since = new Date(clock.now()).toISOString();
    for (const content of ["503 401", "200", "404"]) await write(content);
    await expect.poll(hook.states).toEqual(["failed", "waiting", "delivered", "failed"]);
    await expect.poll(async () => (await hook.deliveries())[2]?.attributes.attempt).toBe(2);
    clock.advance(66_000);
    await expect.poll(hook.states).toEqual(["failed", "failed", "delivered", "failed"]);
    for (const content of ["503", "410"]) await write(content);
    await expect.poll(hook.states).toEqual(["failed", "failed", "delivered", "failed", "waiting", "failed"]);
    await expect.poll(async () => (await hook.deliveries())[1]?.attributes.attempt).toBe(2);
    there.received.length = 0;
    there.answers(status(200));
    const answer = await acme.post(`${hook.path}/replay`, { since });
    expect([answer.status, answer.body]).toEqual([
      200,
      { message: "3 deliveries are queued for resending.", replayed: 3 },
    ]);
    await expect.poll(() => there.received.map(textOf).toSorted()).toEqual(["404", "410", "503 401"]);
    expect(idsOf(there.received, "x-service-delivery-attempt")).toEqual(["1", "1", "1"]);
    await expect.poll(hook.states).toEqual(["failed", "delivered", "delivered", "delivered", "waiting", "delivered"]);
    // Nothing of it is left.
    expect((await acme.post(`${hook.path}/replay`, { since })).body.replayed).toBe(0);
    const first = await acme.post(`${hook.path}/replay`, { since: "2026-11-20T10:00:00+01:00" });
    expect(first.body).toEqual({ message: "One delivery is queued for resending.", replayed: 1 });
    await expect.poll(() => there.received.map(textOf)).toContain("400");
  });

  test("goes behind the first attempts of newer events, and is drained in full", async () => {
    const acme = await team();
    const there = await receiver();
    const hook = await subscribe(acme, there.url());
    const held = hold();
    there.answers(held.answer);
    await Promise.all(Array.from({ length: 30 }, () => veraWrites(acme, { content: "old" })));
    await acme.patch(hook.path, { is_active: false });
    await acme.patch(hook.path, { is_active: true });
    there.received.length = 0;
    there.answers(held.answer);
    const writing = Array.from({ length: 20 }, () => veraWrites(acme, { content: "new" }));
    await Promise.all([...writing, acme.post(`${hook.path}/replay`, { since: "2026-11-20T09:00:00Z" })]);
    // Four are under way; the worker decides about the rest from here on.
    await expect.poll(() => held.waiting.length).toBe(4);
    there.answers(status(200));
    held.letGo();
    await expect.poll(async () => new Set(await hook.states())).toEqual(new Set(["delivered"]));
    const texts = there.received.map(textOf);
    expect(texts).toHaveLength(50);
    // Both get on, and the new ones are through first.
    expect(texts.lastIndexOf("new")).toBeLessThan(texts.lastIndexOf("old"));
    expect(texts.slice(0, 25).filter((text) => text === "new").length).toBeGreaterThan(12);
  });

  test("of a subscription that is off, or that is not ours, is refused, and so is what is no time", async () => {
    const [acme, sams] = [await waiting.team(), await waiting.team()];
    const path = await subscribed(acme);
    const since = "2026-11-20T09:00:00Z";
    expect(await sams.post(`${path}/replay`, { since })).toMatchObject({
      status: 403,
      body: refused("Webhook not found."),
    });
    const noTimes = [
      undefined,
      null,
      "",
      "yesterday",
      "2026-11-20",
      1_795_000_000,
      "2026-02-31T00:00:00Z",
      "2026-12-31T23:59:60Z",
    ];
    for (const wrong of noTimes) {
      const answer = await acme.post(`${path}/replay`, { since: wrong });
      expect({ wrong, ...answer }).toMatchObject({ wrong, status: 422, body: invalid("since") });
    }
    await acme.patch(path, { is_active: false });
    expect(await acme.post(`${path}/replay`, { since })).toMatchObject({ status: 422, body: invalid("webhook") });
  });
});

async function subscribed(acme: TestTeam): Promise<string> {
  const body = { endpoint_url: "https://a.test/", events: ["message.received"] };
  return `/webhooks/${(await acme.post("/webhooks", body)).body.data.id}`;
}
