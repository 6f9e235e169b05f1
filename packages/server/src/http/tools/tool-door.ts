import { notAuthenticated, Refusal } from "@frontdesk/core/domain/refusal";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type AssistantDoor, isAccessToken, type KnownAssistant } from "../../access/authenticate-assistant.ts";
import type { Issuer } from "../../authorization/issuer.ts";
import { challenge } from "../../authorization/metadata.ts";
import type { StrangerBounds } from "../../limits/stranger-bounds.ts";
import { bearerToken } from "../framework/bearer-token.ts";
import { ownOriginOnly } from "../framework/own-origin.ts";

/** What both surfaces of the tools need: `/mcp` and `/tools`. */
export interface ToolDoor {
  /** Checks where a request comes from. The first step, and the only one for a browser that asks before it sends a token. */
  checkOrigin(request: FastifyRequest, reply: FastifyReply): void;
  /** The second: authenticates the caller, before the rest of the request is read. */
  enter(request: FastifyRequest, reply: FastifyReply, door: AssistantDoor): Promise<void>;
  /** Counts the request's calls against its connection (decision 57). */
  count(request: FastifyRequest, reply: FastifyReply, calls: number): Promise<void>;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Finds the assistant of the request's bearer token. */
    connection?: KnownAssistant;
  }
}

/** Checks the host and the origin of a request to the tools, and authenticates it (specification, "Authentication"). */
export function toolDoor({
  publicUrl,
  issuer,
  authenticate,
  wrongKey,
  bounds,
  limit,
}: {
  publicUrl: string;
  issuer: Issuer;
  authenticate: { assistant(token: string | undefined, door: AssistantDoor): Promise<KnownAssistant> };
  wrongKey(error: unknown, address: string | undefined): Promise<never>;
  bounds: StrangerBounds;
  limit(id: string, reply: FastifyReply, requests?: number): Promise<void>;
}): ToolDoor {
  const ownOrigin = ownOriginOnly(publicUrl);
  return {
    checkOrigin(request, reply) {
      reply.header("cache-control", "no-store");
      ownOrigin(request);
    },
    async enter(request, reply, door) {
      const token = bearerToken(request);
      request.connection = await authenticate.assistant(token, door).catch(async (error: unknown) => {
        const problem = error instanceof Refusal && request.headers.authorization ? error.message : undefined;
        reply.header("www-authenticate", challengeAt(door, problem));
        if (!isAccessToken(token)) return wrongKey(error, request.ip);
        // All users of a hosted app come from a few addresses, and its tokens end every day.
        await bounds.take({ address: request.ip }, { "app-requests": 1 });
        throw error;
      });
    },
    count: (request, reply, calls) => limit(connectionOf(request).actor.assistantId, reply, calls),
  };

  /** Apps find out from it where to be connected; `/tools` is not for them. */
  function challengeAt(door: AssistantDoor, problem: string | undefined): string {
    if (door === "tools" || "off" in issuer) return 'Bearer realm="Frontdesk"';
    return challenge(issuer.url, door, problem);
  }
}

/** The connection of an authenticated request. */
export function connectionOf({ connection }: FastifyRequest): KnownAssistant {
  if (!connection) throw notAuthenticated("token");
  return connection;
}
