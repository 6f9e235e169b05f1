/** An event on its way to its subscribers ("Events", "Delivery rules"; decisions 37 to 45, 63, 64), over TLS on real sockets. */
import { createHmac } from "node:crypto";
import { DeliveryHeaders, deliverySchema, type EventName, eventNames } from "@frontdesk/core/contract";
import { closed, problemsOf } from "@frontdesk/testing/ajv";
import { newAuthority } from "@frontdesk/testing/certificates";
import { freePort } from "@frontdesk/testing/free-port";
import * as receivers from "@frontdesk/testing/https-receiver";
import { type Answer, bytes, drip, hang, hangUp, reset, status } from "@frontdesk/testing/https-receiver";
import { PATIENT } from "@frontdesk/testing/patient";
import { everyPublicEvent } from "@frontdesk/testing/public-events";
import { hold, settled, startAppWithReceivers, subscribe, textOf } from "@frontdesk/testing/subscriber";
import { adaReplies, veraWrites } from "@frontdesk/testing/vera";
import { Webhook } from "standardwebhooks";
import { describe, expect, test, vi } from "vitest";
import { ATTEMPT_TIMEOUT_MS } from "../outbound/post.ts";

const { app, team, clock, names, receiver } = await startAppWithReceivers({}, ATTEMPT_TIMEOUT_MS);
await app.start();

const MINUTE = 60_000;

/** Answers by the text of the message: `503`, or `429 after 90`; with 200 when it says nothing of the kind. */
const asTheTextSays: Answer = (exchange) => {
  const [, code = "200", seconds] = /^(\d{3})(?: after (\d+))?$/.exec(textOf(exchange.request)) ?? [];
  return status(Number(code), seconds === undefined ? {} : { "Retry-After": seconds })(exchange);
};

/** How the library of Standard Webhooks verifies a delivery at the test's time. */
function verify(secret: string, body: Buffer, headers: receivers.Received["headers"]): unknown {
  vi.useFakeTimers({ toFake: ["Date"], now: clock.now() });
  try {
    return new Webhook(secret).verify(body, headers as Record<string, string>);
  } finally {
    vi.useRealTimers();
  }
}

