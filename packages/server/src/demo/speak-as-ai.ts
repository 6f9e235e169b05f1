/** What the built-in AI of the demo shop has done, as its turns would leave it behind. No model is asked: its words are written here. */
import type { Speaker } from "@frontdesk/core/domain/ai/ai-settings";
import { readAiState, stateAfterSaying } from "@frontdesk/core/domain/ai/ai-state";
import { estimateTokens } from "@frontdesk/core/domain/ai/estimate-tokens";
import { type LoggedRun, logRun, withoutCalls } from "../ai/runs/log-run.ts";
import { aiOfTeam } from "../ai/settings/ai-settings-store.ts";
import type { AiChange } from "../ai/settings/update-ai.ts";
import { aiActor } from "../ai/speaker/ai-at-work.ts";
import { resolveAsAi } from "../ai/turn/end-turn.ts";
import { handOver } from "../ai/turn/hand-over.ts";
import { sayAsAi } from "../ai/turn/say-as-ai.ts";
import type { TurnEnd, TurnLog } from "../ai/turn/turn.ts";
import { deleteTurn } from "../ai/turn/turn-store.ts";
import type { Context, Operation } from "../context.ts";
import { findConversationWithPeople } from "../conversations/find-conversation.ts";

const MODEL = "example-model";
/** Of what the model reads besides the visitor's message. */
const PROMPT_TOKENS = 1_640;
const CALL_MS = 1_430;
const TURN_MS = 1_610;

/** Filled in and switched off: the demo reaches no model. */
export const DEMO_AI: AiChange = {
  ...{ is_active: false, name: "Robin", base_url: "https://models.example.com/v1", model: MODEL },
  ...{ tokens_a_day: 500_000, resolve_after_minutes: 240 },
  instructions: "Be brief and friendly. Anything about a broken product is for a person.",
  handoff_rules: {
    ...{ words: ["refund", "complaint"], pages: ["/wholesale"], tags: [] },
    custom_data: [{ name: "Customer type", value: "Business" }],
  },
};

export type AiEnd =
  | Extract<TurnEnd, { does: "say" | "hand-over" }>
  | { does: "resolve"; outcome: "confirmed" | "assumed" };

/** `asked`: what the visitor has written before. */
export const speakAsAi: Operation<{ conversationId: string; asked: string; end: AiEnd }, void> = {
  name: "end-ai-turn",
  mode: "write",
  async run(ctx, { conversationId, asked, end }) {
    const row = await ctx.db.first(aiOfTeam, { team_id: ctx.teamId });
    if (!row) throw new Error("The demo has no AI.");
    ctx.write(deleteTurn, { team_id: ctx.teamId, conversation_id: conversationId });
    const found = await findConversationWithPeople(ctx, conversationId);
    const about = { ...found, conversation: { ...found.conversation, speaker: "ai" satisfies Speaker } };
    const ofTurn = { id: ctx.newId(), row, log: logOf(ctx, asked, end) };
    const log = (run: Pick<LoggedRun, "outcome" | "reason" | "messageId" | "sources">) =>
      logRun(ctx, about.conversation, { ...ofTurn, ...run });
    switch (end.does) {
      case "say": {
        const state = readAiState(about.conversation.ai_state);
        const conversation = { ...about.conversation, ai_state: JSON.stringify(stateAfterSaying(state, end.act)) };
        const said = { row, kind: end.act, text: end.text, sources: end.sources, runId: ofTurn.id, state };
        const { message } = await sayAsAi(ctx, { ...about, conversation }, said);
        return log({ outcome: "answered", reason: end.reason, messageId: message.id, sources: end.sources });
      }
      case "hand-over": {
        const requestedBy = { automation: { id: row.ai_id, name: row.name } };
        const message = await handOver(ctx, about, { row, reason: end.reason, runId: ofTurn.id, requestedBy });
        return log({ outcome: "handed-over", reason: end.reason, messageId: message.id, sources: [] });
      }
      case "resolve":
        await resolveAsAi(ctx, found.conversation, row, end.outcome);
        return log({ ...RESOLVED[end.outcome], messageId: null, sources: [] });
      default:
        return end satisfies never;
    }
  },
};

const RESOLVED = {
  confirmed: { outcome: "resolved", reason: "confirmed" },
  assumed: { outcome: "resolved", reason: "silence" },
} as const;

/** Whose deeds they are. */
export const findAi: Operation<Record<string, never>, ReturnType<typeof aiActor>> = {
  name: "get-ai",
  mode: "read",
  async run(ctx) {
    const row = await ctx.db.first(aiOfTeam, { team_id: ctx.teamId });
    if (!row) throw new Error("The demo has no AI.");
    return aiActor(row);
  },
};

/** Only what is said has taken a model; a rule or the visitor has decided the rest. */
function logOf({ now }: Pick<Context, "now">, asked: string, end: AiEnd): TurnLog {
  if (end.does !== "say") return withoutCalls(now);
  const request = JSON.stringify({ model: MODEL, messages: [{ role: "user", content: asked }] });
  const response = `ANSWER\n${end.text} [1]`;
  const call = { model: MODEL, request, response, status: 200, milliseconds: CALL_MS, check: null };
  const tokensIn = PROMPT_TOKENS + estimateTokens(asked);
  return { calls: [call], searches: [], tokensIn, tokensOut: estimateTokens(call.response), startedAt: now - TURN_MS };
}
