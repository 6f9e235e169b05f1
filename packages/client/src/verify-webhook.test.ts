import { createHmac } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { deliveryExample, eventNames } from "@frontdesk/core/contract/events";
import fc from "fast-check";
import { describe, expect, expectTypeOf, test } from "vitest";
import { verifyWebhook, type WebhookEvent, type WebhookHeaders, type WebhookRequest } from "./verify-webhook.ts";
import { type WebhookVerificationCode, WebhookVerificationError } from "./webhook-verification-error.ts";

const SECRET = "whsec_dGhlIHNlY3JldCBvZiB0aGUgdGVzdHMsIDMyIGJ5dGU=";
const NEXT_SECRET = "whsec_dGhlIHNlY3JldCB0aGF0IGZvbGxvd3MsIDMyIGJ5dGU=";
const SIGNED_AT = 1_790_000_000;

const signature = (body: string | Uint8Array, secret = SECRET, timestamp = String(SIGNED_AT)) =>
  `sha256=${createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest("hex")}`;

/** A genuine delivery, received a second after it was signed. */
function delivery(body: string = JSON.stringify(deliveryExample("message.received"))) {
  const headers = { "X-Service-Timestamp": String(SIGNED_AT), "X-Service-Signature": signature(body) };
  return { body, headers, secret: SECRET, now: new Date((SIGNED_AT + 1) * 1000) };
}

async function codeOf(request: WebhookRequest): Promise<WebhookVerificationCode | "accepted"> {
  try {
    await verifyWebhook(request);
    return "accepted";
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.code;
    throw error;
  }
}

describe("a genuine delivery", () => {
  test.each(eventNames)("of %s is given as it was sent", async (name) => {
    const request = delivery(JSON.stringify(deliveryExample(name)));
    expect(await verifyWebhook(request)).toEqual(deliveryExample(name));
  });

  test("is signed as OpenSSL signs it", async () => {
    // printf '%s' '<timestamp>.<body>' | openssl dgst -sha256 -hmac '<secret>'
    const request = {
      ...delivery('{"data":{"b":1,"a":"é 👋"},"event":"message.received","id":"evt_1"}'),
      headers: {
        "X-Service-Timestamp": "1790000000",
        "X-Service-Signature": "sha256=3f2808595af157afa7a956965420093c05605f05ed18b24650818ff9d36dcc96",
      },
    };
    expect(await verifyWebhook(request)).toEqual({
      id: "evt_1",
      event: "message.received",
      data: { a: "é 👋", b: 1 },
    });
  });

  test("may be handed over as text or as bytes", async () => {
    const { body, ...request } = delivery(
      '{ "event":"tag.assigned", "id":"evt_1", "data":{"tag":{"name":"ß\u2028👋🏽"}} }',
    );
    const buffer = Buffer.from(body);
    const forms = [
      body,
      buffer,
      new Uint8Array(buffer),
      new Uint8Array(buffer).buffer,
      // A view of a larger buffer, as Node's own buffers are.
      new Uint8Array(Buffer.concat([Buffer.from("before"), buffer, Buffer.from("after")])).subarray(
        6,
        6 + buffer.length,
      ),
      new DataView(new Uint8Array(buffer).buffer) as unknown as Uint8Array,
    ];
    for (const form of forms) expect(await verifyWebhook({ ...request, body: form })).toEqual(JSON.parse(body));
  });

  test("may bring its headers in any form and case", async () => {
    const { headers, ...request } = delivery();
    const lower: IncomingHttpHeaders = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    const inLists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
    const forms: WebhookHeaders[] = [
      headers,
      lower,
      upper,
      inLists,
      new Headers(headers),
      { ...lower, get: "a header" },
    ];
    for (const form of forms) expect(await codeOf({ ...request, headers: form })).toBe("accepted");
  });

  test("is accepted up to 300 seconds before and after it was signed, or as far as you say", async () => {
    const at = (age: number, tolerance?: number) =>
      codeOf({
        ...delivery(),
        now: new Date((SIGNED_AT + age) * 1000),
        ...(tolerance !== undefined && { tolerance }),
      });
    expect([await at(300), await at(301)]).toEqual(["accepted", "too_old"]);
    expect([await at(-300), await at(-301)]).toEqual(["accepted", "too_new"]);
    expect([await at(10, 10), await at(11, 10), await at(-11, 10)]).toEqual(["accepted", "too_old", "too_new"]);
    expect(await at(86_400, Number.POSITIVE_INFINITY)).toBe("accepted");
    expect(await at(0, Number.NaN)).toBe("too_old");
    expect(await at(Number.NaN)).toBe("too_old");
  });

  test("goes by the clock of the machine when no time is given", async () => {
    const { body } = delivery();
    const timestamp = String(Math.floor(Date.now() / 1000));
    const headers = {
      "X-Service-Timestamp": timestamp,
      "X-Service-Signature": signature(body, SECRET, timestamp),
    };
    expect(await codeOf({ body, headers, secret: SECRET })).toBe("accepted");
  });

  test("stays what it was when its buffer is used again meanwhile", async () => {
    const request = delivery();
    const bytes = Buffer.from(request.body);
    const verified = verifyWebhook({ ...request, body: bytes });
    bytes.fill("x");
    expect(await verified).toEqual(deliveryExample("message.received"));
  });

  test("is typed by its event", async () => {
    const event = await verifyWebhook(delivery());
    expectTypeOf(event).toEqualTypeOf<WebhookEvent>();
    switch (event.event) {
      case "message.received":
        expectTypeOf(event).toEqualTypeOf<WebhookEvent<"message.received">>();
        expectTypeOf(event.data.message.content).toEqualTypeOf<string | undefined>();
        // @ts-expect-error a visitor's message has no agent
        void event.data.agent;
        break;
      case "contact.updated":
        expectTypeOf(event.data.updated_fields).toEqualTypeOf<string[]>();
    }
  });
});