describe("an event", () => {
  test("is sent once, as a POST with the documented headers and envelope, signed with the secret that was shown", async () => {
    const acme = await team();
    const there = await receiver();
    const hook = await subscribe(acme, there.url("/hook?x=1"));
    const { messageId } = await veraWrites(acme, { content: 'Grüße 👩🏽‍🚀\u2028 "quoted"', name: 'Vera "V."' });
    const [delivery] = await settled(hook, 1);
    expect(delivery?.attributes).toMatchObject({ state: "delivered", attempt: 1, max_attempts: 4 });
    expect(there.received).toHaveLength(1);
    const { method, path, headers, body } = there.received[0] as receivers.Received;
    expect([method, path]).toEqual(["POST", "/hook?x=1"]);

    const envelope = JSON.parse(body.toString());
    expect(problemsOf(closed(deliverySchema("message.received")), envelope)).toEqual([]);
    const [stored] = (await acme.events()).filter(({ name }) => name === "message.received");
    expect(body.toString()).toBe(
      JSON.stringify({
        id: stored?.id,
        event: "message.received",
        data: stored?.data,
        occurred_at: new Date(clock.now()).toISOString(),
        version: "2026-09",
      }),
    );
    expect(envelope.data.message.id).toBe(messageId);
    expect(delivery?.id).toBe(envelope.id);

    const timestamp = String(Math.floor(clock.now() / 1_000));
    expect(headers).toEqual({
      "content-type": "application/json",
      "user-agent": "Frontdesk-Webhooks",
      "x-service-event": "message.received",
      "x-service-webhook-id": hook.id,
      "x-service-delivery-id": expect.stringMatching(/^del_[0-9a-f]{32}$/),
      "x-service-delivery-attempt": "1",
      "x-service-timestamp": timestamp,
      "x-service-signature": expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
      "webhook-id": envelope.id,
      "webhook-timestamp": timestamp,
      "webhook-signature": expect.stringMatching(/^v1,/),
      host: `receiver.test:${there.port}`,
      "content-length": String(body.length),
      connection: "keep-alive",
    });
    const named = Object.fromEntries(
      Object.keys(DeliveryHeaders.properties).map((name) => [name, headers[name.toLowerCase()]]),
    );
    expect(problemsOf(DeliveryHeaders, named)).toEqual([]);
    expect(verify(hook.secret, body, headers)).toEqual(envelope);
  });

  test("of each public name arrives, with the payload that its schema says", async () => {
    const acme = await team();
    const there = await receiver();
    const hook = await subscribe(acme, there.url(), { events: [...eventNames] });
    await everyPublicEvent(app, acme);
    await expect.poll(() => there.received.length).toBeGreaterThanOrEqual(eventNames.length);
    await vi.waitFor(async () => expect(new Set(await hook.states())).toEqual(new Set(["delivered"])), PATIENT);
    const told = there.received.map(({ headers, body }) => ({
      name: headers["x-service-event"] as EventName,
      envelope: JSON.parse(body.toString()),
    }));
    expect([...new Set(told.map(({ name }) => name))].toSorted()).toEqual([...eventNames].toSorted());
    for (const { name, envelope } of told) {
      const problems = problemsOf(closed(deliverySchema(name)), envelope);
      expect({ name, problems }).toEqual({ name, problems: [] });
    }
    const inTheLog = (await acme.events()).filter(({ name }) => (eventNames as readonly string[]).includes(name));
    expect(told.map(({ envelope }) => envelope.id).toSorted()).toEqual(inTheLog.map(({ id }) => id).toSorted());
  });

  test("goes to every subscription of the team that names it, to each once, and to no other", async () => {
    const [acme, sams] = [await team(), await team()];
    const there = await receiver();
    const asking = [await subscribe(acme, there.url("/a")), await subscribe(acme, there.url("/b"))];
    const others = [
      await subscribe(acme, there.url("/other-event"), { events: ["message.sent", "conversation.created"] }),
      await subscribe(acme, there.url("/off"), { is_active: false }),
      await subscribe(sams, there.url("/sam")),
    ];
    const { conversationId } = await veraWrites(acme);
    await adaReplies(acme, conversationId, { type: "note" });
    await expect.poll(() => there.received.map(({ path }) => path).toSorted()).toEqual(["/a", "/b", "/other-event"]);
    for (const hook of asking) await settled(hook, 1);
    expect((await settled(others[0] as (typeof others)[0], 1))[0]?.attributes.event).toBe("conversation.created");
    for (const hook of others.slice(1)) expect(await hook.deliveries()).toEqual([]);
    expect(there.received).toHaveLength(3);
  });

  test("is acknowledged by any 2xx, and not sent again", async () => {
    const acme = await team();
    const there = await receiver();
    const hook = await subscribe(acme, there.url());
    const codes = [200, 201, 202, 204, 206, 226, 299];
    there.answers(asTheTextSays);
    for (const code of codes) await veraWrites(acme, { content: String(code) });
    const found = await settled(hook, codes.length);
    expect(found.map(({ attributes }) => attributes.state)).toEqual(codes.map(() => "delivered"));
    expect(found.map(({ attributes }) => attributes.last_attempt.status)).toEqual(codes);
    clock.advance(20 * MINUTE);
    await veraWrites(acme, { content: "the last one" });
    await settled(hook, codes.length + 1);
    expect(there.received).toHaveLength(codes.length + 1);
  });

  test("is acknowledged by the head of a 2xx whose body drips on", async () => {
    const acme = await team();
    const there = await receiver();
    const hook = await subscribe(acme, there.url());
    there.answers(drip("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", 1), status(200));
    await veraWrites(acme);
    const [delivery] = await settled(hook, 1);
    expect(delivery?.attributes).toMatchObject({ state: "delivered", last_attempt: { status: 200, error: null } });
    await expect.poll(() => there.connections.open).toBe(0);
  });
});

