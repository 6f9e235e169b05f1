import type { FastifyReply, FastifyRequest } from "fastify";
import type { AgentActor, ApiKeyActor } from "../../access/actor.ts";

/** Programs by their key, in `X-API-KEY`; without one, agents who are signed in. */
export function eitherDoor(
  signedIn: (request: FastifyRequest) => Promise<AgentActor>,
  byKey: (request: FastifyRequest, reply: FastifyReply) => Promise<ApiKeyActor>,
) {
  return (request: FastifyRequest, reply: FastifyReply): Promise<AgentActor | ApiKeyActor> =>
    request.headers["x-api-key"] === undefined ? signedIn(request) : byKey(request, reply);
}
