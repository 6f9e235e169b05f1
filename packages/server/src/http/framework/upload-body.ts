import type { FastifyRequest } from "fastify";
import type { Upload } from "../../files/receive-upload.ts";
import type { BodyPatience } from "./http-server.ts";
import { leaveBodyUnread } from "./unread-bodies.ts";

/** Files take longer than messages, also on a slow line; a client that sends next to nothing is cut off as elsewhere. */
export const UPLOAD_PATIENCE: BodyPatience = { bodyMs: 600_000, pace: { bytes: 32_768, ms: 15_000 } };

/** The body of a request as a stream, its declared length, and how it is counted. */
export type UploadBody = Pick<Upload, "content" | "announced" | "came">;

/** Takes the body from the content type parsers: it is a file, whatever its type. For `onRequest`. */
export function takeBodyAsItComes(request: FastifyRequest): UploadBody {
  const { "content-length": length, "transfer-encoding": encoding } = request.raw.headers;
  leaveBodyUnread(request);
  const unknown = encoding === undefined ? 0 : undefined;
  return { content: request.raw, announced: length === undefined ? unknown : Number(length) };
}

declare module "fastify" {
  interface FastifyRequest {
    upload?: UploadBody;
  }
}
