/** GET /webhooks/{webhook}/deliveries and GET …/deliveries/{delivery} (decisions 13, 16, 24, 25 and 41; reference row 20). */
import { listOf, WebhookDelivery, WebhookDeliveryLog } from "@frontdesk/core/contract";
import { closed, problemsOf } from "@frontdesk/testing/ajv";
import { bytes, reset, status } from "@frontdesk/testing/https-receiver";
import { specifyList } from "@frontdesk/testing/list-promises";
import { PATIENT } from "@frontdesk/testing/patient";
import { idsOf, invalid, NO_IDS, refused } from "@frontdesk/testing/rest-answers";
import { hold, type Subscription, startAppWithReceivers, subscribe } from "@frontdesk/testing/subscriber";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { adaReplies, veraWrites } from "@frontdesk/testing/vera";
import { describe, expect, test, vi } from "vitest";

const { app, team, clock, receiver } = await startAppWithReceivers();
await app.start();
// Sends nothing, so that all waits.
const waiting = await startTestApp();

const KEPT_BYTES = 4_096;

/** Resolves when every delivery has been attempted; answers them, oldest first. */
const attempted = (hook: Subscription, count: number) =>
  vi.waitFor(async () => {
    const found = await hook.deliveries();
    expect(found).toHaveLength(count);
    for (const { attributes } of found) expect(attributes.last_attempt?.outcome).toBeTruthy();
    return found.toReversed();
  }, PATIENT);

describe("the list of deliveries", () => {
  specifyList({
    usual: 20,
    most: 100,
    filter: ["state", "waiting"],
    fill: async (rows) => {
      const acme = await waiting.team();
      const body = { endpoint_url: "https://hooks.acme.test/", events: ["message.received"] };
      const { body: created } = await acme.post("/webhooks", body);
      for (let row = 0; row < rows; row += 1) {
        await veraWrites(acme);
        waiting.clock.advance(1_000);
      }
      const received = (await acme.events()).filter(({ name }) => name === "message.received");
      return {
        team: acme,
        path: `/webhooks/${created.data.id}/deliveries`,
        ids: received.map(({ id }) => id).toReversed(),
      };
    },
  });

  test("lists each delivery with its latest attempt, as its schema says", async () => {
    const acme = await team();
    const there = await receiver();
    const hook = await subscribe(acme, there.url());
    there.answers(status(500), status(202));
    await veraWrites(acme);
    const began = new Date(clock.now()).toISOString();
    await attempted(hook, 1);
    clock.advance(66_000);
    await expect.poll(hook.states).toEqual(["delivered"]);
    const { body } = await acme.get(`${hook.path}/deliveries`);
    expect(problemsOf(closed(listOf(WebhookDelivery)), body)).toEqual([]);
    const now = new Date(clock.now()).toISOString();
    const envelope = JSON.parse(String(there.received[0]?.body));
    expect(body.data).toEqual([
      {
        type: "webhook-delivery",
        id: envelope.id,
        attributes: {
          event: "message.received",
          state: "delivered",
          attempt: 2,
          max_attempts: 4,
          next_attempt_at: null,
          created_at: began,
          ended_at: now,
          last_attempt: {
            id: there.received[1]?.headers["x-service-delivery-id"],
            attempt: 2,
            endpoint_url: there.url().href,
            started_at: now,
            duration_ms: expect.toSatisfy((ms) => Number.isInteger(ms) && ms >= 0),
            outcome: "delivered",
            error: null,
            status: 202,
          },
        },
      },
    ]);
  });

  test("is filtered by state, by event, and by both, with the totals of what is left", async () => {
    const acme = await team();
    const there = await receiver();
    const hook = await subscribe(acme, there.url(), { events: ["message.received", "message.sent"] });
    there.answers(({ request, response }) => {
      response.writeHead(request.headers["x-service-event"] === "message.sent" ? 404 : 200).end();
    });
    const { conversationId } = await veraWrites(acme);
    for (let reply = 0; reply < 3; reply += 1) await adaReplies(acme, conversationId);
    await attempted(hook, 4);
    const list = async (query: string) => {
      const { body } = await acme.get(`${hook.path}/deliveries?${query}`);
      return [body.data.length, body.meta.pagination.total];
    };
    expect(await list("state=failed")).toEqual([3, 3]);
    expect(await list("state=failed&limit=2")).toEqual([2, 3]);
    expect(await list("state=delivered")).toEqual([1, 1]);
    expect(await list("state=waiting")).toEqual([0, 0]);
    expect(await list("event=message.sent")).toEqual([3, 3]);
    expect(await list("event=message.received&state=delivered")).toEqual([1, 1]);
    expect(await list("event=message.received&state=failed")).toEqual([0, 0]);
    expect(await list("event=tag.assigned")).toEqual([0, 0]);
    const { body } = await acme.get(`${hook.path}/deliveries?state=failed&event=message.sent&limit=2`);
    expect(body.links.next).toContain("state=failed&event=message.sent");
    expect(body.links.next).toContain("page=2");
  });

  test.each([
    ["state=lost", "state"],
    ["state=", "state"],
    ["state=failed&state=waiting", "state"],
    ["event=message.eaten", "event"],
    ["event=webhook.tested", "event"],
    ["limit=101", "limit"],
  ])("refuses a filter that is not one: %s", async (query, field) => {
    const acme = await waiting.team();
    const { body } = await acme.post("/webhooks", { endpoint_url: "https://a.test/", events: ["message.sent"] });
    const answer = await acme.get(`/webhooks/${body.data.id}/deliveries?${query}`);
    expect(answer).toMatchObject({ status: 422, body: invalid(field) });
  });
});

