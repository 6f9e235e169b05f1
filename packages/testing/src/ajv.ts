/** Ajv as the server configures it: no coercion, defaults applied, all errors reported. Used by tests only. */
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

/** The paths and reasons of a value's errors: `/phone pattern`, `/ required email`; empty when it is valid. */
export function problemsOf(schema: TSchema, value: unknown): string[] {
  const validate = ajv.compile(schema);
  return validate(structuredClone(value)) ? [] : (validate.errors ?? []).map(told);
}

/** The same schema, without unlisted keys. */
export function closed<S extends TSchema>(schema: S): S {
  return JSON.parse(JSON.stringify(schema), (_key, part) =>
    part !== null && typeof part === "object" && "properties" in part ? { additionalProperties: false, ...part } : part,
  );
}

function told(error: ErrorObject): string {
  const missing = error.keyword === "required" ? ` ${error.params.missingProperty}` : "";
  return `${error.instancePath || "/"} ${error.keyword}${missing}`;
}
