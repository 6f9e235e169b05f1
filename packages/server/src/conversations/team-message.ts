import type { Channel } from "@frontdesk/core/domain/channel";
import type { MessageType } from "@frontdesk/core/domain/conversation";
import type { Context } from "../context.ts";
import { type MailMark, mailMarks } from "../email/in/mail-store.ts";
import { listParam } from "../storage/dialect.ts";
import { type ChatMessage, withWhatIsShown } from "./chat-message.ts";
import { mentionsIn } from "./mention-store.ts";
import type { WholeMessageRow } from "./message-store.ts";

/** A message with everything that the team sees of it. */
export interface TeamMessage extends ChatMessage<WholeMessageRow> {
  /** The ids of the agents whom it mentions. */
  mentions: string[];
  /** Of a mail that has an original, or will have one. */
  mail: MailMark | undefined;
}

/** Adds to messages what the team sees with them. */
export async function withWhatTheTeamSees(
  ctx: Pick<Context, "db" | "teamId">,
  messages: readonly WholeMessageRow[],
): Promise<TeamMessage[]> {
  const notes = messages.filter(({ type }) => type === ("note" satisfies MessageType));
  const noted = [...new Set(notes.map(({ conversation_id }) => conversation_id))];
  const mails = messages.filter(({ origin, content }) => origin === ("email" satisfies Channel) && content !== null);
  const [shown, named, marks] = await Promise.all([
    withWhatIsShown(ctx, messages),
    noted.length === 0 ? [] : ctx.db.all(mentionsIn, { team_id: ctx.teamId, conversation_ids: listParam(noted) }),
    mails.length === 0
      ? []
      : ctx.db.all(mailMarks, { team_id: ctx.teamId, message_ids: listParam(mails.map(({ id }) => id)) }),
  ]);
  const markOf = new Map(marks.map((mark) => [mark.message_id, mark]));
  const mentions = Map.groupBy(named, placeOf);
  return shown.map((each) => ({
    ...each,
    mentions: (mentions.get(placeOf(each.message)) ?? []).map(({ agent_id }) => agent_id),
    mail: markOf.get(each.message.id),
  }));
}

const placeOf = (at: { conversation_id: string; sort_number: number }) => `${at.conversation_id} ${at.sort_number}`;
