/** What the built-in AI of a team does in a conversation, without asking a model: it holds it, says something, hands it over. */

import type { ChatConversation, ChatSource } from "@frontdesk/core/contract/visitor";
import { type AiRunReason, defaultAiSettings } from "@frontdesk/core/domain/ai/ai-settings";
import { type AiMessageKind, readAiState, stateAfterSaying } from "@frontdesk/core/domain/ai/ai-state";
import type { App } from "@frontdesk/server";
import type { AiActor } from "@frontdesk/server/access/actor";
import { agentById, insertAgent } from "@frontdesk/server/agents/agent-store";
import { aiHasSpoken } from "@frontdesk/server/ai/outcomes/keep-ai-episode";
import { logRun } from "@frontdesk/server/ai/runs/log-run";
import { changeSpeaker } from "@frontdesk/server/ai/speaker/change-speaker";
import { setSpeaker } from "@frontdesk/server/ai/speaker/speaker-store";
import type { AiSource, DraftOfTurn, EndedTurn, LoggedCall, LoggedSearch } from "@frontdesk/server/ai/turn/turn";
import { deleteTurn, lastVisitorMessage } from "@frontdesk/server/ai/turn/turn-store";
import type { Context } from "@frontdesk/server/context";
import { addMessage } from "@frontdesk/server/conversations/add-message";
import { updateConversation } from "@frontdesk/server/conversations/conversation-store";
import { findConversationWithPeople } from "@frontdesk/server/conversations/find-conversation";
import { uuidv7 } from "@frontdesk/server/ids";
import { statement, wholeRow } from "@frontdesk/server/storage/statement";
import type { AgentRow, AiMessageRow, AiSettingsRow, AiTurnRow } from "@frontdesk/server/storage/tables";
import type { TestTeam } from "./test-kit.ts";

const newId = uuidv7(() => Date.parse("2026-11-20T09:00:00.000Z"));

const insertAiMessage = statement<AiMessageRow>((db, param) =>
  db.insertInto("ai_messages").values(wholeRow(param, "ai_messages")),
);
const insertAiSettings = statement<AiSettingsRow>((db, param) =>
  db.insertInto("ai_settings").values(wholeRow(param, "ai_settings")),
);

/** A turn under way, whether one was due or not. */
const takeTurn = statement<AiTurnRow>((db, param) =>
  db
    .insertInto("ai_turns")
    .values(wholeRow(param, "ai_turns"))
    .onConflict((conflict) =>
      conflict.columns(["team_id", "conversation_id"]).doUpdateSet((row) => ({
        claim: row.ref("excluded.claim"),
        lease_until: row.ref("excluded.lease_until"),
        upto: row.ref("excluded.upto"),
      })),
    ),
);

type Speaker = ChatConversation["speaker"];

export interface HoldingAi {
  agentId: string;
  name: string;
  /** It speaks in the conversation from now on. */
  holds(conversationId: string): Promise<void>;
  /** It is in a turn that answers what the visitor has written; what it drafts is of that. */
  thinks(conversationId: string): Promise<DraftOfTurn>;
  /** Resolves to the id of its message, with which a turn ends. */
  says(
    conversationId: string,
    said: {
      content: string;
      kind?: AiMessageKind;
      sources?: readonly ChatSource[];
      runId?: string;
    },
  ): Promise<string>;
  /** Another speaks, told by an event that says nothing else. */
  lets(conversationId: string, speaker: Speaker): Promise<void>;
  handsOver(conversationId: string, reason: AiRunReason): Promise<void>;
  /** Logs a run of 1.8 s. Resolves to its id. */
  ran(
    conversationId: string,
    run: EndedTurn & { sources?: readonly AiSource[]; calls: LoggedCall[]; searches?: LoggedSearch[] },
  ): Promise<string>;
}

const RUN_MS = 1_800;
/** Later than any test; no process takes such a turn over. */
const NEVER_MS = 8_000_000_000_000;

/**
 * @param team in which it is set up on all widgets, with an agent of its own
 * @param options.hasModel it answers new conversations, as visitors are told; its model server does not. Left out, it takes nothing
 *   by itself
 */
