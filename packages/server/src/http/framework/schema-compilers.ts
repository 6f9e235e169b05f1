/**
 * Validators and serialisers of the routes, compiled once a process for each schema: REST, its signed-in twin and the inbox use
 * the same ones, and the tests make many servers (64 ms of processor each instead of 209).
 */
import SerializerSelector from "@fastify/fast-json-stringify-compiler";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import type { FastifySchemaCompiler } from "fastify";
import type { FastifySerializerCompiler } from "fastify/types/schema.js";

/** Nothing is coerced or dropped, and every error is named. Ajv caches what it has compiled by the schema object. */
const ajv = new Ajv({
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: true,
  allErrors: true,
  allowUnionTypes: true,
});
addFormats.default(ajv);

const compileSerializer = SerializerSelector()();
const serializers = new WeakMap<object, ReturnType<typeof compileSerializer>>();

export const validatorCompiler: FastifySchemaCompiler<object> = ({ schema }) => ajv.compile(schema);

export const serializerCompiler: FastifySerializerCompiler<object> = (route) => {
  const known = serializers.get(route.schema);
  if (known) return known;
  const compiled = compileSerializer({ ...route, httpStatus: route.httpStatus ?? "" });
  serializers.set(route.schema, compiled);
  return compiled;
};