describe("one delivery", () => {
  test("shows every attempt: what was sent, byte for byte and without signatures, and what came back", async () => {
    const acme = await team();
    const there = await receiver();
    const hook = await subscribe(acme, there.url());
    await acme.post(`${hook.path}/rotate`);
    there.answers(
      status(503, { "Retry-After": "5", Server: "Acme" }, "Down for <b>tea</b>"),
      reset,
      status(200, { "Content-Type": "text/plain", Date: "Fri, 20 Nov 2026 09:00:00 GMT" }, "Thank you"),
    );
    await veraWrites(acme, { name: 'Vera "V." 👩🏽‍🚀\u2028', content: "<script>alert(1)</script>" });
    const [delivery] = await attempted(hook, 1);
    const began = clock.now();
    for (const [attempt, wait] of [66_000, 330_000].entries()) {
      clock.advance(wait);
      await expect
        .poll(async () => (await hook.deliveries())[0]?.attributes.last_attempt)
        .toMatchObject({ attempt: attempt + 2, outcome: expect.any(String) });
    }
    const log = await hook.log(delivery?.id as string);
    expect(problemsOf(closed(WebhookDeliveryLog), log)).toEqual([]);
    const { attempts, ...attributes } = log.attributes;
    const { last_attempt, ...listed } = (await hook.deliveries())[0]?.attributes ?? {};
    expect(attributes).toEqual(listed);
    expect(attempts.at(-1)).toMatchObject(last_attempt);

    expect(attempts).toHaveLength(3);
    const signed = ["x-service-signature", "x-service-signature-next", "webhook-signature"];
    const madeInSending = ["host", "content-length", "connection"];
    for (const [index, { request, ...attempt }] of attempts.entries()) {
      const { headers, body } = there.received[index] as (typeof there.received)[0];
      expect(request.body).toBe(body.toString());
      for (const name of signed) expect(headers).toHaveProperty(name);
      const shown = Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]);
      const sent = Object.entries(headers).filter(([name]) => ![...signed, ...madeInSending].includes(name));
      expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(sent));
      expect(attempt).toMatchObject({ id: headers["x-service-delivery-id"], attempt: index + 1 });
    }
    expect(attempts.map(({ started_at }: { started_at: string }) => Date.parse(started_at))).toEqual([
      began,
      began + 66_000,
      began + 396_000,
    ]);
    expect(attempts).toMatchObject([
      {
        outcome: "failed",
        error: "status",
        status: 503,
        response: { headers: { "retry-after": "5", server: "Acme" }, body: "Down for <b>tea</b>" },
      },
      { outcome: "failed", error: "reset", status: null, response: null },
      {
        outcome: "delivered",
        error: null,
        status: 200,
        response: { headers: { "content-type": "text/plain" }, body: "Thank you" },
      },
    ]);
    expect(JSON.stringify(log)).not.toMatch(/sha256=|v1,|whsec_/);
  });

  test("that has not been attempted yet, or is under way, says so", async () => {
    const idle = await waiting.team();
    const body = { endpoint_url: "https://a.test/", events: ["message.received"] };
    const { body: created } = await idle.post("/webhooks", body);
    await veraWrites(idle);
    const path = `/webhooks/${created.data.id}/deliveries`;
    const [queued] = (await idle.get(path)).body.data;
    expect(queued.attributes).toMatchObject({
      state: "waiting",
      attempt: 1,
      next_attempt_at: null,
      last_attempt: null,
    });
    const { data } = (await idle.get(`${path}/${queued.id}`)).body;
    expect(data.attributes).toMatchObject({ state: "waiting", attempts: [] });

    const acme = await team();
    const there = await receiver();
    const hook = await subscribe(acme, there.url());
    const held = hold();
    there.answers(held.answer);
    await veraWrites(acme);
    await expect.poll(() => held.waiting.length).toBe(1);
    const [delivery] = await hook.deliveries();
    expect(delivery?.attributes).toMatchObject({ state: "sending", attempt: 1, ended_at: null });
    const { attempts } = (await hook.log(delivery?.id as string)).attributes;
    expect(attempts).toMatchObject([
      { attempt: 1, outcome: null, error: null, status: null, duration_ms: null, response: null },
    ]);
    held.letGo();
  });
});

