import type { Obstacle } from "./conversation.ts";
import { because, type GivenReason, type NamedReason, namedReason, type ReasonName, sentenceOf } from "./reasons.ts";

/**
 * A refusal by the product: an expected outcome with a name, thrown so that the transaction is rolled back. Each surface has
 * one file that maps the names to its own status (REST: `http/framework/refusal-status.ts`).
 *
 * Specification: "Errors"; decisions 24, 25, 28 to 32, 68.
 */
export class Refusal extends Error {
  override name = "Refusal";
  /** The kind of refusal, for programs. */
  readonly reason: Reason;
  /** What exactly is refused; the message is its sentence. */
  readonly detail: NamedReason;
  /** For each wrong field, why; the sentences are in `reason.errors`. */
  readonly fields: FieldReasons | undefined;

  constructor(reason: Reason, detail: GivenReason, fields?: FieldReasons) {
    super(sentenceOf(detail));
    this.reason = reason;
    this.detail = namedReason(detail);
    this.fields = fields;
  }
}

export type Reason =
  /**
   * No key, or one that is wrong, expired or revoked: one answer for all of these. `errors` names `identity` for a visitor
   * whose page has to identify them again (docs/decisions/0023-verified-visitors.md).
   */
  | { name: "not-authenticated"; errors?: FieldErrors }
  /** The team's API access is off, the key lacks the scope (decision 29), or its agent is deactivated. */
  | { name: "not-allowed" }
  /** The agent has to prove again who they are (`domain/ways-in.ts`); a repeat after that passes. */
  | { name: "verify-again" }
  /** Missing, another team's, or not an id at all: one answer for all three (decisions 24, 25, 68). */
  | { name: "not-found"; what: Findable }
  /** Fields break a rule; nothing was changed. A nested field has its path as its name, `message.urls.0`. */
  | { name: "invalid"; errors: FieldErrors }
  /** A file that is larger than the operator allows. */
  | { name: "too-large" }
  /** Something prevents it at present; nothing was changed. The detail says what. */
  | { name: "conflict" }
  /** Something prevents it at present; nothing was changed. Only assistants get it (decisions 58 and 69). */
  | { name: "obstacle"; obstacle: Obstacle }
  | { name: "rate-limited"; retryAfterSeconds: number }
  /** The storage cannot be reached; a retry is right (decision 32). */
  | { name: "unavailable"; retryAfterSeconds: number };

/** For each field, what is wrong with it. */
export type FieldErrors = Record<string, string[]>;
/** The same by name. */
export type FieldReasons = Readonly<Record<string, readonly NamedReason[]>>;

/** The things that can be missing. */
export type Findable = ReasonName extends infer Name ? (Name extends `not-found.${infer What}` ? What : never) : never;

/** `throw notFound("conversation")` */
export function notFound(what: Findable): Refusal {
  return new Refusal({ name: "not-found", what }, `not-found.${what}`);
}

/** `throw invalid({ agent_id: "no-such-agent", name: because("too-long", { max: 100 }) })` */
export function invalid(given: Record<string, GivenReason | readonly GivenReason[]>): Refusal {
  return refuseFields("invalid", "invalid", given);
}

/** A change without any field is refused at every field that it could have named. */
export function nothingToChange(fields: readonly string[]): Refusal {
  const listed = `${fields.slice(0, -1).join(", ")} and ${fields.at(-1)}`;
  const why = because("nothing-to-change", { fields: listed });
  return invalid(Object.fromEntries(fields.map((field) => [field, why])));
}

/** `throw hindered("resolved")` */
export function hindered(obstacle: Obstacle): Refusal {
  return new Refusal({ name: "obstacle", obstacle }, `obstacle.${obstacle}`);
}

const notAuthenticatedReasons = {
  key: "not-authenticated",
  token: "no-token",
  "token-of-app": "token-of-app",
  session: "no-session",
  deactivated: "account-deactivated",
  "sign-in": "wrong-sign-in",
  "second-step": "second-step-over",
  passkey: "passkey-unknown",
  sso: "sso-failed",
  "sso-account": "sso-no-account",
} as const satisfies Record<string, GivenReason>;

/** @param wanted an API key, a bearer token, the cookie of a session (or whose it is), or the credentials of a sign-in */
export function notAuthenticated(wanted: keyof typeof notAuthenticatedReasons = "key"): Refusal {
  return new Refusal({ name: "not-authenticated" }, notAuthenticatedReasons[wanted]);
}

/** The verified session has expired. The field distinguishes this from an invalid token. */
export function introduceAgain(): Refusal {
  return refuseFields("not-authenticated", "introduce-again", { identity: "introduce-again" });
}

/** `throw notAllowed("role")` */
export function notAllowed(why: GivenReason): Refusal {
  return new Refusal({ name: "not-allowed" }, why);
}

/** `throw conflict("last-factor")` */
export function conflict(why: GivenReason): Refusal {
  return new Refusal({ name: "conflict" }, why);
}

/** The session reaches nothing but the page that adds a second factor. */
export function enrolFirst(): Refusal {
  return new Refusal({ name: "not-allowed" }, "enrol-first");
}

export function verifyAgain(): Refusal {
  return new Refusal({ name: "verify-again" }, "verify-again");
}

/**
 * An API key lacks scopes that a request needs besides the one of its operation.
 *
 * @param what what the request is for, after "This API key cannot"
 */
export function lacksScopes(what: string, missing: readonly string[]): Refusal {
  return notAllowed(because("lacks-scopes", { what, scopes: missing.join(", ") }));
}

export function rateLimited(retryAfterSeconds: number): Refusal {
  return new Refusal({ name: "rate-limited", retryAfterSeconds }, "rate-limited");
}

/** @param why what cannot be reached or has no room; the storage by default */
export function unavailable(retryAfterSeconds: number, why: GivenReason = "unavailable"): Refusal {
  return new Refusal({ name: "unavailable", retryAfterSeconds }, why);
}

function refuseFields(
  name: "invalid" | "not-authenticated",
  detail: GivenReason,
  given: Record<string, GivenReason | readonly GivenReason[]>,
): Refusal {
  const fields = Object.entries(given).map(
    ([field, reasons]) => [field, (isList(reasons) ? reasons : [reasons]).map(namedReason)] as const,
  );
  const errors = Object.fromEntries(fields.map(([field, reasons]) => [field, reasons.map(sentenceOf)]));
  return new Refusal({ name, errors }, detail, Object.fromEntries(fields));
}

const isList = (given: GivenReason | readonly GivenReason[]): given is readonly GivenReason[] => Array.isArray(given);
