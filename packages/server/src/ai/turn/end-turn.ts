import type { AiOutcome } from "@frontdesk/core/domain/ai/ai-settings";
import { type AiState, readAiState, stateAfterSaying } from "@frontdesk/core/domain/ai/ai-state";
import { helpedText, unreadFilesText } from "@frontdesk/core/domain/ai/handoff-texts";
import { contactById } from "../../contacts/contact-store.ts";
import type { Context, Operation } from "../../context.ts";
import { type ConversationWithPeople, findConversationWithPeople } from "../../conversations/find-conversation.ts";
import { setConversationStatus } from "../../conversations/set-conversation-status.ts";
import type { AiSettingsRow, AiTurnRow, ConversationRow, MessageRow } from "../../storage/tables.ts";
import { aiResolves } from "../outcomes/keep-ai-episode.ts";
import { logRun } from "../runs/log-run.ts";
import { aiOfTeam } from "../settings/ai-settings-store.ts";
import { drop, whyDropped } from "./drop-turn.ts";
import { handOver } from "./hand-over.ts";
import { sayAsAi } from "./say-as-ai.ts";
import type { AiSource, EndedTurn, TurnEnd, TurnLog } from "./turn.ts";
import { deleteTurn, freeTurn, lastVisitorMessage, turnOf } from "./turn-store.ts";
import { addContactUsage, dayOf } from "./usage-store.ts";
import { visitorLanguage } from "./visitor-language.ts";

const MINUTE_MS = 60_000;

export interface TurnToEnd {
  conversationId: string;
  claim: string;
  /** The sort number of the visitor's last message that it knows of. */
  upto: number;
  /** The visitor has said that the answer before did not help. */
  isDenied: boolean;
  /** What the visitor has written came with files. */
  hasFiles: boolean;
  /** Undefined: it was ended before it came to one. */
  end: TurnEnd | undefined;
  log: TurnLog;
}

/**
 * The last commit of a turn, and the first one that anyone can see: what the AI says and does, all of it or nothing. Whether it
 * still may is decided here, by what is so at this moment: with one writer a team, no other voice comes between.
 *
 * ```
 * claim ours, AI on, open, AI speaks, not blocked, no newer message --> said | asked | handed over | resolved
 * off -------------------------------------------------------------> handed over
 * ended before its time --------------------------------------------> due again
 * else ------------------------------------------------------------> dropped; due again when there is a newer message
 * ```
 *
 * @throws Refusal `not-found` for a conversation that was erased meanwhile
 */
export const endTurn: Operation<TurnToEnd, EndedTurn> = {
  name: "end-ai-turn",
  mode: "write",
  async run(ctx, { conversationId, claim, upto, isDenied, hasFiles, end, log }) {
    const key = { team_id: ctx.teamId, conversation_id: conversationId };
    const [about, turn, row, last] = await Promise.all([
      findConversationWithPeople(ctx, conversationId),
      ctx.db.first(turnOf, key),
      ctx.db.first(aiOfTeam, { team_id: ctx.teamId }),
      ctx.db.first(lastVisitorMessage, key),
    ]);
    const dropped = whyDropped({ about, turn, claim, row, isNewer: last !== undefined && last.sort_number > upto });
    if (dropped || !row) {
      return drop(ctx, about, { turn, row, reason: dropped ?? "switched-off", log });
    }
    if (!end) return giveBack(ctx, about, { turn, row, log });
    const runId = ctx.newId();
    ctx.write(deleteTurn, key);
    const rule = end.does === "hand-over" ? end.rule : undefined;
    const { outcome, message, sources } = await act(ctx, about, { row, end, runId, log, isDenied, hasFiles });
    const ended = { outcome, reason: end.reason };
    logRun(ctx, about.conversation, { id: runId, ...ended, row, messageId: message?.id ?? null, sources, log, rule });
    return ended;
  },
};

/** Another claim runs it from its beginning. */
function giveBack(
  ctx: Context,
  { conversation }: ConversationWithPeople,
  { turn, row, log }: { turn: AiTurnRow | undefined; row: AiSettingsRow; log: TurnLog },
): EndedTurn {
  if (turn) {
    ctx.write(freeTurn, { team_id: ctx.teamId, conversation_id: conversation.id, attempts: turn.attempts });
    ctx.turnDue(turn.due_at);
  }
  const ended = { outcome: "dropped", reason: "lost-claim" } as const;
  logRun(ctx, conversation, { id: ctx.newId(), ...ended, row, messageId: null, sources: [], log });
  return ended;
}

