import { TAGS_TO_CHOOSE_MAX } from "@frontdesk/core/domain/ai/copilot";
import { tagsPrompt } from "@frontdesk/core/domain/ai/copilot-prompts";
import type { Operation } from "../../context.ts";
import { findConversation } from "../../conversations/find-conversation.ts";
import { listParam } from "../../storage/dialect.ts";
import { allTags, type ShownTag, tagsOfConversations } from "../../tags/tag-store.ts";
import { conversationForModel, redacted } from "../conversation-for-model.ts";
import { type CopilotRequest, fenceWord } from "./copilot-request.ts";
import { openCopilot } from "./open-copilot.ts";

const NUMBERS_TOKENS = 50;

export interface TagsRequest {
  request: CopilotRequest;
  /** What there is to choose from, in the order of the numbers: the oldest of the team's tags first. */
  tags: ShownTag[];
}

/**
 * What the model is asked for tags of a conversation: it chooses from the team's tags that the conversation does not have. Nothing
 * is written.
 *
 * @throws Refusal `not-found` for the conversation, and `invalid` without a field when there is no model
 */
export const suggestTags: Operation<{ conversationId: string }, TagsRequest> = {
  name: "suggest-tags",
  mode: "read",
  async run(ctx, { conversationId }) {
    const conversation = await findConversation(ctx, conversationId);
    const { connection, savedAt, redaction } = await openCopilot(ctx);
    const [all, has, said] = await Promise.all([
      ctx.db.all(allTags, { team_id: ctx.teamId }),
      ctx.db.all(tagsOfConversations, { team_id: ctx.teamId, conversation_ids: listParam([conversation.id]) }),
      conversationForModel(ctx, conversation),
    ]);
    const tags = all.filter(({ id }) => !has.some((tag) => tag.id === id)).slice(0, TAGS_TO_CHOOSE_MAX);
    const names = tags.map(({ name }) => name);
    const prompt = tagsPrompt({ fence: fenceWord(ctx), tags: names, conversation: redacted(said, redaction) });
    const { restore } = redaction;
    const request = { connection, savedAt, messages: prompt, passages: [], maxTokens: NUMBERS_TOKENS, restore };
    return { request, tags };
  },
};
