/** What the dashboard requests of single sign-on (docs/decisions/0070-single-sign-on.md). */
import type { Static } from "typebox";
import { Type } from "typebox";
import { SSO_SESSION_HOURS, ssoPresets } from "../domain/sso.ts";
import { choice, EMAIL_MAX, idOf, nullable, personName, text, timestamp, URL_MAX, uuid } from "./fields.ts";
import type { HttpOperation } from "./operation.ts";
import { SecondStepAsked } from "./session-factors.ts";

/** Longest answer of a provider that the browser brings: codes of Microsoft have some 2,000 characters. */
const QUERY_MAX = 8_192;
const CREDENTIAL_MAX = 1_000;
const DOMAIN_MAX = 253;
/** `<team>.<provider>` */
const PROVIDER_KEY_MAX = 100;

const nullableString = nullable(Type.String());
const byProvider = Type.Object({ id: idOf("the provider") });
const byDomain = Type.Object({ domain: Type.String() });
const nothing = Type.Object({});
const url = Type.Object({ url: Type.String() });

/** As the sign-in page and the profile show a provider. `id` names the team as well. */
const shownProvider = { id: Type.String(), name: Type.String(), preset: choice(ssoPresets) };
export const ShownSsoProvider = Type.Object(shownProvider);
export type ShownSsoProvider = Static<typeof ShownSsoProvider>;

export const SsoProvider = Type.Object({
  ...shownProvider,
  issuer: Type.String(),
  client_id: Type.String(),
  /** Off: no one signs in by it, and the test works. */
  is_on: Type.Boolean(),
  /** The owner vouches that the provider gives no one an e-mail of another person. */
  trusts_email: Type.Boolean(),
  /** The owner vouches that the provider asks everyone for a second factor. */
  trusts_factors: Type.Boolean(),
  /** Whether unknown people of a proven domain become members at their first sign-in. */
  creates_agents: Type.Boolean(),
  /** The group whose people become admins then; null for none. */
  admin_group: nullableString,
  session_hours: Type.Integer(),
  /** What the provider has to know of us. */
  redirect_uri: Type.String(),
  logout_uri: Type.String(),
});
export type SsoProvider = Static<typeof SsoProvider>;

export const SsoDomain = Type.Object({
  domain: Type.String(),
  /** The TXT record that proves it. */
  record_name: Type.String(),
  record_value: Type.String(),
  is_proven: Type.Boolean(),
  /** Whether its people sign in by SSO alone. */
  is_required: Type.Boolean(),
});
export type SsoDomain = Static<typeof SsoDomain>;

export const SsoSettings = Type.Object({
  providers: Type.Array(SsoProvider),
  /** What the next provider will be: its addresses are needed before it is saved. */
  next: Type.Object({ id: Type.String(), redirect_uri: Type.String(), logout_uri: Type.String() }),
  domains: Type.Array(SsoDomain),
  /** The active owners. `keeps_password`: they sign in with it also where SSO is required. */
  owners: Type.Array(
    Type.Object({
      id: uuid,
      name: Type.String(),
      has_password: Type.Boolean(),
      keeps_password: Type.Boolean(),
    }),
  ),
  /** Whether this owner has signed in with, or linked, an account of a provider that is on. */
  is_linked: Type.Boolean(),
});
export type SsoSettings = Static<typeof SsoSettings>;
const settings = { 200: { body: SsoSettings } };

const choices = {
  name: personName,
  issuer: text(URL_MAX, { minLength: 1 }),
  client_id: text(CREDENTIAL_MAX, { minLength: 1 }),
  client_secret: text(CREDENTIAL_MAX, { minLength: 1 }),
};
const switches = {
  is_on: Type.Optional(Type.Boolean()),
  trusts_email: Type.Optional(Type.Boolean()),
  trusts_factors: Type.Optional(Type.Boolean()),
  creates_agents: Type.Optional(Type.Boolean()),
  admin_group: Type.Optional(nullable(text(255))),
  session_hours: Type.Optional(Type.Integer({ minimum: SSO_SESSION_HOURS.min, maximum: SSO_SESSION_HOURS.max })),
};

/** Whom a test would sign in, and how: `refused` says that nothing would happen. */
export const ssoTestResults = ["signs-in", "asks-password", "joins", "is-created", "refused"] as const;
/** Why a test would be refused. */
export const ssoTestProblems = [
  ...["no-email", "email-unproven", "domain-unproven", "no-agent", "deactivated", "other-account"],
] as const;

const SsoTest = Type.Object({
  subject: Type.String(),
  email: nullableString,
  name: nullableString,
  result: choice(ssoTestResults),
  problem: nullable(Type.String()),
  /** The agent whom it leads to. */
  agent: nullableString,
  groups: Type.Array(Type.String()),
});
export type SsoTest = Static<typeof SsoTest>;

/**
 * - `signed-in`: the browser is signed in
 * - `password-needed`: the account has a password, which links it once (`confirmSsoLink`)
 * - `second-step`: the account has a second factor, which is asked for as after a password
 * - `linked`: the company account belongs to the signed-in agent now
 * - `verified`: the signed-in agent has proved that they are there
 * - `tested`: nothing has changed
 */
