import type { HttpOperation, Response } from "@frontdesk/core/contract";
import { SESSION_PREFIX } from "@frontdesk/core/contract/session";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AgentActor, ApiKeyActor } from "../../access/actor.ts";
import type { OwnPage } from "../framework/own-page.ts";
import { type Asked, type Content, serveOperation } from "../framework/serve-operation.ts";
import { onlyReads } from "./agent-door.ts";

/** A validated request of the dashboard. */
export interface SessionRequest<O extends HttpOperation, Who = AgentActor> extends Asked<O> {
  /** The signed-in agent; absent for operations that need none. */
  agent: O extends { open: true } ? undefined : Who;
}

export interface SessionDoors<Who = AgentActor> {
  door(request: FastifyRequest, reply: FastifyReply): Promise<Who>;
  ownPage: OwnPage;
}

/** Serves operations of the dashboard's APIs to requests authenticated by `door`. */
export function sessionEndpoints<Who extends AgentActor | ApiKeyActor = AgentActor>(
  app: FastifyInstance,
  { door, ownPage }: SessionDoors<Who>,
  prefix: string = SESSION_PREFIX,
) {
  return <const O extends HttpOperation>(
    operation: O,
    answer: (asked: SessionRequest<O, Who>) => Promise<Response<O> | Content>,
  ): void => {
    serveOperation<O>(app, operation, {
      prefix,
      async enter(request, reply) {
        if (!operation.open) request.actor = await door(request, reply);
        else if (!onlyReads(request)) ownPage.require(request);
      },
      answer: (asked) => answer({ ...asked, agent: asked.request.actor } as SessionRequest<O, Who>),
    });
  };
}
