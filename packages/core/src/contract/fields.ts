/**
 * The shared fields: every rule about a single value (an e-mail, a page size, an attachment's address) is here once.
 *
 * The schemas keep to keywords that both Ajv 8 (requests, nothing coerced) and fast-json-stringify (responses) handle.
 * A value that may be null is `type: [T, "null"]`, never `anyOf`: both tools decide it with one `typeof`, Ajv reports
 * one error instead of three, and OpenAPI 3.1 reads the same. `nullable` below is the only place that builds it.
 *
 * Ids in REST requests carry no format: a malformed id answers as an unknown one (decisions 25 and 68). Those that tools take
 * do (spec, "Assistant tool interface": every `*_id` is a UUID), so that a model knows what an id looks like.
 * NUL and lone surrogates are refused by the server before any schema runs (decision 28).
 */
import type { Static, TSchema, TUnsafe } from "typebox";
import { Type } from "typebox";
import { EMAIL_MAX } from "../domain/email-address.ts";

export { EMAIL_MAX };

/** Longest search text, in characters (decision 1). */
export const SEARCH_MAX = 255;
/** Longest message text, in characters (decision 19). */
export const CONTENT_MAX = 10_000;
/** Most attachments of one message (decision 19). */
export const ATTACHMENTS_MAX = 9;
/** Longest URL, in characters (spec, "Limits": attachment URL). */
export const URL_MAX = 2_048;
/** Longest name of a tag (spec, "Limits": tool text). */
export const TAG_NAME_MAX = 100;
/** Longest color of a tag (spec, "Limits": tool text). */
export const TAG_COLOR_MAX = 50;
/** Longest name of a custom field (spec, "Limits": tool text). */
export const CUSTOM_FIELD_NAME_MAX = 100;
/** Longest value of custom data (spec, "Limits": tool text). */
export const CUSTOM_VALUE_MAX = 1_000;
/** Longest name of a person, a subscription or a file; our choice, the spec leaves it open. */
export const NAME_MAX = 255;
/** Why something is erased or kept. */
export const REASON_MAX = 500;

/** Visitor phone: 7 to 15 digits with an optional leading `+`; no spaces, dashes or brackets (spec, "POST /conversations"). */
export const PHONE_PATTERN = "^\\+?[0-9]{7,15}$";

/** No white space and no control characters: what follows the scheme of every URL that we take. */
const URL_REST = "[^\\s\\u0000-\\u001f\\u007f]+";
/** http or https (decision 19): of attachments, and of the pages that visitors are on. */
export const WEB_URL_PATTERN = `^[Hh][Tt][Tt][Pp][Ss]?://${URL_REST}$`;
/** https, no userinfo, no control characters (decision 15). A private address passes here and is blocked at delivery. */
export const ENDPOINT_URL_PATTERN =
  "^[Hh][Tt][Tt][Pp][Ss]://[^\\s\\u0000-\\u001f\\u007f/?#@\\\\]+([/?#][^\\s\\u0000-\\u001f\\u007f]*)?$";

/** The same schema, or null. Takes schemas with a plain `type`; a choice gains null in its list as well. */
export function nullable<S extends TSchema>(schema: S): TUnsafe<Static<S> | null> {
  const { type, ...rest } = schema as S & { type: string; enum?: readonly unknown[] };
  const choices = rest.enum === undefined ? {} : { enum: [...rest.enum, null] };
  return Type.Unsafe<Static<S> | null>({ type: [type, "null"], ...rest, ...choices });
}

/** One of a list of words. */
export function choice<const Words extends readonly string[]>(
  words: Words,
  options: { description?: string; default?: Words[number] } = {},
): TUnsafe<Words[number]> {
  return Type.Unsafe<Words[number]>({ type: "string", enum: [...words], ...options });
}

/**
 * All of a kind, or some by name. One schema with two types instead of `anyOf`: `pattern` applies to strings and
 * `items` to arrays, so that an error names the item that is wrong and no other branch. Arrays come first, because
 * fast-json-stringify writes as a string any value that can become one.
 */
export function allOr<S extends TSchema>(
  item: S,
  options: { description: string; maxItems?: number },
): TUnsafe<"all" | Static<S>[]> {
  return Type.Unsafe<"all" | Static<S>[]>({ type: ["array", "string"], pattern: "^all$", items: item, ...options });
}

