import type { FastifyRequest } from "fastify";
import type { TObject, TSchema } from "typebox";
import { integerNames, type RawQuery, withIntegers } from "./query-string.ts";

/** What goes in and comes out of an entry of `contract/session.ts`, `contract/inbox.ts` or `contract/visitor.ts`. */
interface Shape {
  readonly query?: TObject;
  readonly body?: TObject;
  readonly status: number;
  readonly answer: TSchema;
}

/** The part of its route that the contract decides: what is read, checked and written. */
export function routeShape({ query, body, status, answer }: Shape) {
  const integers = integerNames(query);
  return {
    config: { readsQuery: query !== undefined },
    schema: {
      ...(query && { querystring: query }),
      ...(body && { body }),
      response: { [status]: answer },
    },
    async preValidation(request: FastifyRequest) {
      request.query = withIntegers(request.query as RawQuery, integers);
    },
  };
}
