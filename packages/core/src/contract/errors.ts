/**
 * The bodies of errors: `message`, and for validation `errors` by field (spec, "Errors"). Those of the REST API carry nothing
 * else. What can go wrong, by name, is `domain/refusal.ts`; the sentences are in `domain/reasons.ts`.
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

/** A reason by its name, with the values of its sentence (`domain/reasons.ts`), so that a client can word it itself. */
export const ErrorReason = Type.Object({
  reason: Type.String(),
  values: Type.Optional(mapOf(Type.Unsafe<string | number>({ type: ["string", "number"] }))),
});
export type ErrorReason = Static<typeof ErrorReason>;

/**
 * The body of an error of the private APIs (session, inbox, visitor, and the REST API of signed-in agents): as above, and
 * the reasons beside the sentences. A field has as many reasons as it has sentences, in the same order.
 */
export const PrivateErrorBody = Type.Object({
  ...ErrorBody.properties,
  ...ErrorReason.properties,
  errors: Type.Optional(mapOf(Type.Array(Type.String()))),
  reasons: Type.Optional(mapOf(Type.Array(ErrorReason))),
});
export type PrivateErrorBody = Static<typeof PrivateErrorBody>;
