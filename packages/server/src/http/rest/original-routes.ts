import { Readable } from "node:stream";
import { rest } from "@frontdesk/core/contract";
import { notFound } from "@frontdesk/core/domain/refusal";
import { openOriginal } from "../../email/open-original.ts";
import { serveOperation } from "../framework/serve-operation.ts";
import { leaveBodyUnread } from "../framework/unread-bodies.ts";
import type { Endpoint } from "./rest-endpoint.ts";

const { mediaType } = rest.getMessageOriginal.responses[200];
/** The same for every mail: a subject may be longer than a name, and names who wrote it. */
const SAVED = 'attachment; filename="original.eml"';

/** The originals of mails, for programs and signed-in agents. A browser saves one, and runs nothing in it. */
export const originalRoutes: Endpoint[] = [
  {
    operation: rest.getMessageOriginal,
    register(app, { door, perform, fileStorage }) {
      serveOperation(app, rest.getMessageOriginal, {
        async enter(request, reply) {
          leaveBodyUnread(request);
          request.actor = await door(request, reply);
        },
        async answer({ params, request: { actor, method }, reply }) {
          if (!actor) throw new Error("The route was reached without an actor.");
          const { id, size } = await perform(actor, openOriginal, { messageId: params.id });
          // HEAD has the headers alone: nothing is read for it.
          const content = method === "HEAD" ? Readable.from([]) : await fileStorage.read({ teamId: actor.teamId, id });
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
        },
      });
    },
  },
];
