import type { FastifyInstance, FastifyRequest } from "fastify";
import type { StrangerBounds } from "../../limits/stranger-bounds.ts";

/**
 * What is left of a refused body is read and thrown away, since browsers hear an answer only when they have said everything.
 * That is bounded by address: above it the connection ends with the answer.
 *
 * @param maxBytes what a body counts that does not say how long it is
 */
export function boundUnreadBodies(app: FastifyInstance, bounds: StrangerBounds, maxBytes: number): void {
  // Before a route of files takes these headers away from the framework.
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
 * A body that nobody asks for, or that is read as it comes, is not looked at, as the framework does for GET but not for DELETE: it can
 * be of any type and size, and no status is needed for it that the document does not list.
 */
export function leaveBodyUnread({ raw }: FastifyRequest): void {
  for (const name of ["content-type", "content-length", "transfer-encoding"]) delete raw.headers[name];
}

declare module "fastify" {
  interface FastifyRequest {
    /** How long the body says it is, or how long it may be. */
    announcedBytes?: number;
  }
}
