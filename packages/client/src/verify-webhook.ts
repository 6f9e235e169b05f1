/**
 * Verifies that a request is a delivery of Frontdesk's (specification, "Authentication"; decisions 42, 43). Uses only
 * WebCrypto, so that it runs wherever requests are received.
 */
import type { Delivery, EventName } from "@frontdesk/core/contract/events";
import { WebhookVerificationError } from "./webhook-verification-error.ts";

const TOLERANCE_SECONDS = 300;
/** While a secret is rotated, the second is signed with the new one (decision 43). */
const SIGNATURE_HEADERS = ["x-service-signature", "x-service-signature-next"];
const TIMESTAMP_HEADER = "x-service-timestamp";

/** A delivery with the `data` of its event: a `switch` on `event` narrows it. */
export type WebhookEvent<Name extends EventName = EventName> = { [Each in Name]: Delivery<Each> }[Name];

/** Headers as of a `fetch` handler, as of Node, or as a plain record; names in any case. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined };

export interface WebhookRequest {
  /** The raw body, exactly as received. Parsed and serialized again, it would differ. */
  body: string | Uint8Array | ArrayBuffer;
  headers: WebhookHeaders;
  /** The whole signing secret as it was shown, `whsec_…`. Several during a rotation. */
  secret: string | readonly string[];
  /** How far the signing time may differ from now, in seconds, either way. */
  tolerance?: number;
  /** The current time, for a test that holds the clock. */
  now?: Date;
}

/**
 * Checks the signature and the time of a delivery and returns its event. The same event can come more than once: handle each
 * `id` once.
 *
 * @throws {WebhookVerificationError} when the request has to be refused; answer it with 401
 * @throws {TypeError} when the call is wrong: a parsed body, or an invalid signing secret
 */
export async function verifyWebhook({
  body,
  headers,
  secret,
  tolerance = TOLERANCE_SECONDS,
  now = new Date(),
}: WebhookRequest): Promise<WebhookEvent> {
  const secrets = readSecrets(secret);
  const bytes = bytesOf(body);
  const timestamp = headerOf(headers, TIMESTAMP_HEADER);
  const signatures = SIGNATURE_HEADERS.map((name) => headerOf(headers, name)).filter((value) => value !== undefined);
  if (timestamp === undefined || signatures.length === 0) throw new WebhookVerificationError("missing_header");
  if (!/^[0-9]{1,15}$/.test(timestamp)) throw new WebhookVerificationError("bad_timestamp");

  // A copy: the body cannot change between the check and the parsing.
  const signed = joined(new TextEncoder().encode(`${timestamp}.`), bytes);
  // Before the time, so that "too old" is only ever reported for what Frontdesk has signed.
  if (!(await isSigned(signed, signatures, secrets))) throw new WebhookVerificationError("bad_signature");
  checkAge(now.getTime() / 1000 - Number(timestamp), tolerance);
  return readEvent(signed.subarray(signed.length - bytes.length));
}

/** A malformed secret would always look like a wrong signature; most mistakes can be detected at once. */
function readSecrets(secret: string | readonly string[]): string[] {
  const secrets = [secret].flat();
  if (secrets.length === 0 || !secrets.every(isSecret)) {
    throw new TypeError(
      "secret must be the whole signing secret as it was shown: whsec_ and what follows, without spaces.",
    );
  }
  return secrets;
}

function isSecret(value: unknown): boolean {
  return typeof value === "string" && /^whsec_\S+$/.test(value);
}

function bytesOf(body: string | Uint8Array | ArrayBuffer): Uint8Array {
  if (typeof body === "string") return new TextEncoder().encode(body);
  // Not by `instanceof`: test runners and frameworks pass objects of other realms.
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (Object.prototype.toString.call(body) === "[object ArrayBuffer]") return new Uint8Array(body);
  throw new TypeError(
    "Pass the raw body, a string or bytes, as it came. Once it is parsed, the signature cannot be checked any more.",
  );
}

/** A repeated header is joined as `Headers` does; no such value can be valid here. */
function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if ("get" in headers && typeof headers.get === "function") return headers.get(name) ?? undefined;
  const values = Object.entries(headers).flatMap(([key, value]) => (key.toLowerCase() === name ? (value ?? []) : []));
  return values.length > 0 ? values.join(", ") : undefined;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

/** Whether any of the signatures matches any of the secrets. `verify` compares in constant time. */
async function isSigned(signed: Uint8Array<ArrayBuffer>, signatures: string[], secrets: string[]): Promise<boolean> {
  const digests = signatures.map(digestOf).filter((digest) => digest !== undefined);
  for (const secret of secrets) {
    const hmac = { name: "HMAC", hash: "SHA-256" };
    const key = await crypto.subtle.importKey("raw", new TextEncoder().encode(secret), hmac, false, ["verify"]);
    for (const digest of digests) if (await crypto.subtle.verify("HMAC", key, digest, signed)) return true;
  }
  return false;
}

function digestOf(signature: string): Uint8Array<ArrayBuffer> | undefined {
  const hex = /^sha256=((?:[0-9a-f]{2}){32})$/.exec(signature)?.[1];
  return hex === undefined ? undefined : Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** Written so that a tolerance or a time that is NaN lets nothing through. */
function checkAge(age: number, tolerance: number): void {
  if (Math.abs(age) <= tolerance) return;
  throw new WebhookVerificationError(age < 0 ? "too_new" : "too_old");
}

function readEvent(bytes: Uint8Array): WebhookEvent {
  let event: unknown;
  try {
    event = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new WebhookVerificationError("not_json");
  }
  if (!isEvent(event)) throw new WebhookVerificationError("not_an_event");
  return event;
}

/** Checks only the envelope: `data` is trusted, since the service has signed it. */
function isEvent(value: unknown): value is WebhookEvent {
  if (typeof value !== "object" || value === null) return false;
  const { id, event, data } = value as { id?: unknown; event?: unknown; data?: unknown };
  return typeof id === "string" && typeof event === "string" && typeof data === "object" && data !== null;
}