test("while a signing secret is replaced both sign what is sent; after 24 hours, or when it is activated, only the new one", async () => {
  const acme = await team();
  const there = await receiver();
  const hook = await subscribe(acme, there.url());
  /** Which of the secrets the next delivery is signed with: by the documented header, its companion, and the library. */
  const signedBy = async (secrets: readonly string[]) => {
    const before = there.received.length;
    await veraWrites(acme);
    await expect.poll(() => there.received.length).toBe(before + 1);
    const { headers, body } = there.received[before] as receivers.Received;
    const signature = (secret: string) =>
      `sha256=${createHmac("sha256", secret).update(`${headers["x-service-timestamp"]}.${body}`).digest("hex")}`;
    const verified = secrets.map((secret) => {
      try {
        return Boolean(verify(secret, body, headers));
      } catch {
        return false;
      }
    });
    const [documented, next] = [headers["x-service-signature"], headers["x-service-signature-next"]];
    return {
      documented: secrets.map(signature).indexOf(String(documented)),
      next: secrets.map(signature).indexOf(String(next)),
      verified,
    };
  };
  const rotate = async () => (await acme.post(`${hook.path}/rotate`)).body.data.attributes[0].signing_secret as string;
  const two = [hook.secret, await rotate()];
  expect(await signedBy(two)).toEqual({ documented: 0, next: 1, verified: [true, true] });
  clock.advance(24 * 60 * MINUTE - 1);
  expect(await signedBy(two)).toEqual({ documented: 0, next: 1, verified: [true, true] });
  clock.advance(1);
  expect(await signedBy(two)).toEqual({ documented: 1, next: -1, verified: [false, true] });
  const three = [...two, await rotate()];
  expect(await signedBy(three)).toEqual({ documented: 1, next: 2, verified: [false, true, true] });
  await acme.post(`${hook.path}/rotate/activate`);
  expect(await signedBy(three)).toEqual({ documented: 2, next: -1, verified: [false, false, true] });
});

