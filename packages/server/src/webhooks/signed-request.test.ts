/**
 * The exact bytes that are sent: "Webhook delivery envelope", "Delivery request headers", "Authentication"; decisions 37, 42,
 * 43.
 */
import { randomBytes, webcrypto } from "node:crypto";
import { DeliveryHeaders, deliverySchema } from "@frontdesk/core/contract";
import { closed, problemsOf } from "@frontdesk/testing/ajv";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { openVault } from "../access/vault.ts";
import { envelope, signedRequest, unsignedHeaders } from "./signed-request.ts";
import { nextSecretPlace, secretPlace, signingSecrets } from "./signing-secrets.ts";

/** A moment of signing that the Standard Webhooks library, which looks at the clock, takes as fresh. */
const now = Date.now();
const SECOND = 1_000;
const DAY = 24 * 60 * 60 * SECOND;

const data = {
  message: {
    id: "01980c61-1c0e-7a55-8b9d-e04f6a27c30a",
    content: 'Grüße 👩🏽‍🚀 \u2028 "quoted" \\ / </script> \u0001 \n',
    attachments: [],
    created_at: "2026-11-20T09:00:00.000Z",
  },
  conversation: { id: "01980c61-1c0e-7a55-8b9d-e04f6a27c30b", channel: "website", status: "open" },
  visitor: { id: "01980c61-1c0e-7a55-8b9d-e04f6a27c30c", name: `Vera "V." O'Neill \u2029`, email: null, phone: null },
};
const event = {
  event_id: "evt_01980c611c0e7a558b9de04f6a27c30a",
  event_name: "message.received",
  data: JSON.stringify(data),
  occurred_at: Date.parse("2026-11-20T09:00:00.007Z"),
  version: "2026-09",
};
const attempt = {
  queue_id: "01980c60-5d70-7ac9-b8e3-1f602d7e9a08",
  id: "del_01980c611c1174c2a0d34b5c6d7e8f90",
  attempt: 3,
  started_at: now,
};

const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;
const old = newSecret();
const fresh = newSecret();
const alone = { current: old, next: undefined };
const both = { current: old, next: fresh };

/** HMAC-SHA256 by another implementation than the one that signs. */
async function hmac(key: Buffer<ArrayBuffer>, text: string): Promise<Buffer> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await webcrypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
  return Buffer.from(await webcrypto.subtle.sign("HMAC", imported, new TextEncoder().encode(text)));
}
const seconds = (ms: number) => String(Math.floor(ms / SECOND));
const serviceSignature = async (secret: string, timestamp: string, body: string) =>
  `sha256=${(await hmac(Buffer.from(secret), `${timestamp}.${body}`)).toString("hex")}`;

describe("the body", () => {
  test("is the documented envelope, its keys in the documented order", () => {
    const { event_id: id, event_name, version } = event;
    const documented = { id, event: event_name, data, occurred_at: "2026-11-20T09:00:00.007Z", version };
    expect(envelope(event)).toBe(JSON.stringify(documented));
    expect(problemsOf(closed(deliverySchema("message.received")), JSON.parse(envelope(event)))).toEqual([]);
  });

  test("holds the stored payload byte for byte, whatever is in it", () => {
    fc.assert(
      fc.property(fc.json(), (stored) => {
        expect(envelope({ ...event, data: stored })).toContain(`,"data":${stored},"occurred_at":`);
        expect(JSON.parse(envelope({ ...event, data: stored })).data).toEqual(JSON.parse(stored));
      }),
    );
  });

  test("is the same bytes in every attempt, with every secret", () => {
    const later = { ...attempt, id: "del_other", attempt: 4, started_at: now + DAY };
    const first = signedRequest(event, attempt, alone);
    for (const again of [signedRequest(event, later, alone), signedRequest(event, attempt, both)]) {
      expect(Buffer.from(again.body)).toEqual(Buffer.from(first.body));
    }
  });
});

