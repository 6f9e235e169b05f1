import { createPrivateKey, sign } from "node:crypto";

const KEY_BITS_MIN = 2_048;
/** How long an assertion is good: Google takes none that is good for more than an hour. */
const ASSERTION_LIFE_S = 600;

export interface ServiceKey {
  /** PKCS 8, in PEM form. */
  pem: string;
  /** The address of the service account; undefined where the key alone was given. */
  account: string | undefined;
}

/** The key of a service account: its JSON key file as Google gives it, or the key in PEM form. Undefined for what is none. */
export function readServiceKey(text: string): ServiceKey | undefined {
  const file = keyFile(text);
  try {
    const key = createPrivateKey(file?.private_key ?? text);
    const bits = key.asymmetricKeyType === "rsa" ? (key.asymmetricKeyDetails?.modulusLength ?? 0) : 0;
    if (bits < KEY_BITS_MIN) return undefined;
    return { pem: key.export({ type: "pkcs8", format: "pem" }) as string, account: file?.client_email };
  } catch {
    return undefined;
  }
}

/** What is used of a key file. Its addresses are not: the provider's are known. */
function keyFile(text: string): { private_key: string; client_email: string | undefined } | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  try {
    const { private_key, client_email } = JSON.parse(text) as Record<string, unknown>;
    if (typeof private_key !== "string") return undefined;
    return { private_key, client_email: typeof client_email === "string" ? client_email : undefined };
  } catch {
    return undefined;
  }
}

/** That a service account asks for a token of a mailbox, signed with its key (RFC 7523, RS256). */
export function signedAssertion(
  pem: string,
  claims: { issuer: string; mailbox: string; audience: string; scope: string },
  now: number,
): string {
  const issuedAt = Math.floor(now / 1_000);
  const { issuer, mailbox, audience, scope } = claims;
  const times = { iat: issuedAt, exp: issuedAt + ASSERTION_LIFE_S };
  const payload = { iss: issuer, sub: mailbox, aud: audience, scope, ...times };
  const signed = [{ alg: "RS256", typ: "JWT" }, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  return `${signed}.${sign("sha256", Buffer.from(signed), pem).toString("base64url")}`;
}
