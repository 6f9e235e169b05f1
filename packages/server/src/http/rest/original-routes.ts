import { rest } from "@frontdesk/core/contract";
import { openOriginal } from "../../email/open-original.ts";
import { answerOriginal } from "../framework/answer-original.ts";
import { type Endpoint, endpointAnsweredBy } from "./rest-endpoint.ts";

/** The originals of mails, for programs and signed-in agents. */
export const originalRoutes: Endpoint[] = [
  endpointAnsweredBy(rest.getMessageOriginal, async ({ params, actor, request, reply }, { perform, fileStorage }) => {
    const original = await perform(actor, openOriginal, { messageId: params.id });
    return answerOriginal(request, reply, fileStorage, { teamId: actor.teamId, ...original });
  }),
];
