import { rest } from "@frontdesk/core/contract";
import { openOriginal } from "../../email/open-original.ts";
import { answerOriginal } from "../framework/answer-original.ts";
import { serveOperation } from "../framework/serve-operation.ts";
import { leaveBodyUnread } from "../framework/unread-bodies.ts";
import type { Endpoint } from "./rest-endpoint.ts";

/** The originals of mails, for programs and signed-in agents. */
export const originalRoutes: Endpoint[] = [
  {
    operation: rest.getMessageOriginal,
    register(app, { door, perform, fileStorage }) {
      serveOperation(app, rest.getMessageOriginal, {
        async enter(request, reply) {
          leaveBodyUnread(request);
          request.actor = await door(request, reply);
        },
        async answer({ params, request, reply }) {
          const { actor } = request;
          if (!actor) throw new Error("The route was reached without an actor.");
          const original = await perform(actor, openOriginal, { messageId: params.id });
          return answerOriginal(request, reply, fileStorage, { teamId: actor.teamId, ...original });
        },
      });
    },
  },
];
