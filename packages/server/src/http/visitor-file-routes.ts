import { visitorUpload } from "@frontdesk/core/contract/visitor";
import type { FastifyInstance } from "fastify";
import type { VisitorActor } from "../access/actor.ts";
import { MB } from "../files/file.ts";
import type { ReceiveUpload } from "../files/receive-upload.ts";
import { addressBlock } from "../limits/address-block.ts";
import type { Limits } from "../limits/rate-limiter.ts";
import { takeOrRefuse } from "../limits/take-or-refuse.ts";
import { bearerToken } from "./bearer-token.ts";
import { takeBodyAsItComes, UPLOAD_PATIENCE } from "./upload-body.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Files of one browser a minute: three full messages. */
const MOST_FILES = 30;
/** Megabytes an hour from one address. A browser makes its token itself, so that bounds by token alone would be none. */
const MOST_MB = 1_000;
const MAX_ADDRESSES = 10_000;

interface VisitorFileServices {
  authenticate: { visitor(token: string | undefined, widgetId: string): Promise<VisitorActor> };
  receiveUpload: ReceiveUpload;
  limits: Limits;
  /** The largest file that is taken. */
  maxBytes: number;
}

/** Where visitors send files, each before the message that holds it (docs/decisions/0022-files.md). */
export async function visitorFileRoutes(app: FastifyInstance, services: VisitorFileServices): Promise<void> {
  const { authenticate, receiveUpload, limits, maxBytes } = services;
  const files = limits.limiter("upload", MOST_FILES, MINUTE_MS, MAX_ADDRESSES);
  const megabytes = limits.limiter("upload-megabytes", MOST_MB, HOUR_MS, MAX_ADDRESSES);
  const { method, path, query, status, answer } = visitorUpload;

  app.route<{ Params: { widget: string }; Querystring: { name: string } }>({
    method,
    url: `/visitor/:widget${path}`,
    config: { readsQuery: true, patience: UPLOAD_PATIENCE },
    async onRequest(request, reply) {
      const upload = takeBodyAsItComes(request);
      reply.header("cache-control", "no-store");
      request.visitor = await authenticate.visitor(bearerToken(request), request.params.widget);
      await takeOrRefuse(files, request.visitor.tokenHash);
      const bytes = Math.min(upload.announced ?? maxBytes, maxBytes);
      await takeOrRefuse(megabytes, addressBlock(request.ip), Math.max(1, Math.ceil(bytes / MB)));
      request.upload = upload;
    },
    schema: { querystring: query, response: { [status]: answer } },
    async handler({ visitor, upload, query: { name } }, reply) {
      if (!visitor || !upload) throw new Error("The route was reached without a visitor or a body.");
      return reply.code(status).send({ file: await receiveUpload(visitor, { name, ...upload }) });
    },
  });
}
