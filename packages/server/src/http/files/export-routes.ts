import { notFound } from "@frontdesk/core/domain/refusal";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AgentActor, ApiKeyActor } from "../../access/actor.ts";
import { tokenTeam } from "../../access/token.ts";
import type { FileStorage } from "../../files/file-storage.ts";
import type { Perform } from "../../perform.ts";
import { openExport } from "../../privacy/open-export.ts";
import { contentDisposition } from "./content-disposition.ts";

interface ExportServices {
  perform: Perform;
  fileStorage: FileStorage;
  /** Agents who are signed in, and keys. */
  door(request: FastifyRequest, reply: FastifyReply): Promise<AgentActor | ApiKeyActor>;
}

/**
 * The zip files of exported contacts (docs/decisions/0056-export.md): for those who may export contacts and know the address. One that
 * is missing, another team's, expired or deleted gets the same answer.
 */
export async function exportRoutes(
  app: FastifyInstance,
  { perform, fileStorage, door }: ExportServices,
): Promise<void> {
  app.route<{ Params: { token: string } }>({
    method: ["GET", "HEAD"],
    url: "/exports/:token/:name",
    config: { readsQuery: false },
    async onRequest(_request, reply) {
      reply.headers({ "Cache-Control": "no-store", "X-Robots-Tag": "noindex" });
    },
    async handler(request, reply) {
      const { token } = request.params;
      const actor = await door(request, reply);
      if (tokenTeam("export", token) !== actor.teamId) throw notFound("export");
      const { id, name, size } = await perform(actor, openExport, { token });
      const content = request.method === "HEAD" ? null : await fileStorage.read({ teamId: actor.teamId, id });
      // The content was not copied when the data was moved.
      if (content === undefined) throw notFound("export");
      reply.headers({
        "Content-Type": "application/zip",
        "Content-Disposition": contentDisposition("attachment", name),
        "Content-Length": size,
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "Cross-Origin-Resource-Policy": "same-origin",
      });
      return reply.send(content);
    },
  });
}
