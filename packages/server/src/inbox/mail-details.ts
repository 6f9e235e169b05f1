import type { Channel } from "@frontdesk/core/domain/channel";
import type { NamedReason } from "@frontdesk/core/domain/reasons";
import { Refusal } from "@frontdesk/core/domain/refusal";
import { channelAccountById } from "../channels/channel-account-store.ts";
import type { Context } from "../context.ts";
import { readEmailSettings } from "../email/email-settings.ts";
import { type AnsweredMailRow, mailsOfPeople } from "../email/out/outgoing-mail-store.ts";
import { recipientsOfReply } from "../email/out/reply-by-mail.ts";
import type { ReplyRecipients } from "../email/rules/reply-recipients.ts";
import type { ConversationRow } from "../storage/tables.ts";

/** What agents see of a mail conversation besides its messages. */
export interface MailDetails {
  account: { id: string; name: string | null; address: string };
  /** The newest mail that a person or the team wrote. */
  last: AnsweredMailRow | undefined;
  /** Whom a reply goes to now, or why none can be sent. */
  reply: ReplyRecipients | NamedReason;
  holdSeconds: number;
}

/** Undefined for a conversation of another channel. */
export async function mailDetails(ctx: Context, conversation: ConversationRow): Promise<MailDetails | undefined> {
  const { id, account_id, channel } = conversation;
  if (channel !== ("email" satisfies Channel)) return undefined;
  const [account, [last], reply] = await Promise.all([
    ctx.db.first(channelAccountById, { team_id: ctx.teamId, id: account_id }),
    ctx.db.all(mailsOfPeople, { team_id: ctx.teamId, conversation_id: id, limit: 1 }),
    recipientsOfReply(ctx, conversation).then(({ recipients }) => recipients, reasonOf),
  ]);
  if (!account) throw new Error(`The conversation ${id} has no channel account.`);
  const { address, holdSeconds } = readEmailSettings(JSON.parse(account.settings));
  return { account: { id: account.id, name: account.name, address }, last, reply, holdSeconds };
}

/** A refusal is an answer here; an internal error fails the request. */
function reasonOf(error: unknown): NamedReason {
  if (!(error instanceof Refusal)) throw error;
  return Object.values(error.fields ?? {}).flat()[0] ?? error.detail;
}