describe("while a secret is replaced", () => {
  /** The documented header keeps the old secret, the second one is signed with the new one. */
  function rotating() {
    const request = delivery();
    return {
      ...request,
      headers: { ...request.headers, "X-Service-Signature-Next": signature(request.body, NEXT_SECRET) },
    };
  }

  test("the old secret, the new one and both together are right", async () => {
    for (const secret of [SECRET, NEXT_SECRET, [SECRET, NEXT_SECRET], [NEXT_SECRET, SECRET]]) {
      expect(await codeOf({ ...rotating(), secret })).toBe("accepted");
    }
    expect(await codeOf({ ...rotating(), secret: "whsec_another" })).toBe("bad_signature");
  });

  test("before and after it, a receiver that knows both needs no change", async () => {
    const secret = [SECRET, NEXT_SECRET];
    expect(await codeOf({ ...delivery(), secret })).toBe("accepted");
    const afterwards = delivery();
    afterwards.headers["X-Service-Signature"] = signature(afterwards.body, NEXT_SECRET);
    expect(await codeOf({ ...afterwards, secret })).toBe("accepted");
    expect(await codeOf({ ...afterwards, secret: SECRET })).toBe("bad_signature");
  });

  test("one signature is enough, whichever it is", async () => {
    const { "X-Service-Signature": _, ...headers } = rotating().headers;
    expect(await codeOf({ ...rotating(), headers, secret: NEXT_SECRET })).toBe("accepted");
    expect(await codeOf({ ...rotating(), headers, secret: SECRET })).toBe("bad_signature");
  });
});

