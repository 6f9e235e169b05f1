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
import { answerCopilot, untilClosed } from "./answer-copilot.ts";
import { type Endpoint, endpointAnsweredBy, type RestRequest } from "./rest-endpoint.ts";

/** An operation of the copilot: what the model is asked is read first, then it is asked, outside of any transaction. */
function copilotEndpoint<const O extends RestOperation, Input>(
  operation: O,
  performs: Operation<Input, CopilotRequest>,
  input: (request: Pick<RestRequest<O>, "params" | "body">) => Input,
): Endpoint {
  return endpointAnsweredBy<O>(operation, async ({ params, body, actor, request, reply }, { perform, askCopilot }) => {
    const asked = await perform(actor, performs, input({ params, body }));
    return answerCopilot(request, reply, (call) => askCopilot(actor, asked, call)) as never;
  });
}

/** The model chooses by numbers, so a tag that the team does not have is never among them. */
const tagsEndpoint = endpointAnsweredBy(rest.suggestTags, async ({ params, actor, reply }, { perform, askCopilot }) => {
  const asked = await perform(actor, suggestTags, { conversationId: params.conversation_id });
  if (asked.tags.length === 0) return { data: [] };
  const { text } = await askCopilot(actor, asked.request, { signal: untilClosed(reply) });
  const chosen = readTagNumbers(text, asked.tags.length).flatMap((index) => asked.tags[index] ?? []);
  return { data: chosen.map(presentTag) };
});

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
