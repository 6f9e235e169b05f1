import { type ChannelReason, channelReason } from "@frontdesk/core/domain/channel-reason";
import { recordDeliveryChanges } from "../../channels/delivery-changes.ts";
import { externalMessage } from "../../channels/external-message-store.ts";
import { storedReason } from "../../channels/stored-reason.ts";
import type { Context } from "../../context.ts";
import { conversationById } from "../../conversations/conversation-store.ts";
import { listParam } from "../../storage/dialect.ts";
import type { ConversationRow, MailRecipientRow, MailRow } from "../../storage/tables.ts";
import { conversationOfToken } from "../in/mail-store.ts";
import {
  failMailRecipient,
  insertSuppression,
  mailsOfPeople,
  noteMailDelayed,
  recipientsOfMessages,
  sentMailById,
} from "../out/outgoing-mail-store.ts";
import { foldAddress } from "../rules/mail-address.ts";
import { replyTokenHash, tokensOfIds } from "../rules/reply-token.ts";
import type { Report } from "./read-report.ts";

/** No more mails of a conversation are searched for the one that a report is about. */
const SEARCHED_MAX = 50;

/**
 * Notes what a report says of a mail that was sent from an account: whom it has not reached, whose address does not exist, and who
 * has marked it as spam.
 * Only what leads to our mail by an id or token counts, and only for its own recipients: anyone can write a report.
 *
 * @returns the conversation of the mail; undefined when the report is about none of ours
 */
export async function noteReport(
  ctx: Context,
  accountId: string,
  report: Report,
): Promise<ConversationRow | undefined> {
  const mail = (await mailById(ctx, accountId, report)) ?? (await mailByToken(ctx, report));
  const conversation =
    mail && (await ctx.db.first(conversationById, { team_id: ctx.teamId, id: mail.conversation_id }));
  if (!mail || conversation?.account_id !== accountId) return undefined;
  const recipients = await ctx.db.all(recipientsOfMessages, {
    team_id: ctx.teamId,
    message_ids: listParam([mail.message_id]),
  });
  if (report.complaint) noteComplaint(ctx, accountId, recipients, report.complaint);
  else {
    const noted = recipients.filter((recipient) => noteRecipient(ctx, accountId, recipient, report));
    if (noted.length > 0) await recordDeliveryChanges(ctx, [mail.message_id]);
  }
  return conversation;
}

/** Providers leave out who has complained: then it is clear only of a mail to one. It stays sent. */
function noteComplaint(ctx: Context, account_id: string, to: readonly MailRecipientRow[], named: readonly string[]) {
  const complained =
    named.length === 0 && to.length === 1
      ? to
      : to.filter(({ address }) => named.some((each) => foldAddress(each) === foldAddress(address)));
  for (const { address } of complained) suppress(ctx, account_id, address, channelReason("recipient.complained"));
}

type Found = Pick<MailRow, "message_id" | "conversation_id">;

async function mailById(ctx: Context, account_id: string, { originalIds }: Report): Promise<Found | undefined> {
  for (const header_id of originalIds) {
    const found = await ctx.db.first(sentMailById, { team_id: ctx.teamId, account_id, header_id });
    if (found) return found;
    const renamed = await ctx.db.first(externalMessage, {
      ...{ team_id: ctx.teamId, account_id, external_id: header_id, direction: "out" },
    });
    if (renamed) return { message_id: renamed.id, conversation_id: renamed.conversation_id };
  }
  return undefined;
}

/** Where a relay has replaced our id: a token is in the address that the report came to, or in the returned headers. */
async function mailByToken(ctx: Context, { envelopeTokens }: Report): Promise<Found | undefined> {
  for (const token of envelopeTokens) {
    const known = await ctx.db.first(conversationOfToken, { team_id: ctx.teamId, token_hash: replyTokenHash(token) });
    if (!known) continue;
    const { conversation_id } = known;
    const mails = await ctx.db.all(mailsOfPeople, { team_id: ctx.teamId, conversation_id, limit: SEARCHED_MAX });
    const mail = mails.find(({ header_id }) => header_id !== null && tokensOfIds([header_id]).includes(token));
    if (mail) return { message_id: mail.message_id, conversation_id };
  }
  return undefined;
}

/** Returns whether the report is about the recipient. */
function noteRecipient(
  ctx: Context,
  account_id: string,
  { message_id, address }: MailRecipientRow,
  { recipients }: Report,
): boolean {
  const said = recipients.find((each) => foldAddress(each.address) === foldAddress(address));
  if (!said) return false;
  const words = said.diagnostic || said.status;
  const reason = words ? channelReason("smtp.says", { words }) : null;
  const { sentence, named } = storedReason(reason);
  const noted = {
    team_id: ctx.teamId,
    message_id,
    address,
    reason: sentence,
    reason_named: named,
    changed_at: ctx.now,
  };
  if (said.action === "delayed") {
    ctx.write(noteMailDelayed, noted);
    return true;
  }
  ctx.write(failMailRecipient, noted);
  if (said.class === "permanent") suppress(ctx, account_id, address, reason);
  return true;
}

function suppress(ctx: Context, account_id: string, address: string, given: ChannelReason | null): void {
  const { sentence, named } = storedReason(given);
  ctx.write(insertSuppression, {
    ...{ team_id: ctx.teamId, account_id, address: foldAddress(address), created_at: ctx.now },
    ...{ reason: sentence ?? "", reason_named: named },
  });
}
