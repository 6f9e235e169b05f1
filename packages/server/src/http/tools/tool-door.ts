import { notAuthenticated } from "@frontdesk/core/domain/refusal";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { KnownAssistant } from "../../access/authenticate.ts";
import { bearerToken } from "../framework/bearer-token.ts";
import { ownOriginOnly } from "../framework/own-origin.ts";

/** What both surfaces of the tools need: `/mcp` and `/tools`. */
export interface ToolDoor {
  /** Authenticates the caller, before the rest of the request is read. */
  onRequest(request: FastifyRequest, reply: FastifyReply): Promise<void>;
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
  authenticate,
  wrongKey,
  limit,
}: {
  publicUrl: string;
  authenticate: { assistant(token: string | undefined): Promise<KnownAssistant> };
  wrongKey(error: unknown, address: string | undefined): Promise<never>;
  limit(id: string, reply: FastifyReply, requests?: number): Promise<void>;
}): ToolDoor {
  const ownOrigin = ownOriginOnly(publicUrl);
  return {
    async onRequest(request, reply) {
      reply.header("cache-control", "no-store");
      ownOrigin(request);
      request.connection = await authenticate.assistant(bearerToken(request)).catch((error) => {
        reply.header("www-authenticate", 'Bearer realm="Frontdesk"');
        return wrongKey(error, request.ip);
      });
    },
    count: (request, reply, calls) => limit(connectionOf(request).actor.assistantId, reply, calls),
  };
}

/** The connection of an authenticated request. */
export function connectionOf({ connection }: FastifyRequest): KnownAssistant {
  if (!connection) throw notAuthenticated("token");
  return connection;
}
