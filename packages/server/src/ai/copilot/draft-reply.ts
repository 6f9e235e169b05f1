import { INSTRUCTION_MAX } from "@frontdesk/core/domain/ai/copilot";
import { draftPrompt } from "@frontdesk/core/domain/ai/copilot-prompts";
import { isLongerThan } from "@frontdesk/core/domain/bounded-text";
import { because } from "@frontdesk/core/domain/reasons";
import { invalid } from "@frontdesk/core/domain/refusal";
import { ownAgentId } from "../../access/by-actor.ts";
import { agentById } from "../../agents/agent-store.ts";
import type { Operation } from "../../context.ts";
import { findConversation } from "../../conversations/find-conversation.ts";
import { findPassages } from "../../knowledge/find-passages.ts";
import { conversationForModel, redacted } from "../conversation-for-model.ts";
import { type CopilotRequest, fenceWord } from "./copilot-request.ts";
import { openCopilot } from "./open-copilot.ts";

const DRAFT_TOKENS = 600;
const PASSAGES = 6;
/** The visitor's last messages make the question. */
const ASKED_MESSAGES = 3;

/**
 * What the model is asked for a reply in a conversation: the conversation, and the articles that fit the visitor's last messages
 * and the agent's wish. Nothing is written.
 *
 * @throws Refusal `not-found` for the conversation, `invalid` on `instruction`, and `invalid` without a field when there is no model
 */
export const draftReply: Operation<{ conversationId: string; instruction: string }, CopilotRequest> = {
  name: "draft-reply",
  mode: "read",
  async run(ctx, { conversationId, instruction }) {
    if (isLongerThan(instruction, INSTRUCTION_MAX)) {
      throw invalid({ instruction: because("too-long", { max: INSTRUCTION_MAX }) });
    }
    const conversation = await findConversation(ctx, conversationId);
    const { connection, savedAt, instructions, redaction } = await openCopilot(ctx);
    const [said, agent] = await Promise.all([
      conversationForModel(ctx, conversation),
      ctx.db.first(agentById, { team_id: ctx.teamId, id: ownAgentId(ctx.actor) ?? "" }),
    ]);
    const asked = said.filter(({ author }) => author === "visitor").slice(-ASKED_MESSAGES);
    const questions = [...asked.map(({ text }) => text), instruction].filter((text) => text.trim() !== "");
    const { passages } = await findPassages(ctx, { questions, limit: PASSAGES });
    const fence = fenceWord(ctx);
    const prompt = {
      fence,
      agent: agent?.name ?? null,
      instructions,
      wish: redaction.redact(instruction.trim()),
      passages,
      conversation: redacted(said, redaction),
    };
    const messages = draftPrompt(prompt);
    return { connection, savedAt, messages, passages, maxTokens: DRAFT_TOKENS, restore: redaction.restore };
  },
};
