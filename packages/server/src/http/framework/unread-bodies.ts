import type { FastifyInstance, FastifyRequest } from "fastify";
import type { StrangerBounds } from "../../limits/stranger-bounds.ts";

/**
 * The rest of a refused body is read and discarded, since browsers read an answer only after they have sent everything. That is
 * bounded by address: above it the connection ends with the answer.
 *
 * @param maxBytes what a body of unknown length counts as
 */
export function boundUnreadBodies(app: FastifyInstance, bounds: StrangerBounds, maxBytes: number): void {
  // Before a route of files removes these headers for the framework.
  app.addHook("onRequest", async (request) => {
    const { "content-length": length, "transfer-encoding": encoding } = request.raw.headers;
    request.announcedBytes = length === undefined && encoding === undefined ? 0 : Number(length ?? maxBytes);
  });
  app.addHook("onSend", async (request, reply, payload) => {
    const isRefused = reply.statusCode >= 400 && !request.raw.complete;
    const bytes = isRefused ? Math.min(request.announcedBytes ?? 0, maxBytes) : 0;
    if (bytes > 0) {
      await bounds.take({ address: request.ip }, { "unread-bytes": bytes }).catch(() => {
        reply.header("connection", "close");
        reply.raw.once("finish", () => request.raw.socket.destroy());
      });
    }
    return payload;
  });
}

/**
 * A body that is not expected, or that is read as a stream, is not validated. The framework does so for GET but not for DELETE:
 * it can be of any type and size, and it needs no status that the document does not list.
 */
export function leaveBodyUnread({ raw }: FastifyRequest): void {
  for (const name of ["content-type", "content-length", "transfer-encoding"]) delete raw.headers[name];
}

declare module "fastify" {
  interface FastifyRequest {
    /** The length that the body declares, or its maximum. */
    announcedBytes?: number;
  }
}
