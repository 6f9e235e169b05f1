import type { AiRunReason } from "@frontdesk/core/domain/ai/ai-settings";
import { type AiState, readAiState } from "@frontdesk/core/domain/ai/ai-state";
import { SUMMARY_MESSAGES_MIN } from "@frontdesk/core/domain/ai/handoff-summary";
import { type HandoffSituation, handoffText } from "@frontdesk/core/domain/ai/handoff-texts";
import { changesAfter } from "@frontdesk/core/domain/business-hours";
import { readWidgetSettings } from "@frontdesk/core/domain/widget-settings";
import { agentsOnline } from "../../agents/agent-store.ts";
import { contactById } from "../../contacts/contact-store.ts";
import type { Context } from "../../context.ts";
import { waitingAfterHandoff } from "../../conversations/episodes.ts";
import type { ConversationWithPeople } from "../../conversations/find-conversation.ts";
import type { FactsOf } from "../../events/event.ts";
import type { AiSettingsRow, ConversationRow, MessageRow } from "../../storage/tables.ts";
import { widgetById } from "../../widgets/widget-store.ts";
import { openNow } from "../speaker/ai-takes.ts";
import { recordSpeaker, speakerColumn } from "../speaker/change-speaker.ts";
import { sayAsAi } from "./say-as-ai.ts";
import { visitorLanguage } from "./visitor-language.ts";

/**
 * A person takes over from the AI: it says what comes next, and asks for one, in the same commit. There is no handoff without
 * words, and no words of one without it.
 */
export async function handOver(
  ctx: Context,
  about: ConversationWithPeople,
  {
    row,
    reason,
    runId,
    requestedBy,
    tokens = 0,
  }: {
    row: AiSettingsRow;
    reason: AiRunReason;
    runId: string;
    requestedBy: FactsOf<"handoff.requested">["requestedBy"];
    /** Of the calls of this turn. */
    tokens?: number;
  },
): Promise<MessageRow> {
  const before = about.conversation;
  const state = readAiState(before.ai_state);
  const { text, asksForEmail } = await wordsFor(ctx, before, state);
  const words = before.last_sort_number + 1;
  const isSummedUp = words - (state.from ?? 1) >= SUMMARY_MESSAGES_MIN;
  const after: AiState = {
    ...state,
    ...{ lastKind: "handoff", tokens: state.tokens + tokens },
    hasAskedForEmail: state.hasAskedForEmail || asksForEmail,
    summaryDue: isSummedUp ? words : null,
  };
  const conversation: ConversationRow = {
    ...before,
    handoff_requested_at: before.handoff_requested_at ?? ctx.now,
    waiting_since: waitingAfterHandoff(before, ctx.now),
    speaker: speakerColumn(before, { name: "handed-over" }),
    ai_state: JSON.stringify(after),
  };
  const written = await sayAsAi(
    ctx,
    { ...about, conversation },
    { row, kind: "handoff", text, sources: [], runId, state },
  );
  const handedOver = { ...about, conversation: written.conversation };
  if (before.handoff_requested_at === null)
    ctx.record({ name: "handoff.requested", ...handedOver, reason, requestedBy });
  recordSpeaker(ctx, before, handedOver, reason);
  if (isSummedUp) ctx.enqueue({ kind: "summarise-handoff", payload: { conversationId: before.id, words } });
  return written.message;
}

async function wordsFor(
  ctx: Context,
  { id, contact_id, widget_id }: ConversationRow,
  { hasAskedForEmail }: AiState,
): Promise<{ text: string; asksForEmail: boolean }> {
  const [contact, widget, [online]] = await Promise.all([
    ctx.db.first(contactById, { team_id: ctx.teamId, id: contact_id }),
    ctx.db.first(widgetById, { team_id: ctx.teamId, id: widget_id }),
    ctx.db.all(agentsOnline, { team_id: ctx.teamId, limit: 1 }),
  ]);
  const isOpen = widget ? openNow(widget, ctx.now) : null;
  const situation: HandoffSituation = isOpen === false ? "closed" : online ? "online" : "nobody-online";
  const hours = widget && readWidgetSettings(widget.settings).hours;
  const [opensAt] = hours && situation === "closed" ? changesAfter(hours, ctx.now, 1) : [];
  const timezone = contact?.timezone ?? hours?.timezone ?? "UTC";
  // Without mail no answer would reach an address.
  const asksForEmail = ctx.sendsMail && situation !== "online" && contact?.email == null && !hasAskedForEmail;
  const text = handoffText({
    ...{ language: await visitorLanguage(ctx, id, contact), situation, asksForEmail },
    opening: opensAt === undefined ? null : { at: opensAt, now: ctx.now, timezone },
  });
  return { text, asksForEmail };
}
