import { isLanguageTag } from "@frontdesk/core/domain/ai/copilot";
import { summaryPrompt } from "@frontdesk/core/domain/ai/copilot-prompts";
import { invalid } from "@frontdesk/core/domain/refusal";
import type { Operation } from "../../context.ts";
import { findConversation } from "../../conversations/find-conversation.ts";
import { conversationForModel, redacted } from "../conversation-for-model.ts";
import { type CopilotRequest, fenceWord } from "./copilot-request.ts";
import { openCopilot } from "./open-copilot.ts";

/** The most tokens of a summary. */
export const SUMMARY_TOKENS = 400;

/**
 * What the model is asked for a summary of a conversation. Nothing is written.
 *
 * @throws Refusal `not-found` for the conversation, `invalid` on `language`, and `invalid` without a field when there is no model
 */
export const summariseConversation: Operation<{ conversationId: string; language: string | null }, CopilotRequest> = {
  name: "summarise-conversation",
  mode: "read",
  async run(ctx, { conversationId, language }) {
    if (language !== null && !isLanguageTag(language)) throw invalid({ language: "no-such-language" });
    const conversation = await findConversation(ctx, conversationId);
    const { connection, savedAt, redaction } = await openCopilot(ctx);
    const said = await conversationForModel(ctx, conversation);
    const prompt = summaryPrompt({ fence: fenceWord(ctx), language, conversation: redacted(said, redaction) });
    const { restore } = redaction;
    return { connection, savedAt, messages: prompt, passages: [], maxTokens: SUMMARY_TOKENS, restore };
  },
};
