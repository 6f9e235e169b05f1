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

function told(error: ErrorObject): string {
  const missing = error.keyword === "required" ? ` ${error.params.missingProperty}` : "";
  return `${error.instancePath || "/"} ${error.keyword}${missing}`;
}
