import type { RestOperation } from "@frontdesk/core/contract";
import { rest } from "@frontdesk/core/contract";
import { readTagNumbers } from "@frontdesk/core/domain/ai/read-tag-numbers";
import type { CopilotRequest } from "../../ai/copilot/copilot-request.ts";
import { draftReply } from "../../ai/copilot/draft-reply.ts";
import { rewriteText } from "../../ai/copilot/rewrite-text.ts";
import { suggestTags } from "../../ai/copilot/suggest-tags.ts";
import { summariseConversation } from "../../ai/copilot/summarise-conversation.ts";
import type { Operation } from "../../context.ts";
import { presentTag } from "../../tags/present-tag.ts";
import { serveOperation } from "../framework/serve-operation.ts";
import { leaveBodyUnread } from "../framework/unread-bodies.ts";
import { answerCopilot, untilClosed } from "./answer-copilot.ts";
import type { Endpoint, RestRequest } from "./rest-endpoint.ts";

/** An operation of the copilot: what the model is asked is read first, then it is asked, outside of any transaction. */
function copilotEndpoint<const O extends RestOperation, Input>(
  operation: O,
  performs: Operation<Input, CopilotRequest>,
  input: (request: Pick<RestRequest<O>, "params" | "body">) => Input,
): Endpoint {
  return {
    operation,
    register(app, { door, perform, askCopilot }) {
      serveOperation<O>(app, operation, {
        async enter(request, reply) {
          request.actor = await door(request, reply);
        },
        async answer({ params, body, request, reply }) {
          const { actor } = request;
          if (!actor) throw new Error("The route was reached without an actor.");
          const asked = await perform(actor, performs, input({ params, body }));
          return answerCopilot(request, reply, (call) => askCopilot(actor, asked, call)) as never;
        },
      });
    },
  };
}

/** The model chooses by numbers, so a tag that the team does not have is never among them. */
const tagsEndpoint: Endpoint = {
  operation: rest.suggestTags,
  register(app, { door, perform, askCopilot }) {
    serveOperation<typeof rest.suggestTags>(app, rest.suggestTags, {
      async enter(request, reply) {
        leaveBodyUnread(request);
        request.actor = await door(request, reply);
      },
      async answer({ params, request, reply }) {
        const { actor } = request;
        if (!actor) throw new Error("The route was reached without an actor.");
        const asked = await perform(actor, suggestTags, { conversationId: params.conversation_id });
        if (asked.tags.length === 0) return { data: [] };
        const { text } = await askCopilot(actor, asked.request, { signal: untilClosed(reply) });
        const chosen = readTagNumbers(text, asked.tags.length).flatMap((index) => asked.tags[index] ?? []);
        return { data: chosen.map(presentTag) };
      },
    });
  },
};

export const copilotRoutes = [
  tagsEndpoint,
  copilotEndpoint(rest.draftReply, draftReply, ({ params, body }) => ({
    conversationId: params.conversation_id,
    instruction: body.instruction ?? "",
  })),
  copilotEndpoint(rest.summariseConversation, summariseConversation, ({ params, body }) => ({
    conversationId: params.conversation_id,
    language: body.language ?? null,
  })),
  copilotEndpoint(rest.rewriteText, rewriteText, ({ body }) => ({ ...body, language: body.language ?? null })),
];
