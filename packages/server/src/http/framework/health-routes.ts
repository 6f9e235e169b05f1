import type { FastifyInstance, FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";
import type { Metrics } from "../../metrics.ts";
import type { Storage } from "../../storage/database.ts";
import { HttpProblem } from "./http-problem.ts";

/** `/health/live`: the process runs. `/health/ready`: it can do its work. `/metrics`: Prometheus, for our own network. */
export async function healthRoutes(
  app: FastifyInstance,
  { storage, metrics, stopping }: { storage: Storage; metrics: Metrics; stopping: () => boolean },
): Promise<void> {
  app.get("/health/live", async () => ({ status: "ok" }));

  app.get("/health/ready", async (request, reply) => {
    if (stopping()) return reply.code(503).send({ status: "stopping" });
    try {
      await storage.check();
      return { status: "ok" };
    } catch (error) {
      request.log.warn({ err: error }, "Not ready.");
      return reply.code(503).send({ status: "unavailable" });
    }
  });

  app.get("/metrics", async (request, reply) => {
    if (!isOwnNetwork(request.ip) || isForwarded(request)) throw new HttpProblem(404, "http.no-such-address");
    return reply.type(metrics.contentType).send(await metrics.render());
  });
}

/**
 * Came through a proxy that is not trusted (TRUST_PROXY): then the address is the proxy's, which is often a private one, and
 * the client behind it is unknown.
 */
function isForwarded({ headers, ip, socket }: FastifyRequest): boolean {
  const forwarded = headers["x-forwarded-for"] ?? headers.forwarded ?? headers.via;
  return forwarded !== undefined && ip === socket.remoteAddress;
}

/** Loopback and private addresses: a metrics collector next to us has one, and an outside client has not. */
function isOwnNetwork(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  return ["loopback", "private", "uniqueLocal", "linkLocal"].includes(ipaddr.process(address).range());
}