describe("a request that is not to be believed", () => {
  const withHeaders = (headers: WebhookHeaders) => codeOf({ ...delivery(), headers });
  const { headers } = delivery();

  test("lacks the time or the signature", async () => {
    expect(await withHeaders({})).toBe("missing_header");
    expect(await withHeaders(new Headers())).toBe("missing_header");
    expect(await withHeaders({ "X-Service-Timestamp": headers["X-Service-Timestamp"] })).toBe("missing_header");
    expect(await withHeaders({ "X-Service-Signature": headers["X-Service-Signature"] })).toBe("missing_header");
    expect(await withHeaders({ ...headers, "X-Service-Signature": undefined })).toBe("missing_header");
  });

  test.each(["", "now", "-1790000000", "1790000000.0", "1.79e9", " 1790000000", "0x6AB13B80", "9".repeat(16), "١٧٩"])(
    "has %j for a time, also when it is signed",
    async (timestamp) => {
      const { body } = delivery();
      const signed = { "X-Service-Timestamp": timestamp, "X-Service-Signature": signature(body, SECRET, timestamp) };
      expect(await withHeaders(signed)).toBe("bad_timestamp");
    },
  );

  test("has a signature that is none", async () => {
    const { body } = delivery();
    const right = signature(body);
    const base64 = Buffer.from(right.slice(7), "hex").toString("base64");
    for (const wrong of ["", "sha256=", right.slice(7), right.slice(0, -2), `${right}00`, right.toUpperCase()]) {
      expect(await withHeaders({ ...headers, "X-Service-Signature": wrong })).toBe("bad_signature");
    }
    for (const wrong of [`sha1=${right.slice(7)}`, `sha256=${base64}`, ` ${right}`, `${right},${right}`]) {
      expect(await withHeaders({ ...headers, "X-Service-Signature": wrong })).toBe("bad_signature");
    }
  });

  test("brings a header twice, in whatever way", async () => {
    const twice = { ...headers, "x-service-signature": headers["X-Service-Signature"] };
    expect(await withHeaders(twice)).toBe("bad_signature");
    expect(await withHeaders(new Headers(Object.entries(twice)))).toBe("bad_signature");
    const list = [headers["X-Service-Timestamp"], headers["X-Service-Timestamp"]];
    expect(await withHeaders({ ...headers, "X-Service-Timestamp": list })).toBe("bad_timestamp");
  });

  test("is signed with another secret, or with the bytes that the secret stands for", async () => {
    const { body, ...request } = delivery();
    for (const key of [NEXT_SECRET, SECRET.slice(6)]) {
      const wrong = { ...headers, "X-Service-Signature": signature(body, key) };
      expect(await codeOf({ ...request, body, headers: wrong })).toBe("bad_signature");
    }
  });

  test("was serialized again after it was parsed", async () => {
    const request = delivery('{ "id": "evt_1", "event": "tag.assigned", "data": {} }');
    expect(await codeOf(request)).toBe("accepted");
    expect(await codeOf({ ...request, body: JSON.stringify(JSON.parse(request.body)) })).toBe("bad_signature");
  });

  test("is called old only when Frontdesk has signed it", async () => {
    const now = new Date((SIGNED_AT + 3600) * 1000);
    expect(await codeOf({ ...delivery(), now })).toBe("too_old");
    expect(await codeOf({ ...delivery(), now, body: "{}" })).toBe("bad_signature");
  });

  test("is signed, but no JSON or no event", async () => {
    expect(await codeOf(delivery(""))).toBe("not_json");
    expect(await codeOf(delivery("{"))).toBe("not_json");
    for (const body of [
      "null",
      "7",
      "[]",
      "{}",
      '{"id":1,"event":"a","data":{}}',
      '{"id":"e","event":"a","data":null}',
    ]) {
      expect(await codeOf(delivery(body))).toBe("not_an_event");
    }
    const bytes = Buffer.from([0x22, 0xff, 0x22]);
    const notUtf8 = { ...headers, "X-Service-Signature": signature(bytes) };
    expect(await codeOf({ ...delivery(), body: bytes, headers: notUtf8 })).toBe("not_json");
  });

  test("is refused when any bit of body, time or signature is another", async () => {
    const { body, now } = delivery();
    const parts = [Buffer.from(body), Buffer.from(String(SIGNED_AT)), Buffer.from(signature(body))] as const;
    const bit = fc
      .nat(2)
      .chain((part) => fc.record({ part: fc.constant(part), bit: fc.nat((parts[part] as Buffer).length * 8 - 1) }));
    const flipping = fc.asyncProperty(bit, async ({ part, bit }) => {
      const [raw, timestamp, signed] = parts.map((bytes, index) => {
        const changed = Uint8Array.from(bytes);
        if (index === part) changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
        return Buffer.from(changed);
      }) as [Buffer, Buffer, Buffer];
      // One byte per character, as header values are.
      const headers = {
        "X-Service-Timestamp": timestamp.toString("latin1"),
        "X-Service-Signature": signed.toString("latin1"),
      };
      const code = await codeOf({ body: raw, headers, secret: SECRET, now, tolerance: Number.POSITIVE_INFINITY });
      expect(["bad_signature", "bad_timestamp"]).toContain(code);
    });
    await fc.assert(flipping, { numRuns: 500 });
  });

  test("has an error with nothing but a code and a text that says what to do", async () => {
    const error = await verifyWebhook({ ...delivery(), body: "{}" }).catch((reason) => reason);
    expect(error).toBeInstanceOf(WebhookVerificationError);
    expect(Object.keys(error).toSorted()).toEqual(["code", "name"]);
    expect(error.message).toMatch(/Refuse the request\..*before anything parses it/);
    expect(error.message).not.toMatch(/[0-9a-f]{8}/);
  });
});

test("any event with any text in it is accepted when it is signed", async () => {
  const data = fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue({ stringUnit: "grapheme" }));
  const accepting = fc.asyncProperty(data, async (data) => {
    const body = JSON.stringify({ data, id: "evt_1", event: "message.received" });
    expect(await verifyWebhook(delivery(body))).toEqual(JSON.parse(body));
  });
  await fc.assert(accepting, { numRuns: 100 });
});

describe("a call that cannot be right", () => {
  test("with a parsed body has an error that says to pass the raw one", async () => {
    const parsed = [deliveryExample("message.received"), undefined, null, 7, [1, 2], new Map(), new Blob(["{}"])];
    for (const body of parsed) {
      const call = verifyWebhook({ ...delivery(), body: body as unknown as string });
      await expect(call).rejects.toThrow(/^Pass the raw body/);
      await expect(call).rejects.toBeInstanceOf(TypeError);
    }
  });

  test("with something that is no signing secret has an error about that, and not about the signature", async () => {
    const secrets = [
      "",
      "undefined",
      undefined,
      SECRET.slice(6),
      `${SECRET}\n`,
      "whsec_",
      [],
      [SECRET, ""],
      [undefined],
    ];
    for (const secret of secrets) {
      const call = verifyWebhook({ ...delivery(), secret: secret as string });
      await expect(call).rejects.toThrow(/^secret must be the whole signing secret/);
      await expect(call).rejects.toBeInstanceOf(TypeError);
    }
  });

  test("is not taken for a bad request", async () => {
    const call = verifyWebhook({ ...delivery(), body: {} as unknown as string });
    await expect(call).rejects.not.toBeInstanceOf(WebhookVerificationError);
  });
});