export const ssoOutcomes = ["signed-in", "password-needed", "second-step", "linked", "verified", "tested"] as const;

const OwnSso = Type.Object({
  providers: Type.Array(
    Type.Object({
      ...shownProvider,
      /** When it was linked; null when it is not. */
      linked_at: nullable(timestamp),
      email: nullableString,
    }),
  ),
});
export type OwnSso = Static<typeof OwnSso>;

export const ssoOperations = {
  getSsoSettings: { method: "GET", path: "/sso", responses: settings },
  /** `id` is that of `next`. Looks whether the issuer is a provider: 422 on `issuer`. */
  createSsoProvider: {
    method: "POST",
    path: "/sso/providers",
    body: Type.Object({
      id: text(PROVIDER_KEY_MAX, { minLength: 1 }),
      preset: choice(ssoPresets),
      ...choices,
      ...switches,
    }),
    responses: settings,
  },
  /** Another issuer or client ID drops the links of all people to this provider. */
  updateSsoProvider: {
    method: "PATCH",
    path: "/sso/providers/{id}",
    params: byProvider,
    body: Type.Object({
      name: Type.Optional(choices.name),
      issuer: Type.Optional(choices.issuer),
      client_id: Type.Optional(choices.client_id),
      client_secret: Type.Optional(choices.client_secret),
      ...switches,
    }),
    responses: settings,
  },
  deleteSsoProvider: { method: "DELETE", path: "/sso/providers/{id}", params: byProvider, responses: settings },
  /** Where the browser goes to try a sign-in that changes nothing. */
  testSsoProvider: {
    method: "POST",
    path: "/sso/providers/{id}/test",
    params: byProvider,
    responses: { 200: { body: url } },
  },
  addSsoDomain: {
    method: "POST",
    path: "/sso/domains",
    body: Type.Object({ domain: text(DOMAIN_MAX, { minLength: 1 }) }),
    responses: settings,
  },
  /** Asks the DNS; 422 on `domain` when the record is missing, or the domain is another team's. */
  proveSsoDomain: { method: "POST", path: "/sso/domains/{domain}/proof", params: byDomain, responses: settings },
  /** Its people sign in by SSO alone, and their other sessions end. 422 on `on` for what would lock the team out. */
  requireSso: {
    method: "PUT",
    path: "/sso/domains/{domain}/required",
    params: byDomain,
    body: Type.Object({ on: Type.Boolean() }),
    responses: settings,
  },
  removeSsoDomain: { method: "DELETE", path: "/sso/domains/{domain}", params: byDomain, responses: settings },
  /** Whether an owner keeps their password where SSO is required. */
  setBreakGlass: {
    method: "PUT",
    path: "/sso/break-glass/{id}",
    params: Type.Object({ id: idOf("the owner") }),
    body: Type.Object({ on: Type.Boolean() }),
    responses: settings,
  },
  /**
   * Where the browser goes to sign in: at one provider, or at that of the domain of an e-mail. 404 when there is none. The answer
   * sets a cookie, without which what the provider sends back is worth nothing.
   */
  beginSso: {
    method: "POST",
    path: "/sso/begin",
    body: Type.Object({
      provider: Type.Optional(text(PROVIDER_KEY_MAX)),
      email: Type.Optional(text(EMAIL_MAX)),
      /** The path of the dashboard to go on with. */
      next: Type.Optional(text(URL_MAX)),
    }),
    responses: { 200: { body: url } },
    open: true,
  },
  /** The same for `POST /me/sso/{id}`: links the company account to the agent who is signed in. */
  linkOwnSso: { method: "POST", path: "/me/sso/{id}", params: byProvider, responses: { 200: { body: url } } },
  /** The same to prove again who one is, where an operation needs that; 404 when no provider knows the agent. */
  proveBySso: { method: "POST", path: "/me/sso-proof", responses: { 200: { body: url } } },
  /** What the provider has sent back with the browser, as it is. 401 when it is refused. */
  endSso: {
    method: "POST",
    path: "/sso/end",
    body: Type.Object({ provider: text(PROVIDER_KEY_MAX), query: Type.String({ maxLength: QUERY_MAX }) }),
    responses: {
      200: {
        body: Type.Object({
          outcome: choice(ssoOutcomes),
          /** The path of the dashboard to go on with. */
          next: nullableString,
          /** Of `password-needed`: whose password. */
          email: nullableString,
          provider_name: Type.String(),
          /** Of `second-step`. */
          second_step: nullable(SecondStepAsked),
          test: nullable(SsoTest),
        }),
      },
    },
    open: true,
  },
  /** The password of the account, once, after `password-needed`; the second step follows where the account has a factor. 401 for a wrong one. */
  confirmSsoLink: {
    method: "POST",
    path: "/sso/link",
    body: Type.Object({ password: text(1_000, { minLength: 1 }) }),
    responses: { 200: { body: Type.Object({ next: nullableString, second_step: nullable(SecondStepAsked) }) } },
    open: true,
  },
  listOwnSso: { method: "GET", path: "/me/sso", responses: { 200: { body: OwnSso } } },
  unlinkOwnSso: { method: "DELETE", path: "/me/sso/{id}", params: byProvider, responses: { 200: { body: nothing } } },
} as const satisfies Record<string, HttpOperation>;
