/**
 * How things go wrong, in names. An operation answers with a name; each surface has one file that maps names to its own status.
 * The bodies are the spec's: `message`, and for validation `errors` by field (spec, "Errors"). They carry nothing else.
 */
import type { Static } from "typebox";
import { Type } from "typebox";
import { mapOf } from "./fields.ts";

export const ErrorBody = Type.Object({ message: Type.String({ description: "What went wrong, for a person." }) });
export type ErrorBody = Static<typeof ErrorBody>;

export const ValidationErrorBody = Type.Object({
  message: Type.String({ description: "What went wrong, for a person." }),
  errors: mapOf(Type.Array(Type.String()), {
    description: "For each field what is wrong with it. A nested field is named by its path, such as `message.urls.0`.",
  }),
});
export type ValidationErrorBody = Static<typeof ValidationErrorBody>;

/** For each field, what is wrong with it. */
export type FieldErrors = Record<string, string[]>;

/** The things that can be missing. */
export type Findable = "contact" | "conversation" | "widget" | "agent" | "webhook";

/**
 * Every expected way to fail.
 *
 * - `not-authenticated`: no key, or one that is wrong, expired or revoked; the same answer for all of these.
 * - `not-allowed`: the team's API access is off, or the key lacks the scope (decision 29).
 * - `not-found`: missing, another team's, or not an id at all; the same answer for all three (decisions 24, 25, 68).
 *   REST answers 403 for an agent or a webhook and 404 for the others.
 * - `invalid`: a field breaks a rule; nothing was changed.
 * - `conflict`: the first request with this idempotency key still runs.
 * - `rate-limited`: `retryAfterSeconds` is a whole number and honest (decision 30).
 * - `unavailable`: the storage is out of reach; trying again is right (decision 32).
 */
export type NamedError =
  | { name: "not-authenticated" }
  | { name: "not-allowed" }
  | { name: "not-found"; what: Findable }
  | { name: "invalid"; errors: FieldErrors }
  | { name: "conflict" }
  | { name: "rate-limited"; retryAfterSeconds: number }
  | { name: "unavailable"; retryAfterSeconds: number };

export type ErrorName = NamedError["name"];

/** The text for each missing thing; equal on every surface, whatever the reason it is not there. */
export const notFoundText = {
  contact: "Contact not found.",
  conversation: "Conversation not found.",
  widget: "Widget not found.",
  agent: "Agent not found.",
  webhook: "Webhook not found.",
} as const satisfies Record<Findable, string>;

/** The text of the errors that need no more than their name. */
export const errorText = {
  "not-authenticated": "The API key is missing or invalid.",
  "not-allowed": "This API key may not do this.",
  invalid: "Some fields are not valid.",
  conflict: "The first request with this idempotency key is still running. Please try again shortly.",
  "rate-limited": "Too many requests. Please wait a moment and try again.",
  unavailable: "The service cannot reach its storage. Please try again shortly.",
} as const satisfies Record<Exclude<ErrorName, "not-found">, string>;

/** The text of a fault of ours (500). It never says more; the log does, under the request id (decision 32). */
export const FAULT_TEXT = "Something went wrong on our side. Please try again.";
/** The text of an address that no operation has. */
export const NO_SUCH_ADDRESS_TEXT = "Nothing is at this address.";
/** The texts of a body or an address that cannot be read at all (decision 28). */
export const unreadableText = {
  400: "The request could not be read. Please check its JSON and its encoding.",
  413: "The request is too large. A body may hold at most 1 MiB.",
  415: "The body must be application/json in UTF-8.",
} as const;

/** The message of a named error, for every surface. */
export function messageOf(error: NamedError): string {
  return error.name === "not-found" ? notFoundText[error.what] : errorText[error.name];
}
