import { type HandoffReason, stepInReason } from "@frontdesk/core/domain/ai/ai-episode";
import type { Speaker } from "@frontdesk/core/domain/ai/ai-settings";
import { type SpeakerChange, speakerAfter } from "@frontdesk/core/domain/ai/speaker";
import type { Context } from "../../context.ts";
import type { ConversationWithPeople } from "../../conversations/find-conversation.ts";
import type { ConversationRow } from "../../storage/tables.ts";
import { aiSteppedBack } from "../outcomes/keep-ai-episode.ts";
import { setSpeaker } from "./speaker-store.ts";

/** The column `speaker` after a change, for an operation that writes the conversation itself. */
export function speakerColumn({ speaker }: Pick<ConversationRow, "speaker">, change: SpeakerChange): string {
  return speakerAfter(speaker as Speaker, change);
}

/**
 * Records that another speaks now; the conversation is that of after the change. Nothing when it is who it was.
 *
 * @param why why the AI does not speak any more; undefined for a change that gives it the word
 */
export function recordSpeaker(
  ctx: Context,
  before: ConversationRow,
  about: ConversationWithPeople,
  why: HandoffReason | undefined,
): void {
  if (about.conversation.speaker === before.speaker) return;
  ctx.record({ name: "speaker.changed", ...about });
  if (why && before.speaker === ("ai" satisfies Speaker)) aiSteppedBack(ctx, before, why);
}

/** Writes and records who speaks after a change; for an operation that writes nothing else of the conversation. */
export function changeSpeaker(
  ctx: Context,
  about: ConversationWithPeople,
  change: SpeakerChange,
  why: HandoffReason | undefined = stepInReason(change),
): ConversationRow {
  const before = about.conversation;
  const conversation: ConversationRow = { ...before, speaker: speakerColumn(before, change) };
  if (conversation.speaker === before.speaker) return before;
  const { id, speaker, ai_state } = conversation;
  ctx.write(setSpeaker, { team_id: ctx.teamId, id, speaker, ai_state });
  recordSpeaker(ctx, before, { ...about, conversation }, why);
  return conversation;
}
