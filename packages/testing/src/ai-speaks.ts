/** The built-in AI speaks in a conversation without a model: what a turn of it leaves behind, in one commit. */
import type { ChatConversation, ChatSource } from "@frontdesk/core/contract/visitor";
import { defaultAiSettings } from "@frontdesk/core/domain/ai/ai-settings";
import { readAiState, stateAfterSaying } from "@frontdesk/core/domain/ai/ai-state";
import type { App } from "@frontdesk/server";
import { agentById } from "@frontdesk/server/agents/agent-store";
import { createAgent } from "@frontdesk/server/agents/create-agent";
import { setSpeaker } from "@frontdesk/server/ai/speaker/speaker-store";
import type { Operation } from "@frontdesk/server/context";
import { addMessage } from "@frontdesk/server/conversations/add-message";
import { findConversationWithPeople } from "@frontdesk/server/conversations/find-conversation";
import { uuidv7 } from "@frontdesk/server/ids";
import { statement, wholeRow } from "@frontdesk/server/storage/statement";
import type { AiMessageRow, AiSettingsRow } from "@frontdesk/server/storage/tables";

const newId = uuidv7(() => Date.parse("2026-11-20T09:00:00.000Z"));

export interface Ai {
  agentId: string;
  name: string;
  /** Writes a message. Resolves to its id. */
  says(conversationId: string, said: AiSays): Promise<string>;
  /** Hands the conversation over to people, or takes it back. */
  lets(conversationId: string, speaker: ChatConversation["speaker"]): Promise<void>;
}

interface AiSays {
  content: string;
  kind?: "answer" | "ask" | "chat";
  sources?: readonly ChatSource[];
  /** Who speaks afterwards. */
  speaker?: ChatConversation["speaker"];
}

/** A team's AI, set up with an agent of its own, on all of its widgets. */
export async function setUpAi({ perform }: Pick<App, "perform">, teamId: string, name = "Robin"): Promise<Ai> {
  const system = { kind: "system", teamId } as const;
  const email = `${newId()}@acme.test`;
  const { id: agentId } = await perform(system, createAgent, {
    ...{ name, email, role: "CHAT_AGENT_MEMBER", passwordHash: null },
  });
  const aiId = newId();
  const ai = { kind: "ai", teamId, aiId, name, agentId } as const;
  await perform(ai, saveSettings, { aiId, agentId, name });
  return {
    agentId,
    name,
    says: (conversationId, said) => perform(ai, sayAsAi, { conversationId, agentId, ...said }),
    lets: (conversationId, speaker) => perform(ai, letSpeak, { conversationId, speaker }),
  };
}

const saveSettings: Operation<{ aiId: string; agentId: string; name: string }, void> = {
  name: "send-message",
  mode: "write",
  async run(ctx, { aiId, agentId, name }) {
    ctx.write(insertAiSettings, {
      ...{ team_id: ctx.teamId, ai_id: aiId, agent_id: agentId, is_active: 1, name, updated_at: ctx.now },
      ...{ base_url: "http://127.0.0.1:9/v1", model: "none", embedding_model: null, instructions: "" },
      ...{ api_key_sealed: null, api_key_last: null, widgets: '"all"', channels: '["website"]' },
      ...{ answers_when: "always", resolves: 1, resolve_after_minutes: null, tokens_a_day: null },
      ...{ tokens_a_month: null, redacts: 0, keeps_runs: 1, breaker: null, warned_on: null },
      ...{ second_model: null, streamed: 0, ghost_text: 0 },
      handoff_rules: JSON.stringify(defaultAiSettings.handoff_rules),
    });
  },
};

const sayAsAi: Operation<AiSays & { conversationId: string; agentId: string }, string> = {
  name: "send-message",
  mode: "write",
  async run(ctx, { conversationId, agentId, content, kind = "answer", sources = [], speaker = "ai" }) {
    const [about, agent] = await Promise.all([
      findConversationWithPeople(ctx, conversationId),
      ctx.db.first(agentById, { team_id: ctx.teamId, id: agentId }),
    ]);
    if (!agent) throw new Error("The AI has no agent.");
    const ai_state = JSON.stringify(stateAfterSaying(readAiState(about.conversation.ai_state), kind));
    const { message } = addMessage(
      ctx,
      { ...about, conversation: { ...about.conversation, speaker, ai_state } },
      { from: "agent", type: "message", content, attachments: [], agent, origin: "chat", sentVia: "ai" },
    );
    ctx.write(setSpeaker, { team_id: ctx.teamId, id: conversationId, speaker, ai_state });
    ctx.write(insertAiMessage, {
      ...{ team_id: ctx.teamId, message_id: message.id, conversation_id: conversationId, run_id: null, kind },
      sources: JSON.stringify(sources),
    });
    return message.id;
  },
};

/** With an event that brings the conversation to its visitor. */
const letSpeak: Operation<{ conversationId: string; speaker: string }, void> = {
  name: "send-message",
  mode: "write",
  async run(ctx, { conversationId, speaker }) {
    const about = await findConversationWithPeople(ctx, conversationId);
    const conversation = { ...about.conversation, speaker };
    ctx.write(setSpeaker, { team_id: ctx.teamId, id: conversationId, speaker, ai_state: conversation.ai_state });
    ctx.record({ name: "conversation.read", ...about, conversation });
  },
};

const insertAiSettings = statement<AiSettingsRow>((db, param) =>
  db.insertInto("ai_settings").values(wholeRow(param, "ai_settings")),
);

const insertAiMessage = statement<AiMessageRow>((db, param) =>
  db.insertInto("ai_messages").values(wholeRow(param, "ai_messages")),
);
