/**
 * The bodies of errors: `message`, and for validation `errors` by field (spec, "Errors"). They carry nothing else.
 * What can go wrong, by name, is `domain/refusal.ts`.
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
