/**
 * Validators and serialisers of the routes, compiled once a process for each schema: REST, its signed-in twin and the inbox use
 * the same ones, and the tests make many servers. A schema is compiled with the first request that needs it, in 1 to 5 ms: all of
 * them together are more than half of what a server has to do before it listens.
 */
import SerializerSelector from "@fastify/fast-json-stringify-compiler";
import { Ajv, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import type { FastifySchemaCompiler } from "fastify";
import type { FastifySchemaValidationError, FastifySerializerCompiler } from "fastify/types/schema.js";

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

export const validatorCompiler: FastifySchemaCompiler<object> = ({ schema }) => {
  let compiled: ValidateFunction | undefined;
  const validate: ReturnType<FastifySchemaCompiler<object>> = (data) => {
    compiled ??= ajv.compile(schema);
    const fits = compiled(data);
    validate.errors = (compiled.errors ?? null) as FastifySchemaValidationError[] | null;
    return fits;
  };
  return validate;
};

export const serializerCompiler: FastifySerializerCompiler<object> = (route) => (data) => {
  let serialize = serializers.get(route.schema);
  if (!serialize) {
    serialize = compileSerializer({ ...route, httpStatus: route.httpStatus ?? "" });
    serializers.set(route.schema, serialize);
  }
  return serialize(data);
};
