import { CUSTOM_FIELD_NAME_MAX } from "@frontdesk/core/contract/fields";
import { IDENTITY_EXPIRED, IdentityClaims } from "@frontdesk/core/contract/visitor";
import { boundedName } from "@frontdesk/core/domain/bounded-text";
import { invalid } from "@frontdesk/core/domain/refusal";
import { type IdentityTime, identityTime } from "@frontdesk/core/domain/visitor-identity";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { compactVerify, errors } from "jose";
import { readJsonBody } from "../http/framework/json-body.ts";
import { validationErrors } from "../http/framework/validation-errors.ts";
import type { Storage } from "../storage/database.ts";
import { identitySecretOfWidget, identitySecretPlace } from "../widgets/widget-store.ts";
import type { VisitorActor } from "./actor.ts";
import type { Vault } from "./vault.ts";

/** A person for whom the owner's server vouches, with what it says about them. */
export interface VouchedIdentity {
  /** The owner's id of the person. */
  id: string;
  name: string | undefined;
  email: string | undefined;
  phone: string | undefined;
  /** Custom data by its names, as texts. */
  data: ReadonlyMap<string, string>;
  /** Until when it is valid, ms since the epoch. */
  until: number;
}

/**
 * Reads and checks the identity in a visitor's request.
 *
 * @throws Refusal `invalid` on `identity`, on a claim of it, or on `identity.exp` when it has expired
 */
export type ReadIdentity = (
  visitor: Pick<VisitorActor, "teamId" | "widgetId">,
  token: string,
) => Promise<VouchedIdentity>;

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
addFormats.default(ajv);
const isClaims = ajv.compile<IdentityClaims>(IdentityClaims);

/**
 * Identities are checked before a transaction begins: the platform's cryptography is asynchronous
 * (docs/decisions/0023-verified-visitors.md).
 */
export function createIdentityReader(storage: Storage, vault: Vault, now: () => number): ReadIdentity {
  return async ({ teamId, widgetId }, token) => {
    const row = { team_id: teamId, id: widgetId };
    const widget = await storage.first(identitySecretOfWidget, row);
    const sealed = widget?.identity_secret_sealed;
    // Without a secret it cannot have been signed.
    if (!sealed) throw notSigned();
    const payload = readPayload(await signedBytes(token, vault.open(sealed, identitySecretPlace(row))));
    const time = identityTime(payload, now());
    if ("problem" in time) throw outOfTime(time.problem);
    if (!isClaims(payload)) throw wrongClaims();
    const { sub, name, email, phone, data = {} } = payload;
    return { id: sub, name, email, phone, data: readData(data), until: time.until };
  };
}

/** HS256 only: any other algorithm in the header, `none` too, is refused; so is any extension of the format. */
async function signedBytes(token: string, secret: string): Promise<Uint8Array> {
  const algorithms = ["HS256"];
  const { payload, protectedHeader } = await compactVerify(token, new TextEncoder().encode(secret), {
    algorithms,
  }).catch((error) => {
    throw error instanceof errors.JOSEError ? notSigned() : error;
  });
  if (protectedHeader.crit) throw notSigned();
  return payload;
}

/** As strict as with a body: its values are stored and shown. */
function readPayload(bytes: Uint8Array): Record<string, unknown> {
  let payload: unknown;
  try {
    payload = readJsonBody(Buffer.from(bytes));
  } catch {
    throw invalid({ identity: "identity-payload" });
  }
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) {
    throw invalid({ identity: "identity-not-object" });
  }
  return payload as Record<string, unknown>;
}

function readData(data: NonNullable<IdentityClaims["data"]>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(data).map(([name, value]) => [
      boundedName("identity.data", name, CUSTOM_FIELD_NAME_MAX),
      String(value),
    ]),
  );
}

function notSigned() {
  return invalid({ identity: "identity-not-signed" });
}

function outOfTime(problem: Extract<IdentityTime, { problem: string }>["problem"]) {
  switch (problem) {
    case "expired":
      return invalid({ [IDENTITY_EXPIRED]: "identity-expired" });
    case "no-end":
      return invalid({ identity: "identity-no-end" });
    case "too-long":
      return invalid({ identity: "identity-too-long" });
    case "too-early":
      return invalid({ identity: "identity-too-early" });
    default:
      return problem satisfies never;
  }
}

function wrongClaims() {
  const fields = Object.entries(validationErrors(isClaims.errors as Parameters<typeof validationErrors>[0]));
  return invalid(Object.fromEntries(fields.map(([field, reasons]) => [`identity.${field}`, reasons])));
}
