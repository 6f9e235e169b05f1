import { VISITOR_PREFIX, visitorUpload } from "@frontdesk/core/contract/visitor";
import type { FastifyInstance } from "fastify";
import type { ReceiveUpload } from "../../files/receive-upload.ts";
import { type Stranger, type StrangerBounds, strangerBounds } from "../../limits/stranger-bounds.ts";
import { serveOperation } from "../framework/serve-operation.ts";
import { boundUnreadBodies } from "../framework/unread-bodies.ts";
import { type AtWidget, strangerOf, type VisitorDoor } from "./visitor-door.ts";

interface VisitorFileServices {
  door: VisitorDoor;
  receiveUpload: ReceiveUpload;
  bounds: StrangerBounds;
  /** The largest accepted file. */
  maxBytes: number;
}

/** Uploads of visitors, each before the message that contains it (docs/decisions/0022-files.md). */
export async function visitorFileRoutes(app: FastifyInstance, services: VisitorFileServices): Promise<void> {
  const { door, receiveUpload, bounds, maxBytes } = services;
  boundUnreadBodies(app, bounds, maxBytes);

  serveOperation(app, visitorUpload, {
    prefix: VISITOR_PREFIX,
    async enter(request, reply) {
      const { upload } = request;
      if (!upload) throw new Error("The route was reached without a body.");
      request.visitor = await door(request as AtWidget);
      const stranger = strangerOf(request, request.visitor);
      // The declared length is not counted. It is only checked whether it fits, so that a client does not send half a file in
      // vain.
      await bounds.look(stranger, { "file-bytes": Math.min(upload.announced ?? 1, maxBytes) });
      await bounds.take(stranger, { uploads: 1 });
      const leave = bounds.enter(stranger, "uploads");
      if (reply.raw.destroyed) leave();
      else reply.raw.once("close", leave);
      request.upload = { ...upload, came: countedIn(bounds, stranger) };
    },
    async answer({ query: { name }, request: { visitor, upload } }) {
      if (!visitor || !upload) throw new Error("The route was reached without a visitor or a body.");
      return { file: await receiveUpload(visitor, { name, ...upload }) };
    },
  });
}

/** Counts bytes as they arrive, this many at a time. */
function countedIn(bounds: StrangerBounds, stranger: Stranger): (bytes: number) => Promise<void> {
  const { unit } = strangerBounds["file-bytes"];
  let counted = 0;
  let come = 0;
  return async (bytes) => {
    come += bytes;
    const missing = Math.ceil((come - counted) / unit) * unit;
    if (missing <= 0) return;
    await bounds.take(stranger, { "file-bytes": missing });
    counted += missing;
  };
}