interface Done {
  outcome: AiOutcome;
  message: MessageRow | undefined;
  sources: readonly AiSource[];
}

async function act(
  ctx: Context,
  about: ConversationWithPeople,
  turn: { row: AiSettingsRow; end: TurnEnd; runId: string; log: TurnLog; isDenied: boolean; hasFiles: boolean },
): Promise<Done> {
  const { row, end, runId, log, isDenied, hasFiles } = turn;
  const tokens = log.tokensIn + log.tokensOut;
  switch (end.does) {
    case "hand-over": {
      const requestedBy = { automation: { id: row.ai_id, name: row.name } };
      const message = await handOver(ctx, about, { row, reason: end.reason, runId, requestedBy, tokens });
      return { outcome: "handed-over", message, sources: [] };
    }
    case "say": {
      const message = await say(ctx, about, { row, end, runId, tokens, isDenied, hasFiles });
      return { outcome: end.act === "ask" ? "asked" : "answered", message, sources: end.sources };
    }
    case "resolve": {
      const text = end.text ?? helpedText(await languageOf(ctx, about));
      const said = { act: "chat", text, sources: [] } as const;
      const message = await say(ctx, about, { row, end: said, runId, tokens, hasFiles });
      await resolveAsAi(ctx, about.conversation, row, "confirmed");
      return { outcome: "resolved", message, sources: [] };
    }
    default:
      return end satisfies never;
  }
}

async function say(
  ctx: Context,
  about: ConversationWithPeople,
  {
    row,
    end,
    runId,
    tokens,
    isDenied = false,
    hasFiles,
  }: {
    row: AiSettingsRow;
    end: Pick<Extract<TurnEnd, { does: "say" }>, "act" | "text" | "sources" | "isUpset">;
    runId: string;
    tokens: number;
    isDenied?: boolean;
    hasFiles: boolean;
  },
): Promise<MessageRow> {
  const before = readAiState(about.conversation.ai_state);
  const after: AiState = {
    ...stateAfterSaying(before, end.act),
    ...{ tokens: before.tokens + tokens, isDenied: before.isDenied || isDenied },
    upsets: before.upsets + (end.isUpset ? 1 : 0),
  };
  const conversation = { ...about.conversation, ai_state: JSON.stringify(after) };
  // Whatever the model makes of a file's name, visitors are told that it has seen none of their files.
  const text = hasFiles ? `${end.text}\n\n${unreadFilesText(await languageOf(ctx, about))}` : end.text;
  const said = { row, kind: end.act, text, sources: end.sources, runId, state: before };
  const { message } = await sayAsAi(ctx, { ...about, conversation }, said);
  const usage = { team_id: ctx.teamId, contact_id: about.contact.id, day: dayOf(ctx.now), answers: 1 };
  ctx.write(addContactUsage, usage);
  const minutes = row.resolve_after_minutes;
  if (end.act === "answer" && end.sources.length > 0 && row.resolves === 1 && minutes !== null && !after.isDenied) {
    ctx.setTimer({
      ...{ kind: "resolve-ai-silence", subjectId: conversation.id, dueAt: ctx.now + minutes * MINUTE_MS },
      data: { after: message.sort_number },
    });
  }
  return message;
}

async function languageOf(ctx: Context, { contact, conversation }: ConversationWithPeople): Promise<string> {
  const row = await ctx.db.first(contactById, { team_id: ctx.teamId, id: contact.id });
  return visitorLanguage(ctx, conversation.id, row);
}

/** Resolves a conversation; it is the deed of the AI, whoever asked for it. */
export async function resolveAsAi(
  ctx: Context,
  conversation: Pick<ConversationRow, "id" | "episode">,
  { ai_id, name }: AiSettingsRow,
  outcome: "confirmed" | "assumed",
): Promise<void> {
  aiResolves(ctx, conversation, outcome);
  const conversationId = conversation.id;
  await setConversationStatus.run(ctx, { conversationId, status: "resolved", automation: { id: ai_id, name } });
}
