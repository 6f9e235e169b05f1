import type { Tool } from "@frontdesk/core/contract/tool";
import { invalid } from "@frontdesk/core/domain/refusal";
import { Ajv, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import { validationErrors } from "../http/framework/validation-errors.ts";

const ajv = new Ajv({ allErrors: true, useDefaults: true });
addFormats.default(ajv);

/** Compiled when a tool is first called. */
const validators = new WeakMap<Tool, ValidateFunction>();

/**
 * The arguments of a call with defaults filled in; nothing is converted. Missing arguments count as an empty object.
 *
 * @throws Refusal `invalid`, naming every argument that does not fit
 */
export function readArguments(tool: Tool, given: unknown): object {
  const validate = validators.get(tool) ?? ajv.compile(tool.input);
  validators.set(tool, validate);
  const read = given ?? {};
  if (!validate(read)) throw invalid(validationErrors(validate.errors ?? []));
  return read as object;
}

/** Longer ones are not stored completely: valid ones are shorter. */
const LOGGED_MAX = 65_536;

/** Any of our tokens (`access/token.ts`): a model may pass one where it does not belong. */
const OUR_TOKEN = /fd_[a-z]+_[0-9A-Za-z]{71}/g;

/** The arguments as the call log stores them: unchanged, except for tokens, which may still be valid. */
export function loggedArguments(given: unknown): string {
  const text = JSON.stringify(given ?? {}, (name, value) => (name === "confirmation_token" ? "given" : value));
  return text.length <= LOGGED_MAX ? text.replaceAll(OUR_TOKEN, "token") : JSON.stringify({ too_long: text.length });
}
