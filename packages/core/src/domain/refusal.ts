import type { Obstacle } from "./conversation.ts";

/**
 * What the product says when it will not act: an expected outcome with a name, thrown so that the transaction is rolled
 * back. Each surface has one file that maps the names to its own status (REST: `http/framework/refusal-status.ts`).
 *
 * Specification: "Errors"; decisions 24, 25, 28 to 32, 68.
 */
export class Refusal extends Error {
  override name = "Refusal";
  readonly reason: Reason;
  constructor(reason: Reason, message: string) {
    super(message);
    this.reason = reason;
  }
}

export type Reason =
  /**
   * No key, or one that is wrong, expired or revoked: one answer for all of these. `errors` names `identity` to a visitor
   * whose page has to vouch for them again (docs/decisions/0023-verified-visitors.md).
   */
  | { name: "not-authenticated"; errors?: FieldErrors }
  /** The team's API access is off, the key lacks the scope (decision 29), or its agent is deactivated. */
  | { name: "not-allowed" }
  /** Missing, another team's, or not an id at all: one answer for all three (decisions 24, 25, 68). */
  | { name: "not-found"; what: Findable }
  /** Fields break a rule; nothing was changed. A nested field is named by its path, `message.urls.0`. */
  | { name: "invalid"; errors: FieldErrors }
  /** A file that is larger than the operator takes. */
  | { name: "too-large" }
  /** Something stands in the way at present; nothing was changed. Only assistants meet it (decisions 58 and 69). */
  | { name: "obstacle"; obstacle: Obstacle }
  | { name: "rate-limited"; retryAfterSeconds: number }
  /** The storage is out of reach; trying again is right (decision 32). */
  | { name: "unavailable"; retryAfterSeconds: number };

/** For each field, what is wrong with it. */
export type FieldErrors = Record<string, string[]>;

/** The things that can be missing. */
export type Findable = keyof typeof notFoundText;

export const notFoundText = {
  contact: "Contact not found.",
  conversation: "Conversation not found.",
  widget: "Widget not found.",
  agent: "Agent not found.",
  assignment: "This agent is not assigned to the conversation.",
  tag: "Tag not found.",
  "custom-data": "Custom data not found.",
  "custom-field": "Custom field not found.",
  article: "Article not found.",
  webhook: "Webhook not found.",
  delivery: "Delivery not found.",
  "api-key": "API key not found.",
  assistant: "Assistant not found.",
  tool: "There is no such tool.",
  team: "Team not found.",
  file: "Nothing is at this address.",
  invitation: "This invitation is not valid any more. Please ask for a new one.",
  session: "This session has ended already.",
  "password-reset": "This link is not valid any more. Please ask for a new one.",
  "canned-reply": "Canned reply not found.",
  "saved-view": "Saved view not found.",
} as const;

/** The texts of the other refusals; equal on every surface. */
export const refusalText = {
  "not-authenticated": "The API key is missing or invalid.",
  "no-token": "The bearer token is missing or invalid.",
  "no-session": "Please sign in.",
  "introduce-again": "Please introduce the visitor again.",
  "wrong-sign-in": "The e-mail or the password is not right.",
  "not-allowed": "This API key may not do this.",
  role: "Your role may not do this.",
  "access-off": "API access is switched off for this account.",
  "agent-deactivated": "The agent of this API key is deactivated.",
  invalid: "Some fields are not valid.",
  "rate-limited": "Too many requests. Please wait a moment and try again.",
  unavailable: "The service cannot reach its storage. Please try again shortly.",
} as const;

/** What stands in the way, and what to do about it, to an assistant that wants to reply or to note. */
export const obstacleText = {
  blocked: "This visitor is blocked. Nothing can be sent to them.",
  resolved: "This conversation is resolved. Reopen it first: unresolve-conversation.",
  "handed-over": "A human was asked to take over this conversation.",
  "no-agent": "No agent is configured for this connection, so it cannot reply. An admin can choose one.",
  "no-author": "The user who made this connection has no agent profile any more, so it cannot add notes.",
} as const satisfies Record<Obstacle, string>;

/** `throw notFound("conversation")` */
export function notFound(what: Findable): Refusal {
  return new Refusal({ name: "not-found", what }, notFoundText[what]);
}

/** `throw invalid({ agent_id: "There is no such agent in your team." })` */
export function invalid(errors: Record<string, string | string[]>): Refusal {
  const lists = Object.fromEntries(
    Object.entries(errors).map(([field, messages]) => [field, Array.isArray(messages) ? messages : [messages]]),
  );
  return new Refusal({ name: "invalid", errors: lists }, refusalText.invalid);
}

/** `throw hindered("resolved")` */
export function hindered(obstacle: Obstacle): Refusal {
  return new Refusal({ name: "obstacle", obstacle }, obstacleText[obstacle]);
}

const notAuthenticatedText = {
  key: refusalText["not-authenticated"],
  token: refusalText["no-token"],
  session: refusalText["no-session"],
  "sign-in": refusalText["wrong-sign-in"],
} as const;

/** @param wanted an API key, a bearer token, the cookie of a session, or what somebody signs in with */
export function notAuthenticated(wanted: keyof typeof notAuthenticatedText = "key"): Refusal {
  return new Refusal({ name: "not-authenticated" }, notAuthenticatedText[wanted]);
}

/** What the page has vouched for has run out. The field tells a program this from a token that is none. */
export function introduceAgain(): Refusal {
  const message = refusalText["introduce-again"];
  return new Refusal({ name: "not-authenticated", errors: { identity: [message] } }, message);
}

/** @param why the key lacks the scope, the team's API access is off, the key's agent is deactivated, or the role is too low */
export function notAllowed(why: "not-allowed" | "access-off" | "agent-deactivated" | "role"): Refusal {
  return new Refusal({ name: "not-allowed" }, refusalText[why]);
}

/**
 * An API key lacks scopes that a request needs besides the one of its operation.
 *
 * @param what what the request asks for, after "This API key may not"
 */
export function lacksScopes(what: string, missing: readonly string[]): Refusal {
  return new Refusal({ name: "not-allowed" }, `This API key may not ${what}. It lacks: ${missing.join(", ")}.`);
}

export function rateLimited(retryAfterSeconds: number): Refusal {
  return new Refusal({ name: "rate-limited", retryAfterSeconds }, refusalText["rate-limited"]);
}

export function unavailable(retryAfterSeconds: number): Refusal {
  return new Refusal({ name: "unavailable", retryAfterSeconds }, refusalText.unavailable);
}
