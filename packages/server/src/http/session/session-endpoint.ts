import {
  SESSION_PREFIX,
  type SessionAnswer,
  type SessionBody,
  type SessionOperation,
  type SessionParams,
  type SessionQuery,
} from "@frontdesk/core/contract/session";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AgentActor, ApiKeyActor } from "../../access/actor.ts";
import type { OwnPage } from "../framework/own-page.ts";
import { routeShape } from "../framework/route-shape.ts";
import { onlyReads } from "./agent-door.ts";

/** A validated request of the dashboard. */
export interface SessionRequest<O extends SessionOperation, Who = AgentActor> {
  /** Who is signed in; nobody needs to be where the operation is open. */
  agent: O extends { open: true } ? undefined : Who;
  params: SessionParams<O>;
  query: SessionQuery<O>;
  body: SessionBody<O>;
  request: FastifyRequest;
  reply: FastifyReply;
}

export interface SessionDoors<Who = AgentActor> {
  door(request: FastifyRequest, reply: FastifyReply): Promise<Who>;
  ownPage: OwnPage;
}

/** What serves the entries of `contract/session.ts`: who asks comes first, then the schemas, then `answer`. */
export function sessionEndpoints<Who extends AgentActor | ApiKeyActor = AgentActor>(
  app: FastifyInstance,
  { door, ownPage }: SessionDoors<Who>,
) {
  return <const O extends SessionOperation>(
    operation: O,
    answer: (asked: SessionRequest<O, Who>) => Promise<SessionAnswer<O>>,
  ): void => {
    app.route({
      method: operation.method,
      url: `${SESSION_PREFIX}${operation.path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
      ...routeShape(operation),
      async onRequest(request, reply) {
        reply.header("cache-control", "no-store");
        if (!operation.open) request.actor = await door(request, reply);
        else if (!onlyReads(request)) ownPage.require(request);
      },
      async handler(request, reply) {
        const { actor: agent, params, query, body } = request;
        const asked = { agent, params, query, body, request, reply } as SessionRequest<O, Who>;
        return reply.code(operation.status).send(await answer(asked));
      },
    });
  };
}
