import { Readable } from "node:stream";
import { rest } from "@frontdesk/core/contract";
import { notFound } from "@frontdesk/core/domain/refusal";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { FileStorage } from "../../files/file-storage.ts";

const { mediaType } = rest.getMessageOriginal.responses[200];
/** The same for every mail: a subject may be longer than a name, and names who wrote it. */
const SAVED = 'attachment; filename="original.eml"';

/** The original of a mail, as an answer: a browser saves it, and runs nothing in it. */
export async function answerOriginal(
  { method }: Pick<FastifyRequest, "method">,
  reply: FastifyReply,
  fileStorage: FileStorage,
  { teamId, id, size }: { teamId: string; id: string; size: number },
): Promise<Readable> {
  // HEAD has the headers alone: nothing is read for it.
  const content = method === "HEAD" ? Readable.from([]) : await fileStorage.read({ teamId, id });
  // The content was not copied when the data was moved.
  if (content === undefined) throw notFound("original");
  reply.headers({
    "Content-Type": mediaType,
    "Content-Disposition": SAVED,
    "Content-Length": size,
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cross-Origin-Resource-Policy": "same-origin",
  });
  return content;
}