export async function aiOf(
  { perform }: Pick<App, "perform">,
  team: Pick<TestTeam, "teamId">,
  { name = "Robin", hasModel = false }: { name?: string; hasModel?: boolean } = {},
): Promise<HoldingAi> {
  const [agentId, aiId] = [newId(), newId()];
  const actor: AiActor = { kind: "ai", teamId: team.teamId, aiId, name, agentId };
  const acts = <Result>(run: (ctx: Context) => Promise<Result>) =>
    perform(actor, { name: "end-ai-turn", mode: "write", run }, {});
  await acts(async (ctx) => {
    const agent: AgentRow = {
      ...{
        team_id: ctx.teamId,
        id: agentId,
        email: `${agentId}@ai.invalid`,
        email_folded: `${agentId}@ai.invalid`,
        name,
      },
      ...{
        account_id: aiId,
        role: "CHAT_AGENT_MEMBER",
        status: "active",
        online_status: "online",
        availability: "auto",
      },
      ...{ last_active_at: 0, created_at: ctx.now, removed_at: null, password_hash: null },
      ...{ profile_photo_url: null, resized_profile_photo_url: null },
    };
    ctx.write(insertAgent, agent);
    const model = hasModel ? { base_url: "http://127.0.0.1:9/v1", model: "none" } : { base_url: null, model: null };
    ctx.write(insertAiSettings, {
      ...{ team_id: ctx.teamId, ai_id: aiId, agent_id: agentId, is_active: 1, name, updated_at: ctx.now },
      ...{ ...model, embedding_model: null, api_key_sealed: null, api_key_last: null },
      ...{ instructions: "", widgets: '"all"', channels: '["website"]', answers_when: "always", resolves: 1 },
      ...{ resolve_after_minutes: null, tokens_a_day: null, tokens_a_month: null, redacts: 0, keeps_runs: 1 },
      ...{ breaker: null, warned_on: null },
      ...{ second_model: null, streamed: 0, ghost_text: 0 },
      handoff_rules: JSON.stringify(defaultAiSettings.handoff_rules),
    });
  });
  return {
    agentId,
    name,
    holds: (conversationId) =>
      acts(async (ctx) => {
        const about = await findConversationWithPeople(ctx, conversationId);
        changeSpeaker(ctx, about, { name: "returned", isAiHere: true });
      }),
    thinks: (conversationId) =>
      acts(async (ctx) => {
        const { contact } = await findConversationWithPeople(ctx, conversationId);
        const key = { team_id: ctx.teamId, conversation_id: conversationId };
        const upto = (await ctx.db.first(lastVisitorMessage, key))?.sort_number ?? 0;
        const claim = ctx.newId();
        ctx.write(takeTurn, {
          ...{ ...key, contact_id: contact.id, first_at: ctx.now, due_at: ctx.now, upto },
          ...{ claim, lease_until: NEVER_MS, attempts: 1 },
        });
        return { conversationId, claim, agentId, upto };
      }),
    says: (conversationId, { content, kind = "answer", sources = [], runId }) =>
      acts(async (ctx) => {
        const about = await findConversationWithPeople(ctx, conversationId);
        const agent = await ctx.db.first(agentById, { team_id: ctx.teamId, id: agentId });
        if (!agent) throw new Error("The AI has no agent.");
        const { message } = addMessage(ctx, about, {
          ...{ from: "agent", type: "message", agent, attachments: [], sentVia: "ai", origin: "chat" },
          content,
          isNoAnswer: kind === "handoff",
        });
        const { speaker, ai_state: before } = about.conversation;
        const ai_state = kind === "handoff" ? before : JSON.stringify(stateAfterSaying(readAiState(before), kind));
        ctx.write(setSpeaker, { team_id: ctx.teamId, id: conversationId, speaker, ai_state });
        ctx.write(insertAiMessage, {
          ...{ team_id: ctx.teamId, message_id: message.id, conversation_id: conversationId, kind },
          ...{ run_id: runId ?? null, sources: JSON.stringify(sources) },
        });
        ctx.write(deleteTurn, { team_id: ctx.teamId, conversation_id: conversationId });
        await aiHasSpoken(ctx, about.conversation, { kind, sources, contact: undefined });
        return message.id;
      }),
    lets: (conversationId, speaker) =>
      acts(async (ctx) => {
        const about = await findConversationWithPeople(ctx, conversationId);
        const conversation = { ...about.conversation, speaker };
        ctx.write(setSpeaker, { team_id: ctx.teamId, id: conversationId, speaker, ai_state: conversation.ai_state });
        ctx.record({ name: "conversation.read", ...about, conversation });
      }),
    handsOver: (conversationId, reason) =>
      acts(async (ctx) => {
        const about = await findConversationWithPeople(ctx, conversationId);
        const conversation = { ...about.conversation, handoff_requested_at: ctx.now };
        ctx.write(updateConversation, conversation);
        const requestedBy = { automation: { id: aiId, name } };
        ctx.record({ name: "handoff.requested", ...about, conversation, reason, requestedBy });
        changeSpeaker(ctx, { ...about, conversation }, { name: "handed-over" }, reason);
      }),
    ran: (conversationId, { sources = [], calls, searches = [], ...ended }) =>
      acts(async (ctx) => {
        const { conversation } = await findConversationWithPeople(ctx, conversationId);
        const id = ctx.newId();
        const log = { calls, searches, tokensIn: 1_240, tokensOut: 31, startedAt: ctx.now - RUN_MS };
        logRun(ctx, conversation, { id, ...ended, row: { keeps_runs: 1 }, messageId: null, sources, log });
        return id;
      }),
  };
}