describe("what came back", () => {
  /** The response of the only attempt, from the log. */
  async function logged(answer: Parameters<Awaited<ReturnType<typeof receiver>>["answers"]>[0]) {
    const acme = await team();
    const there = await receiver();
    const hook = await subscribe(acme, there.url());
    there.answers(answer);
    await veraWrites(acme);
    const [delivery] = await attempted(hook, 1);
    const { attempts } = (await hook.log(delivery?.id as string)).attributes;
    expect(attempts).toHaveLength(1);
    return attempts[0].response as { headers: Record<string, string>; body: string };
  }

  test("is kept to its first 4 KiB, however much came", async () => {
    const text = "abcdefgh".repeat(10_000);
    expect((await logged(status(400, {}, text))).body).toBe(text.slice(0, KEPT_BYTES));
    expect((await logged(status(400, {}, text.slice(0, KEPT_BYTES)))).body).toBe(text.slice(0, KEPT_BYTES));
    expect((await logged(status(400))).body).toBe("");
  });

  test("is text, whatever it was: HTML unchanged, bytes that are not UTF-8 marked, NUL left out", async () => {
    const html = "<script>alert('x')</script>\u2028 ü 👩🏽‍🚀";
    expect((await logged(status(400, { "Content-Type": "text/html" }, html))).body).toBe(html);
    const broken = Buffer.from([0x61, 0xff, 0xfe, 0x00, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0x62]);
    expect((await logged(status(400, {}, broken))).body).toBe("a\ufffd\ufffd\ufffd(\ufffd\ufffd\ufffdb");
    // In the middle of a character.
    const cut = await logged(status(400, {}, "€".repeat(2_000)));
    expect(cut.body).toBe(`${"€".repeat(1_365)}\ufffd`);
  });

  test("hides cookies and other headers with secrets, and keeps every other header", async () => {
    const { headers } = await logged(({ response }) => {
      response.setHeader("Set-Cookie", ["session=geheim; HttpOnly", "other=geheim"]);
      response.setHeader("WWW-Authenticate", "Bearer geheim");
      response.setHeader("Authorization", "geheim");
      response.setHeader("X-Trace", ["one", "two"]);
      response.writeHead(401, "geheim").end("nothing");
    });
    expect(headers).toMatchObject({
      "set-cookie": "…",
      "www-authenticate": "…",
      authorization: "…",
      "x-trace": "one, two",
    });
    expect(JSON.stringify(headers)).not.toContain("geheim");
  });

  test("may have header names and values that mean something elsewhere", async () => {
    const head = [
      "__proto__: a",
      "constructor: b",
      "toString: c",
      "X-Quote: \"'\\",
      "X-Latin: caf\u00e9",
      "X-Tab: a\tb",
    ];
    const { headers } = await logged(
      bytes(Buffer.from(`HTTP/1.1 404 No\r\n${head.join("\r\n")}\r\nContent-Length: 0\r\n\r\n`, "latin1")),
    );
    expect(Object.entries(headers)).toEqual(
      expect.arrayContaining([
        ["constructor", "b"],
        ["tostring", "c"],
        ["x-quote", "\"'\\"],
        ["x-latin", "caf\u00e9"],
        ["x-tab", "a\tb"],
      ]),
    );
    expect(Object.getPrototypeOf(headers)).toBe(Object.prototype);
  });
});

