import type { MessageType } from "@frontdesk/core/domain/conversation";
import type { Context } from "../context.ts";
import { listParam } from "../storage/dialect.ts";
import { type ChatMessage, withWhatIsShown } from "./chat-message.ts";
import { mentionsIn } from "./mention-store.ts";
import type { WholeMessageRow } from "./message-store.ts";

/** A message with everything that the team sees of it. */
export interface TeamMessage extends ChatMessage<WholeMessageRow> {
  /** The ids of the agents whom it mentions. */
  mentions: string[];
}

/** Adds to messages what the team sees with them. */
export async function withWhatTheTeamSees(
  ctx: Pick<Context, "db" | "teamId">,
  messages: readonly WholeMessageRow[],
): Promise<TeamMessage[]> {
  const notes = messages.filter(({ type }) => type === ("note" satisfies MessageType));
  const noted = [...new Set(notes.map(({ conversation_id }) => conversation_id))];
  const [shown, named] = await Promise.all([
    withWhatIsShown(ctx, messages),
    noted.length === 0 ? [] : ctx.db.all(mentionsIn, { team_id: ctx.teamId, conversation_ids: listParam(noted) }),
  ]);
  const mentions = Map.groupBy(named, placeOf);
  return shown.map((each) => ({
    ...each,
    mentions: (mentions.get(placeOf(each.message)) ?? []).map(({ agent_id }) => agent_id),
  }));
}

const placeOf = (at: { conversation_id: string; sort_number: number }) => `${at.conversation_id} ${at.sort_number}`;
