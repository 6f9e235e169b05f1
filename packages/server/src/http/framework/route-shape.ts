import type { SessionOperation } from "@frontdesk/core/contract/session";
import type { VisitorOperation } from "@frontdesk/core/contract/visitor";
import type { FastifyRequest } from "fastify";
import { integerNames, type RawQuery, withIntegers } from "./query-string.ts";

/** The part of its route that the contract decides: what is read, checked and written. */
export function routeShape({ query, body, status, answer }: SessionOperation | VisitorOperation) {
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
