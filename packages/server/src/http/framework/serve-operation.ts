import type { Readable } from "node:stream";
import {
  type Body,
  type HttpOperation,
  type Params,
  type Query,
  type Response,
  successStatus,
} from "@frontdesk/core/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { integerNames, type RawQuery, withIntegers } from "./query-string.ts";
import { takeBodyAsItComes, UPLOAD_PATIENCE } from "./upload-body.ts";

/** A validated request of one operation. */
export interface Asked<O extends HttpOperation> {
  params: Params<O>;
  query: Query<O>;
  body: Body<O>;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** What a route needs besides its contract. */
interface Serving<O extends HttpOperation> {
  /** The prefix of the operation's path, parameters in braces. */
  prefix?: string;
  /** Authenticates and limits the request, before the body is read. Throws when it is refused. */
  enter(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  answer(asked: Asked<O>): Promise<Response<O> | Content>;
}

/** An answer that is no JSON: `answer` sets its headers as well. */
export type Content = Readable | Buffer;

/**
 * Serves an operation of a catalogue, for every API: authentication comes first, then the schemas, then `answer`. Method,
 * address, schemas and status are the contract's; of an operation that takes a file, `request.upload` is its body.
 */
export function serveOperation<const O extends HttpOperation>(
  app: FastifyInstance,
  operation: O,
  { prefix = "", enter, answer }: Serving<O>,
): void {
  const { method, path, query, body, content, responses } = operation as HttpOperation;
  const integers = integerNames(query);
  const status = successStatus(operation);
  app.route({
    method,
    url: `${prefix}${path}`.replaceAll(/\{(\w+)\}/g, ":$1"),
    config: { readsQuery: query !== undefined, ...(content && { patience: UPLOAD_PATIENCE }) },
    async onRequest(request, reply) {
      if (content) request.upload = takeBodyAsItComes(request);
      reply.header("cache-control", "no-store");
      await enter(request, reply);
    },
    schema: {
      ...(query && { querystring: query }),
      ...(body && { body }),
      response: Object.fromEntries(
        Object.entries(responses).flatMap(([code, { body, mediaType }]) => (mediaType ? [] : [[code, body]])),
      ),
    },
    async preValidation(request) {
      // Where every field of a body may be left out, so may the body.
      if (body !== undefined && request.body === undefined && mayBeEmpty(body)) request.body = {};
      request.query = withIntegers(request.query as RawQuery, integers);
    },
    async handler(request, reply) {
      const { params, query, body } = request;
      reply.code(status);
      return reply.send(await answer({ params, query, body, request, reply } as Asked<O>));
    },
  });
}

const mayBeEmpty = (body: object): boolean =>
  "properties" in body && !("required" in body) && !("minProperties" in body);

declare module "fastify" {
  interface FastifyContextConfig {
    /** False: the query is not validated. */
    readsQuery?: boolean;
  }
}
