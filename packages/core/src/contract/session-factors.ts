/** What the dashboard requests of how agents sign in: passkeys, apps and codes, proofs, and the rules of a team. */
import type { Static } from "typebox";
import { Type } from "typebox";
import { factorRules } from "../domain/factors.ts";
import { choice, nullable, text, timestamp, uuid } from "./fields.ts";
import type { HttpOperation } from "./operation.ts";

const nullableString = nullable(Type.String());
const nullableTimestamp = nullable(timestamp);
const byId = Type.Object({ id: Type.String() });
const nothing = Type.Object({});

/** What the agent can sign in with besides the password. */
export const OwnFactors = Type.Object({
  app: nullable(Type.Object({ id: uuid, created_at: timestamp, last_used_at: nullableTimestamp })),
  passkeys: Type.Array(
    Type.Object({
      id: uuid,
      name: Type.String(),
      created_at: timestamp,
      last_used_at: nullableTimestamp,
      /** Whether it is backed up, and so on several devices. */
      is_synced: Type.Boolean(),
    }),
  ),
  /** Whether browsers have passkeys at this address. */
  passkeys_possible: Type.Boolean(),
  recovery_codes: Type.Integer({ minimum: 0 }),
  trusted_browsers: Type.Array(
    Type.Object({ id: uuid, user_agent: nullableString, last_used_at: timestamp, trusted_until: timestamp }),
  ),
  /** Whether the team wants the agent to have a factor. */
  is_required: Type.Boolean(),
});
export type OwnFactors = Static<typeof OwnFactors>;

export const SignInRules = Type.Object({
  /** Who must have a second factor. */
  required: choice(factorRules),
  /** Whether agents may have browsers spared the second step for 30 days. */
  trusts_browsers: Type.Boolean(),
});
export type SignInRules = Static<typeof SignInRules>;
/** What browsers take and give: WebAuthn, level 3, in its JSON form. */
/** What a second step is asked for. */
export const SecondStepAsked = Type.Object({
  /** What the agent has: codes of an app, passkeys, recovery codes. */
  app: Type.Boolean(),
  passkey: Type.Boolean(),
  recovery_codes: Type.Boolean(),
  /** Whether this browser may be spared it from then on. */
  may_trust: Type.Boolean(),
});

export const webAuthn = Type.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: true });
const passkeyName = text(200, { minLength: 1 });
const recoveryCodes = Type.Object({ recovery_codes: Type.Array(Type.String()) });
/** Spaces and dashes are left out. */
export const typedCode = text(64, { minLength: 1 });

export const factorOperations = {
  /** What a browser asks its passkeys for; null where there are none at this address. */
  beginPasskeySignIn: {
    method: "POST",
    path: "/sign-in/passkey/options",
    responses: { 200: { body: Type.Object({ options: nullable(webAuthn) }) } },
    open: true,
  },
  /**
   * Proves again who is signed in, for operations that need it (403, `verify-again`), by the password, a code of the app, or a
   * passkey that has signed the options of `beginPasskeySignIn`. The cookie gets a new token. 422 on the one that is wrong.
   */
  verifySession: {
    method: "POST",
    path: "/session/verify",
    body: Type.Object({
      password: Type.Optional(text(1_000, { minLength: 1 })),
      code: Type.Optional(typedCode),
      passkey: Type.Optional(webAuthn),
    }),
    responses: { 200: { body: nothing } },
  },
  getOwnFactors: { method: "GET", path: "/me/factors", responses: { 200: { body: OwnFactors } } },
  /** `secret` and `uri` (for a QR code) are in this answer only. 409 when there is an app already. */
  beginApp: {
    method: "POST",
    path: "/me/factors/app",
    responses: { 200: { body: Type.Object({ secret: Type.String(), uri: Type.String() }) } },
  },
  /** `recovery_codes` come with the first factor, and are in this answer only. 422 on `code`. */
  confirmApp: {
    method: "POST",
    path: "/me/factors/app/confirm",
    body: Type.Object({ code: typedCode }),
    responses: { 200: { body: recoveryCodes } },
  },
  /** What a browser makes a passkey of. 409 where there are none at this address. */
  beginPasskey: {
    method: "POST",
    path: "/me/passkeys/options",
    responses: { 200: { body: Type.Object({ options: webAuthn }) } },
  },
  /** `recovery_codes` come with the first factor, and are in this answer only. 409 for one that was made for something else. */
  addPasskey: {
    method: "POST",
    path: "/me/passkeys",
    body: Type.Object({ name: passkeyName, response: webAuthn }),
    responses: { 200: { body: recoveryCodes } },
  },
  renamePasskey: {
    method: "PATCH",
    path: "/me/passkeys/{id}",
    params: byId,
    body: Type.Object({ name: passkeyName }),
    responses: { 200: { body: nothing } },
  },
  /** A passkey or the app. 409 for the last one where the team requires one. */
  removeFactor: { method: "DELETE", path: "/me/factors/{id}", params: byId, responses: { 200: { body: nothing } } },
  /** The codes before stop working. */
  renewRecoveryCodes: {
    method: "POST",
    path: "/me/factors/recovery-codes",
    responses: { 200: { body: recoveryCodes } },
  },
  endBrowserTrust: {
    method: "DELETE",
    path: "/me/trusted-browsers/{id}",
    params: byId,
    responses: { 200: { body: nothing } },
  },
  /** Who has a second factor. */
  listAgentsWithFactor: {
    method: "GET",
    path: "/team/factors",
    responses: { 200: { body: Type.Object({ agent_ids: Type.Array(uuid) }) } },
  },
  getSignInRules: { method: "GET", path: "/team/sign-in-rules", responses: { 200: { body: SignInRules } } },
  updateSignInRules: {
    method: "PATCH",
    path: "/team/sign-in-rules",
    body: Type.Partial(SignInRules),
    responses: { 200: { body: SignInRules } },
  },
  /** Removes passkeys, app and recovery codes of an agent who has lost them. 403 for roles above one's own; 422 for oneself. */
  removeAgentFactors: {
    method: "DELETE",
    path: "/agents/{id}/factors",
    params: byId,
    responses: { 200: { body: Type.Object({ removed: Type.Boolean() }) } },
  },
  /** Signs an agent out everywhere. 403 for roles above one's own; 422 for oneself. */
  endAgentSessions: {
    method: "DELETE",
    path: "/agents/{id}/sessions",
    params: byId,
    responses: { 200: { body: Type.Object({ ended: Type.Integer({ minimum: 0 }) }) } },
  },
} as const satisfies Record<string, HttpOperation>;
