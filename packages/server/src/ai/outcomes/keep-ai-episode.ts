import {
  type EndOfEpisode,
  type HandoffReason,
  handedOver,
  lastWordOf,
  REOPENED_WITHIN_MS,
  resolvedByAi,
  SILENT_AFTER_MS,
} from "@frontdesk/core/domain/ai/ai-episode";
import type { Speaker } from "@frontdesk/core/domain/ai/ai-settings";
import { type AiMessageKind, readAiState } from "@frontdesk/core/domain/ai/ai-state";
import type { Context } from "../../context.ts";
import type { CommittedEvent } from "../../followers.ts";
import type { ContactRow, ConversationRow } from "../../storage/tables.ts";
import { dayOf } from "../turn/usage-store.ts";
import {
  addAiEpisodeTokens,
  aiEpisodeByKey,
  endOpenAiEpisode,
  insertAiEpisode,
  reopenAiEpisode,
  setAiSpoken,
  setVisitorSpoken,
} from "./ai-episode-store.ts";

type OfEpisode = Pick<ConversationRow, "id" | "episode">;

/**
 * The AI has spoken: the first time, its episode begins. Conversations of a simulator are not counted.
 *
 * @param before the conversation of before its message
 */
export async function aiHasSpoken(
  ctx: Context,
  before: OfEpisode & Pick<ConversationRow, "waiting_since">,
  { kind, sources, contact }: { kind: AiMessageKind; sources: readonly unknown[]; contact: ContactRow | undefined },
): Promise<void> {
  const key = keyOf(ctx, before);
  const known = await ctx.db.first(aiEpisodeByKey, key);
  const isAnswer = kind !== "handoff";
  const waitedMs = kind === "answer" ? inTenths(ctx.now - (before.waiting_since ?? ctx.now)) : null;
  const spoken = {
    ...{ last_word: lastWordOf(kind, sources), last_at: ctx.now },
    answers: (known?.answers ?? 0) + (isAnswer ? 1 : 0),
    answer_ms: known?.answer_ms ?? waitedMs,
  };
  if (known) ctx.write(setAiSpoken, { ...key, ...spoken });
  else if (!isSimulated(contact)) {
    ctx.write(insertAiEpisode, {
      ...{ ...key, ...spoken, day: dayOf(ctx.now), begun_at: ctx.now, outcome: "open", reason: null, ended_at: null },
      ...{ tokens_in: 0, tokens_out: 0 },
    });
  }
}

/** What a turn has cost. */
export function addTokens(ctx: Context, of: OfEpisode, tokens: { tokensIn: number; tokensOut: number }): void {
  if (tokens.tokensIn + tokens.tokensOut === 0) return;
  ctx.write(addAiEpisodeTokens, { ...keyOf(ctx, of), tokens_in: tokens.tokensIn, tokens_out: tokens.tokensOut });
}

/** The AI resolves it; called before that, since the first end counts. */
export function aiResolves(ctx: Context, of: OfEpisode, outcome: "confirmed" | "assumed"): void {
  end(ctx, of, resolvedByAi(outcome), null);
}

/** The AI does not speak in it any more. */
export function aiSteppedBack(ctx: Context, of: OfEpisode, reason: HandoffReason): void {
  end(ctx, of, handedOver(reason), reason);
}

/** What visitors do: they write while the AI speaks, or after it has resolved. */
export function keepAiEpisode(ctx: Context, { facts }: CommittedEvent): undefined {
  if (facts.name === "message.received") visitorHasSpoken(ctx, facts.conversation);
  if (facts.name === "conversation.reopened" && "visitor" in facts.reopenedBy) {
    const { id, episode } = facts.conversation;
    ctx.write(reopenAiEpisode, { ...keyOf(ctx, { id, episode: episode - 1 }), since: ctx.now - REOPENED_WITHIN_MS });
  }
}

function visitorHasSpoken(ctx: Context, conversation: ConversationRow): void {
  const isToAi = conversation.speaker === ("ai" satisfies Speaker);
  if (!isToAi || readAiState(conversation.ai_state).lastKind === null) return;
  ctx.write(setVisitorSpoken, { ...keyOf(ctx, conversation), last_at: ctx.now });
}

function end(ctx: Context, of: OfEpisode, ends: EndOfEpisode, reason: string | null): void {
  ctx.write(endOpenAiEpisode, {
    ...keyOf(ctx, of),
    ...{ outcome: ends.outcome, after_cited: ends.afterCited, after_uncited: ends.afterUncited, reason },
    ...{ silent_since: ctx.now - SILENT_AFTER_MS, ended_at: ctx.now },
  });
}

const keyOf = ({ teamId }: Pick<Context, "teamId">, { id, episode }: OfEpisode) => ({
  ...{ team_id: teamId, conversation_id: id, number: episode },
});

/** A report counts equal ones, of which there are some hundred. */
const inTenths = (ms: number) => Math.max(0, Math.round(ms / 100) * 100);

/** A program that tries the widget out says so when it makes its contact. */
function isSimulated(contact: Pick<ContactRow, "intake"> | undefined): boolean {
  return contact?.intake != null && JSON.parse(contact.intake).is_simulator === true;
}
