/**
 * The arguments that tools share, with the bounds of the specification ("Assistant tool interface" and "Limits").
 * Bounds of texts that REST shares are in `fields.ts`.
 */
import type { TProperties, TSchema } from "typebox";
import { Type } from "typebox";
import { SEARCH_MAX, text, uuid } from "./fields.ts";

/** The last page that can be requested. */
const PAGE_MAX = 10_000;
/** Most conversations that one call can change. */
const TARGETS_MAX = 100;
/** Longest confirmation token that is checked; ours are shorter. */
const TOKEN_MAX = 255;

/** The arguments of a tool. A name that is not listed is refused, so that a misspelt one is never taken for "not given". */
export function toolInput<P extends TProperties>(properties: P) {
  return Type.Object(properties, { additionalProperties: false });
}

/** An argument that may be left out. The validation fills in its default, so that the code that reads it always has a value. */
export const defaulted = <T extends TSchema>(schema: T): T => Type.Optional(schema) as unknown as T;

/** `page`, counted from 1. */
export const page = Type.Integer({ minimum: 1, maximum: PAGE_MAX, default: 1 });

/** How many to answer: 1 to `max`. */
export function limit(bounds: { default: number; max: number }) {
  return Type.Integer({ minimum: 1, maximum: bounds.max, default: bounds.default });
}

/** What a search tool takes. */
export const searchInput = toolInput({
  query: text(SEARCH_MAX, { minLength: 1 }),
  limit: defaulted(limit({ default: 20, max: 50 })),
});

/** The conversations to change. One that is named twice counts once. */
export const conversationIds = Type.Array(uuid, { minItems: 1, maxItems: TARGETS_MAX });

export const confirmationToken = Type.Optional(
  text(TOKEN_MAX, { minLength: 1, description: "From the first call with the same arguments." }),
);

/** The sentence on confirmation in the description of a tool; the lifetime is `CONFIRMATION_SECONDS`. */
export const CONFIRMATION_SENTENCE =
  "The first call changes nothing and returns a confirmation_token; the same call with that token, within 300 seconds, does the work.";
