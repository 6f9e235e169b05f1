import { WEB_URL_PATTERN } from "@frontdesk/core/contract/fields";
import type { FieldErrors } from "@frontdesk/core/domain/refusal";

/** What Ajv says of one rule that is broken; Fastify hands these on. */
interface BrokenRule {
  keyword: string;
  instancePath: string;
  params: Record<string, unknown>;
  message?: string;
}

/** Enough to mend a request by; a list of a thousand wrong items need not be answered a thousand times. */
const MAX_FIELDS = 50;

/** What is wrong with each field, in plain words; nested fields by their path, `message.urls.0`. */
export function validationErrors(rules: readonly BrokenRule[]): FieldErrors {
  // Without a prototype: a field may be called "constructor" or "__proto__".
  const errors: FieldErrors = Object.create(null);
  for (const rule of rules) {
    const field = fieldOf(rule);
    if (!Object.hasOwn(errors, field) && Object.keys(errors).length === MAX_FIELDS) break;
    const message = messageOf(rule);
    const messages = errors[field] ?? [];
    errors[field] = messages.includes(message) ? messages : [...messages, message];
  }
  return errors;
}

/** The path of the field; what is missing is named by its own name, not by that of the object it is missing in. */
function fieldOf({ keyword, instancePath, params }: BrokenRule): string {
  const path = instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (keyword === "required") path.push(String(params.missingProperty));
  if (keyword === "additionalProperties") path.push(String(params.additionalProperty));
  return path.join(".") || "body";
}

function messageOf({ keyword, params, message }: BrokenRule): string {
  switch (keyword) {
    case "required":
      return "This field is required.";
    case "type":
      return `Must be ${typeWords(params.type)}.`;
    case "enum":
      return `Must be one of ${(params.allowedValues as unknown[]).map((value) => value ?? "null").join(", ")}.`;
    case "minLength":
      return params.limit === 1 ? "Must not be empty." : `Must have at least ${params.limit} characters.`;
    case "maxLength":
      return `Must have at most ${params.limit} characters.`;
    case "minimum":
      return `Must be at least ${params.limit}.`;
    case "maximum":
      return `Must be at most ${params.limit}.`;
    case "minItems":
      return params.limit === 1 ? "Must not be empty." : `Must have at least ${params.limit} items.`;
    case "maxItems":
      return `Must have at most ${params.limit} items.`;
    case "minProperties":
      return "Must have at least one field.";
    case "format":
      return formatText(params.format);
    case "additionalProperties":
      return "There is nothing of this name.";
    case "pattern":
      if (params.pattern === WEB_URL_PATTERN) return "Must be an http or https URL.";
      return "Has a wrong form; the reference tells which is right.";
    default:
      return `Is not valid: ${message ?? keyword}.`;
  }
}

function formatText(format: unknown): string {
  switch (format) {
    case "email":
      return "Must be an e-mail address.";
    case "uuid":
      return "Must be a UUID.";
    default:
      return "Must be an ISO 8601 time, 2026-11-20T12:00:00Z.";
  }
}

function typeWords(type: unknown): string {
  const names = (Array.isArray(type) ? type : String(type).split(",")) as string[];
  return names
    .map((name) => (name === "null" ? "null" : /^[aeio]/.test(name) ? `an ${name}` : `a ${name}`))
    .join(" or ");
}