describe("the headers", () => {
  test("are the documented ones, those of Standard Webhooks, and our name; no others", async () => {
    const { body, headers } = signedRequest(event, attempt, alone);
    const timestamp = seconds(now);
    expect(headers).toEqual({
      "Content-Type": "application/json",
      "User-Agent": "Frontdesk-Webhooks",
      "X-Service-Event": "message.received",
      "X-Service-Webhook-Id": attempt.queue_id,
      "X-Service-Delivery-Id": attempt.id,
      "X-Service-Delivery-Attempt": "3",
      "X-Service-Timestamp": timestamp,
      "X-Service-Signature": await serviceSignature(old, timestamp, body),
      "webhook-id": event.event_id,
      "webhook-timestamp": timestamp,
      "webhook-signature": expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    });
    expect(problemsOf(DeliveryHeaders, headers)).toEqual([]);
  });

  test("without signatures are the same ones, for the log", () => {
    const { headers } = signedRequest(event, attempt, both);
    const { "X-Service-Signature": _, "X-Service-Signature-Next": __, "webhook-signature": ___, ...rest } = headers;
    expect(unsignedHeaders(event, attempt)).toEqual(rest);
  });

  test("are fresh in each attempt: its id, its number, its time of signing, and so its signatures", () => {
    const later = { ...attempt, id: "del_other", attempt: 4, started_at: now + SECOND };
    const [one, two] = [signedRequest(event, attempt, alone).headers, signedRequest(event, later, alone).headers];
    const fresh = Object.keys(one).filter((name) => one[name] !== two[name]);
    expect(fresh).toEqual([
      "X-Service-Delivery-Id",
      "X-Service-Delivery-Attempt",
      "X-Service-Timestamp",
      "webhook-timestamp",
      "X-Service-Signature",
      "webhook-signature",
    ]);
  });

  test("have the time in whole seconds, rounded down", () => {
    for (const [ms, told] of [
      [1_799_999, "1799"],
      [1_800_000, "1800"],
    ] as const) {
      expect(unsignedHeaders(event, { ...attempt, started_at: ms })["X-Service-Timestamp"]).toBe(told);
    }
  });
});

describe("the signature", () => {
  test("is keyed with the whole secret as it was shown, over the time, a dot and the raw body in UTF-8", async () => {
    const { body, headers } = signedRequest(event, attempt, alone);
    expect(Buffer.byteLength(body)).toBeGreaterThan(body.length);
    expect(headers["X-Service-Signature"]).toBe(await serviceSignature(old, seconds(now), body));
    expect(headers["X-Service-Signature"]).not.toBe(await serviceSignature(old.slice(6), seconds(now), body));
  });

  test("of Standard Webhooks is keyed with the bytes behind the prefix, and its own library verifies it", async () => {
    const { body, headers } = signedRequest(event, attempt, alone);
    const key = Buffer.from(old.slice("whsec_".length), "base64");
    expect(key).toHaveLength(32);
    const expected = (await hmac(key, `${event.event_id}.${seconds(now)}.${body}`)).toString("base64");
    expect(headers["webhook-signature"]).toBe(`v1,${expected}`);
    expect(new Webhook(old).verify(Buffer.from(body), headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(fresh).verify(body, headers)).toThrow();
    expect(() => new Webhook(old).verify(`${body} `, headers)).toThrow();
  });
});

describe("while one secret replaces another", () => {
  const vault = openVault(randomBytes(32));
  const name = { team_id: "acme", id: "hook" };
  const [oldSealed, freshSealed] = [vault.seal(old, secretPlace(name)), vault.seal(fresh, nextSecretPlace(name))];
  const replaced = { ...name, secret_sealed: oldSealed, next_secret_sealed: freshSealed, next_secret_at: now };

  test("the documented header is signed with the old one, X-Service-Signature-Next with the new one", async () => {
    const { body, headers } = signedRequest(event, attempt, both);
    expect(headers["X-Service-Signature"]).toBe(await serviceSignature(old, seconds(now), body));
    expect(headers["X-Service-Signature-Next"]).toBe(await serviceSignature(fresh, seconds(now), body));
  });

  test("receivers with either secret verify it by the library of Standard Webhooks", () => {
    const { body, headers } = signedRequest(event, attempt, both);
    expect(headers["webhook-signature"]).toMatch(/^v1,\S+ v1,\S+$/);
    for (const secret of [old, fresh]) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(newSecret()).verify(body, headers)).toThrow();
  });

  test("both sign until the last moment before the change, and from it on only the new one", () => {
    expect(signingSecrets(replaced, vault, now - DAY)).toEqual(both);
    expect(signingSecrets(replaced, vault, now - 1)).toEqual(both);
    for (const at of [now, now + 1, now + DAY]) {
      expect(signingSecrets(replaced, vault, at)).toEqual({ current: fresh, next: undefined });
    }
  });

  test("without a new one the old one signs alone, at any time", () => {
    const webhook = { ...name, secret_sealed: oldSealed, next_secret_sealed: null, next_secret_at: null };
    expect(signingSecrets(webhook, vault, now)).toEqual(alone);
  });
});