/** An object of any keys whose values all have one shape. */
export function mapOf<S extends TSchema>(
  value: S,
  options: { description?: string; minProperties?: number; maxProperties?: number } = {},
): TUnsafe<Record<string, Static<S>>> {
  return Type.Unsafe<Record<string, Static<S>>>({ type: "object", additionalProperties: value, ...options });
}

/** A string, number, boolean or null: what a custom field or a changed field may hold. */
export const scalar = Type.Unsafe<string | number | boolean | null>({ type: ["string", "number", "boolean", "null"] });

/** An id in an answer or a payload, and in the arguments of a tool. Never used for ids that come in by REST. */
export const uuid = Type.String({ format: "uuid" });

/** An id that comes in by REST: any string, because a malformed id answers as an unknown one. */
export function idOf(what: string): typeof plainId {
  return Type.String({ description: `The id of ${what}.` });
}
const plainId = Type.String();

/** ISO 8601, in UTC, with milliseconds. */
export const timestamp = Type.String({ format: "date-time" });

/** Free text with a length limit of our choice. */
export function text(max: number, options: { description?: string; minLength?: number } = {}): typeof plainId {
  return Type.String({ maxLength: max, ...options });
}

/** An e-mail address: the `email` format of ajv-formats (a domain with a dot, ASCII), and the one rule for every surface. */
export const email = Type.String({ format: "email", maxLength: EMAIL_MAX });

export const phone = Type.String({
  pattern: PHONE_PATTERN,
  description: "7 to 15 digits with an optional leading `+`; no spaces, dashes or brackets.",
});

/** A person's name, where one must be there. */
export const personName = text(NAME_MAX, { minLength: 1 });

/** The text of a message where it is required. */
export const messageContent = text(CONTENT_MAX, { minLength: 1, description: "The text of the message." });

export const attachmentUrl = Type.String({
  maxLength: URL_MAX,
  pattern: WEB_URL_PATTERN,
  description: "A public http or https URL.",
});

/** The page that a visitor is on. Agents open it with a click, so that no other scheme is taken from strangers. */
export const pageUrl = Type.String({
  minLength: 1,
  maxLength: URL_MAX,
  pattern: WEB_URL_PATTERN,
  description: "An http or https URL.",
});

export const endpointUrl = Type.String({
  maxLength: URL_MAX,
  pattern: ENDPOINT_URL_PATTERN,
  description:
    "An https URL without a user name or password. Private addresses are blocked when an event is delivered.",
});

/** The `page` of a list. Any safe integer: a page beyond the last one answers with empty data (decision 27). */
const page = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  default: 1,
  description: "The page number, starting at 1.",
});

/** The query parameters of every list (spec, "Pagination"): a limit above `max` is a validation error, never reduced. */
export function pageQuery(limits: { default: number; max: number }) {
  return {
    page: Type.Optional(page),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.max,
        default: limits.default,
        description: `The number of items to return, at most ${limits.max}.`,
      }),
    ),
  };
}

/** A search text in a query. Empty means no filter (decision 1). */
export function search(matches: string): typeof plainId {
  return Type.String({ maxLength: SEARCH_MAX, description: matches });
}

/** The query parameters that choose the attributes of a list: `include_fields` and `exclude_fields` (spec, "Pagination"). */
export function fieldsQuery(selectable: readonly string[]) {
  return {
    include_fields: Type.Optional(fieldList(selectable, "Only these attributes, separated by commas.")),
    exclude_fields: Type.Optional(
      fieldList(
        selectable,
        "All attributes except these, separated by commas. Ignored if you also send `include_fields`.",
      ),
    ),
  };
}

/**
 * Names of a closed list, separated by commas and nothing else. The pattern is linear: names hold no comma, so it never backtracks
 * over one. The length bound leaves room for every name twice and keeps a hostile query short.
 */
function fieldList(selectable: readonly string[], description: string): typeof plainId {
  const name = `(${selectable.join("|")})`;
  return Type.String({
    pattern: `^${name}(,${name})*$`,
    maxLength: selectable.join(",").length * 2 + 1,
    description: `${description} Allowed: ${selectable.join(", ")}.`,
  });
}
