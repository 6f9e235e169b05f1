import { notAuthenticated } from "@frontdesk/core/domain/refusal";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { KnownAssistant } from "../access/authenticate.ts";
import { HttpProblem } from "./http-problem.ts";

/** What both doors to the tools need: `/mcp` and `/tools`. */
export interface ToolDoor {
  /** Who asks, before anything else of the request is looked at. */
  onRequest(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Counts what the request stands for against its connection (decision 57). */
  count(request: FastifyRequest, reply: FastifyReply, calls: number): Promise<void>;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Whose bearer token the request carries. */
    connection?: KnownAssistant;
  }
}

/**
 * Checks where a request to the tools was sent and from which page, and whose it is (specification, "Authentication").
 *
 * A page on another site could have its visitor's browser call us under a name of its own that leads here. So the host
 * has to be ours: that of PUBLIC_URL, an address in digits, which no such page can choose, or this machine. And a
 * request that comes from a page has to come from one of ours, or from this machine.
 */
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
  const ours = new URL(publicUrl).hostname;
  return {
    async onRequest(request, reply) {
      reply.header("cache-control", "no-store");
      if (!isOurHost(hostIn(`http://${request.host}`), ours)) {
        throw new HttpProblem(403, "This host name is not ours. The operator sets it with PUBLIC_URL.");
      }
      const { origin } = request.headers;
      if (origin !== undefined && !isOurOrigin(hostIn(origin), request.hostname, ours)) {
        throw new HttpProblem(403, "Requests from pages of this origin are not taken.");
      }
      request.connection = await authenticate.assistant(bearer(request)).catch((error) => {
        reply.header("www-authenticate", 'Bearer realm="Frontdesk"');
        return wrongKey(error, request.ip);
      });
    },
    count: (request, reply, calls) => limit(connectionOf(request).actor.assistantId, reply, calls),
  };
}

/** The connection of a request that has come through the door. */
export function connectionOf({ connection }: FastifyRequest): KnownAssistant {
  if (!connection) throw notAuthenticated("token");
  return connection;
}

function isOurHost(host: string | undefined, ours: string): boolean {
  return host !== undefined && (host === ours || isLocal(host) || /^[\d.]+$/.test(host) || host.startsWith("["));
}

function isOurOrigin(origin: string | undefined, asked: string, ours: string): boolean {
  return origin !== undefined && (origin === ours || isLocal(origin) || origin === hostIn(`http://${asked}`));
}

function isLocal(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || host === "127.0.0.1" || host === "[::1]";
}

/** The host of an address as URLs write it; undefined for what is none, `null` among it. */
function hostIn(address: string): string | undefined {
  return URL.parse(address)?.hostname;
}

/** The token of `Authorization: Bearer …`; never one in the address, which ends up in logs. */
function bearer({ headers }: FastifyRequest): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
}
