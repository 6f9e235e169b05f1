import { channelTraits, WIDGET_CHANNEL } from "@frontdesk/core/domain/channel";
import type { MessageType } from "@frontdesk/core/domain/conversation";
import { deliveriesOf, type MessageDelivery } from "../channels/message-delivery.ts";
import type { Context } from "../context.ts";
import { mailsOfMessages } from "../email/in/mail-store.ts";
import { listParam } from "../storage/dialect.ts";
import type { MailRow } from "../storage/tables.ts";
import { type ChatMessage, withWhatIsShown } from "./chat-message.ts";
import { mentionsIn } from "./mention-store.ts";
import type { WholeMessageRow } from "./message-store.ts";

/** A message with everything that the team sees of it. */
export interface TeamMessage extends ChatMessage<WholeMessageRow> {
  /** The ids of the agents whom it mentions. */
  mentions: string[];
  /** Undefined where nothing is sent outside. */
  delivery: MessageDelivery | undefined;
  /** Undefined for what is no mail. */
  mail: MailRow | undefined;
}

type Reads = Pick<Context, "db" | "teamId">;

/** Adds to messages what the team sees with them. */
export async function withWhatTheTeamSees(ctx: Reads, messages: readonly WholeMessageRow[]): Promise<TeamMessage[]> {
  const notes = messages.filter(({ type }) => type === ("note" satisfies MessageType));
  const noted = [...new Set(notes.map(({ conversation_id }) => conversation_id))];
  const [shown, named, outside] = await Promise.all([
    withWhatIsShown(ctx, messages),
    noted.length === 0 ? [] : ctx.db.all(mentionsIn, { team_id: ctx.teamId, conversation_ids: listParam(noted) }),
    outsideOf(ctx, messages),
  ]);
  const mentions = Map.groupBy(named, placeOf);
  return shown.map((each) => ({
    ...each,
    mentions: (mentions.get(placeOf(each.message)) ?? []).map(({ agent_id }) => agent_id),
    delivery: outside?.deliveries.get(each.message.id),
    mail: outside?.mails.get(each.message.id),
  }));
}

/** What messages are besides their text that came or go by other channels than the website; of its own nothing is read. */
async function outsideOf(ctx: Reads, messages: readonly WholeMessageRow[]) {
  const ids = messages.flatMap(({ id, origin }) => (origin === channelTraits[WIDGET_CHANNEL].origin ? [] : [id]));
  if (ids.length === 0) return undefined;
  const [deliveries, mails] = await Promise.all([
    deliveriesOf(ctx, ids),
    ctx.db.all(mailsOfMessages, { team_id: ctx.teamId, message_ids: listParam(ids) }),
  ]);
  return { deliveries, mails: new Map(mails.map((mail) => [mail.message_id, mail])) };
}

const placeOf = (at: { conversation_id: string; sort_number: number }) => `${at.conversation_id} ${at.sort_number}`;
