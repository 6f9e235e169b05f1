import { servedAs } from "@frontdesk/core/domain/file-type";
import { notFound } from "@frontdesk/core/domain/refusal";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { tokenTeam } from "../../access/token.ts";
import type { ByteRange, FileStorage } from "../../files/file-storage.ts";
import { openFile } from "../../files/open-file.ts";
import type { Perform } from "../../perform.ts";
import { HttpProblem } from "../framework/http-problem.ts";
import { readRange } from "./byte-range.ts";
import { contentDisposition } from "./content-disposition.ts";

const YEAR_SECONDS = 31_536_000;
/** Whatever a file is, a browser that opens it executes nothing in it and lets it make no requests. */
const POLICY = "default-src 'none'; sandbox";

interface FileServices {
  perform: Perform;
  fileStorage: FileStorage;
}

/**
 * Files, for anyone who knows their address (docs/decisions/0022-files.md). The name in it is for people only. A file that is
 * missing, another team's, or not complete yet gets the same answer.
 */
export async function fileRoutes(app: FastifyInstance, { perform, fileStorage }: FileServices): Promise<void> {
  app.route<{ Params: { token: string } }>({
    method: ["GET", "HEAD"],
    url: "/files/:token/:name",
    config: { readsQuery: false },
    async onRequest(_request, reply) {
      // The headers of every answer except the file itself.
      reply.header("cache-control", "no-store");
    },
    async handler(request, reply) {
      const { teamId, id, name, mime, size } = await find(request.params.token);
      const etag = `"${id}"`;
      const unchanged = request.headers["if-none-match"] === etag;
      const range = unchanged ? undefined : rangeOf(request, etag, size);
      if (range === "none") return refuseRange(reply, size);
      const wanted = !unchanged && request.method !== "HEAD";
      // Before any header is set: a failure is answered without them.
      const content = wanted ? await read({ teamId, id }, range) : undefined;
      reply.headers({
        "Cache-Control": `private, max-age=${YEAR_SECONDS}, immutable`,
        ETag: etag,
        "Accept-Ranges": "bytes",
        "Content-Security-Policy": POLICY,
        "Cross-Origin-Resource-Policy": "cross-origin",
        "X-Robots-Tag": "noindex",
      });
      if (unchanged) return reply.code(304).send();
      const { contentType, disposition } = servedAs(mime);
      reply.headers({
        "Content-Type": contentType,
        "Content-Disposition": contentDisposition(disposition, name),
        "Content-Length": range ? range.last - range.first + 1 : size,
        ...(range && { "Content-Range": `bytes ${range.first}-${range.last}/${size}` }),
      });
      return reply.code(range ? 206 : 200).send(content);
    },
  });

  async function find(token: string) {
    const teamId = tokenTeam("file", token);
    if (teamId === undefined) throw notFound("file");
    return { teamId, ...(await perform({ kind: "system", teamId }, openFile, { token })) };
  }

  async function read(key: { teamId: string; id: string }, range: ByteRange | undefined) {
    const content = await fileStorage.read(key, range);
    // The row exists and the content does not: it was not copied when the data was moved.
    if (!content) throw new HttpProblem(404, "http.no-such-address");
    return content;
  }
}

/** A part is only sent of the same file that its first part came from. */
function rangeOf({ headers }: FastifyRequest, etag: string, size: number): ByteRange | "none" | undefined {
  const other = headers["if-range"] !== undefined && headers["if-range"] !== etag;
  return other ? undefined : readRange(headers.range, size);
}

function refuseRange(reply: FastifyReply, size: number): FastifyReply {
  return reply
    .code(416)
    .header("Content-Range", `bytes */${size}`)
    .send({ message: "The requested range is outside the file." });
}
