import type { FastifyInstance, FastifyRequest } from "fastify";
import type { StrangerBounds } from "../limits/stranger-bounds.ts";

/**
 * What is left of a refused body is read and thrown away, since browsers hear an answer only when they have said everything.
 * That is bounded by address: above it the connection ends with the answer.
 *
 * @param maxBytes what a body counts that does not say how long it is
 */
export function boundUnreadBodies(app: FastifyInstance, bounds: StrangerBounds, maxBytes: number): void {
  app.addHook("onSend", async (request, reply, payload) => {
    const bytes = reply.statusCode < 400 ? 0 : unreadBytes(request, maxBytes);
    if (bytes > 0) {
      await bounds.take({ address: request.ip }, { "unread-bytes": bytes }).catch(() => {
        reply.header("connection", "close");
        reply.raw.once("finish", () => request.raw.socket.destroy());
      });
    }
    return payload;
  });
}

function unreadBytes({ raw }: FastifyRequest, maxBytes: number): number {
  const { "content-length": length, "transfer-encoding": encoding } = raw.headers;
  if (raw.complete || (length === undefined && encoding === undefined)) return 0;
  return Math.min(Number(length ?? maxBytes), maxBytes);
}