describe("an event that is not acknowledged", () => {
  test("is sent four times: at once, then 1, 5 and 15 minutes later, never early and at most a tenth late; then it has failed", async () => {
    const acme = await team();
    const there = await receiver();
    const hook = await subscribe(acme, there.url());
    there.answers(asTheTextSays);
    const lookAtWhatIsDue = async () => {
      const before = there.received.length;
      await veraWrites(acme, { content: "look" });
      await expect.poll(() => there.received.length).toBeGreaterThan(before);
      await expect.poll(hook.states).not.toContain("sending");
    };
    const attempts = () => there.received.filter((request) => textOf(request) === "503");

    await veraWrites(acme, { content: "503" });
    for (const [index, wait] of [1, 5, 15].map((minutes) => minutes * MINUTE).entries()) {
      const delivery = async () => (await hook.deliveries()).at(-1)?.attributes ?? {};
      const afterIt = { state: "waiting", attempt: index + 2, max_attempts: 4, ended_at: null };
      await expect.poll(delivery).toMatchObject(afterIt);
      expect(attempts()).toHaveLength(index + 1);
      const attributes = await delivery();
      const dueIn = Date.parse(attributes.next_attempt_at) - clock.now();
      expect(dueIn).toBeGreaterThanOrEqual(wait);
      expect(dueIn).toBeLessThanOrEqual(wait * 1.1);

      // Not a millisecond early, even when its queue is looked through.
      clock.advance(dueIn - 1);
      await lookAtWhatIsDue();
      expect(attempts()).toHaveLength(index + 1);
      clock.advance(1);
      await expect.poll(() => attempts().length).toBe(index + 2);
    }
    await expect.poll(async () => (await hook.states())[0]).toBe("failed");
    clock.advance(24 * 60 * MINUTE);
    await lookAtWhatIsDue();
    expect(attempts()).toHaveLength(4);
    expect((await hook.deliveries()).at(-1)?.attributes).toMatchObject({
      state: "failed",
      attempt: 4,
      next_attempt_at: null,
      ended_at: expect.any(String),
      last_attempt: { outcome: "failed", error: "status", status: 503 },
    });

    // What each of them was.
    expect(attempts().map(({ headers }) => headers["x-service-delivery-attempt"])).toEqual(["1", "2", "3", "4"]);
    expect(new Set(attempts().map(({ headers }) => headers["x-service-delivery-id"])).size).toBe(4);
    expect(new Set(attempts().map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(attempts().map(({ body }) => body.toString("hex"))).size).toBe(1);
    const signed = attempts().map(({ headers }) => Number(headers["x-service-timestamp"]));
    const steps = signed.slice(1).map((time, index) => time - (signed[index] as number));
    for (const [index, wait] of [60, 300, 900].entries()) {
      expect(steps[index]).toBeGreaterThanOrEqual(wait);
      expect(steps[index]).toBeLessThanOrEqual(wait * 1.1);
    }
  });

  test("is over at the first redirect or 4xx, and a redirect is not followed; 410 is reported as gone", async () => {
    const acme = await team();
    const [there, elsewhere] = [await receiver(), await receiver()];
    const hook = await subscribe(acme, there.url());
    const final = [300, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 409, 410, 413, 422, 426, 451, 499];
    there.answers(({ request, response }) => {
      response.writeHead(Number(textOf(request)), { Location: elsewhere.url().href, "Retry-After": "5" }).end();
    });
    for (const code of final) await veraWrites(acme, { content: String(code) });
    const found = await settled(hook, final.length);
    expect(found.map(({ attributes }) => attributes.last_attempt.status)).toEqual(final);
    for (const { attributes } of found) {
      const { status: code } = attributes.last_attempt;
      expect(attributes).toMatchObject({ state: "failed", attempt: 1, next_attempt_at: null });
      expect(attributes.last_attempt.error).toBe(code === 410 ? "gone" : "status");
    }
    expect(elsewhere.connections.opened).toBe(0);
    expect((await acme.get(hook.path)).body.data.attributes[0].is_active).toBe(true);
  });

  test("is retried after 408, 425, 429 and every 5xx; Retry-After lengthens the wait, to twice the step at most", async () => {
    const acme = await team();
    const there = await receiver();
    const hook = await subscribe(acme, there.url());
    there.answers(asTheTextSays);
    const asked: [text: string, least: number][] = [
      ["408", 60],
      ["425", 60],
      ["429", 60],
      ["429 after 7", 60],
      ["429 after 90", 90],
      ["408 after 110", 110],
      ["425 after 3600", 120],
      ["503 after 100", 100],
      ["500", 60],
      ["501", 60],
      ["505", 60],
      ["599", 60],
    ];
    for (const [content] of asked) await veraWrites(acme, { content });
    const found = await settled(hook, asked.length);
    for (const [index, { attributes }] of found.entries()) {
      const [text, least] = asked[index] as [string, number];
      expect({ text, ...attributes }).toMatchObject({ text, state: "waiting", attempt: 2 });
      const seconds = (Date.parse(attributes.next_attempt_at) - clock.now()) / 1_000;
      expect(seconds).toBeGreaterThanOrEqual(least);
      expect(seconds).toBeLessThanOrEqual(least + 6);
    }
  });

  test("is retried after every failure of the network, which is reported in a word and without an address", async () => {
    const acme = await team();
    const [there, garbled, silent] = [await receiver(), await receiver(), await receiver()];
    const impostor = await receivers.startReceiver({ authority: newAuthority() });
    there.answers(reset, hangUp);
    garbled.answers(bytes("SSH-2.0-OpenSSH_9.2\r\n"));
    silent.answers(hang);
    names.table["inside.receiver.test"] = ["10.0.0.7"];
    names.table["both.receiver.test"] = ["127.0.0.1", "169.254.169.254"];
    const endpoints: [word: string, URL][] = [
      ["reset", there.url("/1")],
      ["reset", there.url("/2")],
      ["protocol", garbled.url()],
      ["timeout", silent.url()],
      ["tls", impostor.url()],
      ["connect", new URL(`https://receiver.test:${await freePort()}/`)],
      ["dns", there.url("/", "nobody.receiver.test")],
      // A name may be repaired.
      ["blocked_address", there.url("/", "inside.receiver.test")],
      ["blocked_address", there.url("/", "both.receiver.test")],
    ];
    const hooks = [];
    for (const [, url] of endpoints) hooks.push(await subscribe(acme, url));
    await veraWrites(acme);
    for (const [index, [word]] of endpoints.entries()) {
      const [delivery] = await settled(hooks[index] as (typeof hooks)[0], 1);
      expect(delivery?.attributes).toMatchObject({
        state: "waiting",
        attempt: 2,
        last_attempt: { outcome: "failed", error: word, status: null },
      });
      expect(JSON.stringify(await hooks[index]?.log(delivery?.id as string))).not.toMatch(
        /\d+\.\d+\.\d+\.\d+|::|ECONN|ENOTFOUND/,
      );
    }
    await impostor.close();
    // Repaired: the attempts of the next minute arrive.
    there.answers(status(200));
    names.table["inside.receiver.test"] = ["127.0.0.1"];
    names.table["nobody.receiver.test"] = ["127.0.0.1"];
    clock.advance(66_000);
    for (const index of [0, 1, 6, 7]) await expect.poll(hooks[index]?.states as () => unknown).toEqual(["delivered"]);
  });

  test("to a blocked address that the URL itself names is over at once, and nothing is connected to", async () => {
    const acme = await team();
    const hosts = [
      "10.0.0.7",
      "169.254.169.254",
      "192.168.1.1:8443",
      "[::1]",
      "[fd00::1]",
      "[::ffff:10.0.0.7]",
      "0x0a000007",
    ];
    for (const host of hosts) {
      const hook = await subscribe(acme, `https://${host}/hook`);
      await veraWrites(acme);
      const [delivery] = await settled(hook, 1);
      expect({ host, ...delivery?.attributes }).toMatchObject({
        host,
        state: "failed",
        attempt: 1,
        last_attempt: { error: "blocked_address", status: null },
      });
      await acme.delete(hook.path);
    }
  });
});

describe("the order", () => {
  test("of the events of a conversation is the order of their first attempts, however long each takes", async () => {
    const acme = await team();
    const there = await receiver();
    const hook = await subscribe(acme, there.url());
    there.answers(async (exchange) => {
      await new Promise((done) => setTimeout(done, Math.random() * 20));
      status(200)(exchange);
    });
    const { contactId } = await veraWrites(acme, { content: "0" });
    for (let number = 1; number < 30; number += 1) {
      await veraWrites(acme, { contact_id: contactId, content: String(number) });
    }
    await settled(hook, 30);
    expect(there.received.map(textOf)).toEqual(Array.from({ length: 30 }, (_, number) => String(number)));
  });

  test("of one conversation does not hold up another one", async () => {
    const acme = await team();
    const there = await receiver();
    await subscribe(acme, there.url());
    const held = hold();
    there.answers((exchange) =>
      (textOf(exchange.request).startsWith("slow") ? held : { answer: status(200) }).answer(exchange),
    );
    const { contactId } = await veraWrites(acme, { content: "slow 1" });
    await expect.poll(() => held.waiting.length).toBe(1);
    await veraWrites(acme, { contact_id: contactId, content: "slow 2" });
    const other = await veraWrites(acme, { content: "quick 1" });
    await veraWrites(acme, { contact_id: other.contactId, content: "quick 2" });
    await expect.poll(() => there.received.length).toBe(3);
    expect(there.received.map(textOf)).toEqual(["slow 1", "quick 1", "quick 2"]);
    expect(held.waiting).toHaveLength(1);
    held.letGo();
    await expect.poll(() => there.received.map(textOf)).toContain("slow 2");
  });

  test("does not wait for a failed first attempt to be repeated", async () => {
    const acme = await team();
    const there = await receiver();
    const hook = await subscribe(acme, there.url());
    there.answers(asTheTextSays);
    const { contactId } = await veraWrites(acme, { content: "500" });
    await veraWrites(acme, { contact_id: contactId, content: "and then" });
    await settled(hook, 2);
    expect(there.received.map(textOf)).toEqual(["500", "and then"]);
    expect(await hook.states()).toEqual(["waiting", "delivered"]);
  });
});
