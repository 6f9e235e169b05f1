import type { FastifyReply, FastifyRequest } from "fastify";
import type { ApiKeyActor } from "../../access/actor.ts";
import { type KnownKey, requireApiAccess } from "../../access/authenticate.ts";

/** Authentication for programs in the REST API: `X-API-KEY`, its limit, and the team's switch (decisions 29 and 30). */
export function apiKeyDoor({
  authenticate,
  wrongKey,
  limit,
}: {
  authenticate: { apiKey(header: string | undefined): Promise<KnownKey> };
  /** Counts a failed authentication against the address; throws it, or `rate-limited`. */
  wrongKey(error: unknown, address: string | undefined): Promise<never>;
  /** Counts the request and writes the limit's headers; throws when the limit is exceeded. */
  limit(keyId: string, reply: FastifyReply): Promise<void>;
}) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<ApiKeyActor> => {
    // Node joins a header that is sent twice with a comma, and a key with a comma is invalid.
    const key = await authenticate
      .apiKey(request.headers["x-api-key"]?.toString())
      .catch((error) => wrongKey(error, request.ip));
    await limit(key.actor.keyId, reply);
    return { ...requireApiAccess(key), ip: request.ip };
  };
}
