/** Ajv as the server sets it up: nothing coerced, defaults filled in, every error told. Used by tests only. */
import type { ErrorObject } from "ajv";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import type { TSchema } from "typebox";

const ajv = new Ajv({
  allErrors: true,
  coerceTypes: false,
  useDefaults: true,
  removeAdditional: false,
  allowUnionTypes: true,
});
addFormats.default(ajv);

/** The paths and reasons of what is wrong with a value: `/phone pattern`, `/ required email`; empty when it is valid. */
export function problemsOf(schema: TSchema, value: unknown): string[] {
  const validate = ajv.compile(schema);
  return validate(structuredClone(value)) ? [] : (validate.errors ?? []).map(told);
}

/** The same schema, taking no key that it does not list. */
export function closed<S extends TSchema>(schema: S): S {
  return JSON.parse(JSON.stringify(schema), (_key, part) =>
    part !== null && typeof part === "object" && "properties" in part ? { additionalProperties: false, ...part } : part,
  );
}

function told(error: ErrorObject): string {
  const missing = error.keyword === "required" ? ` ${error.params.missingProperty}` : "";
  return `${error.instancePath || "/"} ${error.keyword}${missing}`;
}
