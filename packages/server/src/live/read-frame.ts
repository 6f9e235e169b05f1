import { type ClientFrame, clientFrames } from "@frontdesk/core/contract/live";
import { Ajv, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import { readJsonBody } from "../http/framework/json-body.ts";

const ajv = new Ajv();
addFormats.default(ajv);
const validators: Record<string, ValidateFunction> = Object.fromEntries(
  Object.entries(clientFrames).map(([type, schema]) => [type, ajv.compile(schema)]),
);

/** A frame of a client; undefined for an invalid one. */
export function readFrame(text: string): ClientFrame | undefined {
  let frame: unknown;
  try {
    // As strict as with a request: no NUL, no broken characters, no duplicate names.
    frame = readJsonBody(Buffer.from(text));
  } catch {
    return undefined;
  }
  const { type } = (frame ?? {}) as { type?: unknown };
  if (typeof type !== "string" || !Object.hasOwn(validators, type)) return undefined;
  return validators[type]?.(frame) ? (frame as ClientFrame) : undefined;
}
