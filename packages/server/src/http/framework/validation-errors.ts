import { ENDPOINT_URL_PATTERN, PHONE_PATTERN, WEB_URL_PATTERN } from "@frontdesk/core/contract/fields";
import { because, type GivenReason, sentenceOf } from "@frontdesk/core/domain/reasons";

/** An error of Ajv for one broken rule; Fastify passes them on. */
interface BrokenRule {
  keyword: string;
  instancePath: string;
  params: Record<string, unknown>;
  message?: string;
}

/** Enough to correct a request; a list of a thousand wrong items need not be answered a thousand times. */
const MAX_FIELDS = 50;

/** The errors of each field, by reason; nested fields by their path, `message.urls.0`. */
export function validationErrors(rules: readonly BrokenRule[]): Record<string, GivenReason[]> {
  // Without a prototype: a field may be called "constructor" or "__proto__".
  const errors: Record<string, GivenReason[]> = Object.create(null);
  for (const rule of rules) {
    const field = fieldOf(rule);
    if (!Object.hasOwn(errors, field) && Object.keys(errors).length === MAX_FIELDS) break;
    const reason = reasonOf(rule);
    const reasons = errors[field] ?? [];
    const isKnown = reasons.some((known) => sentenceOf(known) === sentenceOf(reason));
    errors[field] = isKnown ? reasons : [...reasons, reason];
  }
  return errors;
}

/** The path of the field; a missing field has its own name, not that of the object it is missing in. */
function fieldOf({ keyword, instancePath, params }: BrokenRule): string {
  const path = instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (keyword === "required") path.push(String(params.missingProperty));
  if (keyword === "additionalProperties") path.push(String(params.additionalProperty));
  return path.join(".") || "body";
}

function reasonOf({ keyword, params, message }: BrokenRule): GivenReason {
  const limit = Number(params.limit);
  switch (keyword) {
    case "required":
      return "schema.required";
    case "type":
      return because("schema.type", { types: typeWords(params.type) });
    case "enum":
      return because("schema.enum", {
        choices: (params.allowedValues as unknown[]).map((value) => value ?? "null").join(", "),
      });
    case "minLength":
      return limit === 1 ? "schema.empty" : because("schema.min-length", { min: limit });
    case "maxLength":
      return because("schema.max-length", { max: limit });
    case "minimum":
      return because("schema.minimum", { min: limit });
    case "maximum":
      return because("schema.maximum", { max: limit });
    case "minItems":
      return limit === 1 ? "schema.empty" : because("schema.min-items", { min: limit });
    case "maxItems":
      return because("schema.max-items", { max: limit });
    case "minProperties":
      return "schema.min-properties";
    case "format":
      return formatReason(params.format);
    case "additionalProperties":
      return "schema.additional-property";
    case "pattern":
      return patternReason(params.pattern);
    default:
      return because("schema.other", { rule: message ?? keyword });
  }
}

function patternReason(pattern: unknown): GivenReason {
  switch (pattern) {
    case WEB_URL_PATTERN:
      return "schema.web-url";
    case ENDPOINT_URL_PATTERN:
      return "schema.endpoint-url";
    case PHONE_PATTERN:
      return "schema.phone";
    default:
      return "schema.pattern";
  }
}

function formatReason(format: unknown): GivenReason {
  switch (format) {
    case "email":
      return "schema.email";
    case "uuid":
      return "schema.uuid";
    default:
      return "schema.time";
  }
}

function typeWords(type: unknown): string {
  const names = (Array.isArray(type) ? type : String(type).split(",")) as string[];
  return names
    .map((name) => (name === "null" ? "null" : /^[aeio]/.test(name) ? `an ${name}` : `a ${name}`))
    .join(" or ");
}