describe("who may look", () => {
  test("a subscription that is unknown, another team's, or no id at all gives 403, with one same body", async () => {
    const [acme, sams] = [await waiting.team(), await waiting.team()];
    const { path, delivery } = await queued(acme);
    for (const id of [path.slice("/webhooks/".length), ...NO_IDS]) {
      const own = `/webhooks/${encodeURIComponent(id)}`;
      for (const answer of [
        await sams.get(`${own}/deliveries`),
        await sams.get(`${own}/deliveries/${delivery}`),
        await sams.get(`${own}/deliveries?state=failed`),
      ]) {
        expect(answer).toMatchObject({ status: 403, body: refused("Webhook not found.") });
      }
    }
  });

  test("a delivery that is unknown, another subscription's, another team's, or no id at all gives 404, with one same body", async () => {
    const [acme, sams] = [await waiting.team(), await waiting.team()];
    const [ours, other, theirs] = [await queued(acme), await queued(acme, "message.sent"), await queued(sams)];
    const unknown = [
      theirs.delivery,
      "evt_",
      `${ours.delivery} `,
      ours.delivery.toUpperCase(),
      "\0",
      `${ours.delivery}\0`,
      "é",
      ...NO_IDS,
    ];
    for (const id of unknown) {
      const answer = await acme.get(`${ours.path}/deliveries/${encodeURIComponent(id)}`);
      expect({ id, ...answer }).toMatchObject({ id, status: 404, body: refused("Delivery not found.") });
    }
    expect(await acme.get(`${other.path}/deliveries/${ours.delivery}`)).toMatchObject({ status: 404 });
    expect(await acme.get(`${ours.path}/deliveries/${ours.delivery}`)).toMatchObject({ status: 200 });
  });

  test("with its subscription the log goes; switched off, it stays", async () => {
    const acme = await waiting.team();
    const { path, delivery } = await queued(acme);
    await acme.patch(path, { is_active: false });
    expect(idsOf(await acme.get(`${path}/deliveries`))).toEqual([delivery]);
    await acme.delete(path);
    expect(await acme.get(`${path}/deliveries`)).toMatchObject({ status: 403, body: refused("Webhook not found.") });
    expect(await acme.get(`${path}/deliveries/${delivery}`)).toMatchObject({ status: 403 });
  });

  /** A subscription with one delivery that waits, if the event is that of a visitor's message. */
  async function queued(acme: TestTeam, event = "message.received"): Promise<{ path: string; delivery: string }> {
    const body = { endpoint_url: "https://a.test/", events: [event] };
    const path = `/webhooks/${(await acme.post("/webhooks", body)).body.data.id}`;
    await veraWrites(acme);
    return { path, delivery: (await acme.get(`${path}/deliveries`)).body.data[0]?.id };
  }
});
