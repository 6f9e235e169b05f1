import { audit } from "../audit/audit.ts";
import type { Operation } from "../context.ts";
import { followMailbox } from "../email/imap/follow-mailbox.ts";
import {
  failWaitingMails,
  forgetUnimported,
  giveUpUnimported,
  writersOfUnimported,
} from "../email/in/mail-import-store.ts";
import { deleteGrant } from "../email/oauth/grant-store.ts";
import { failWaiting, logWaitingAsFailed, loseClaims } from "../outbox/outbox-store.ts";
import { dropExports } from "../privacy/drop-exports.ts";
import { deleteDoors, deleteFromDirectory, endChannelAccount } from "./channel-account-store.ts";
import { auditedChannel } from "./create-channel.ts";
import { recordDeliveryChanges, unsent } from "./delivery-changes.ts";
import { ACCOUNT_DELETED } from "./message-delivery.ts";
import { accountQueue } from "./queue-reply.ts";
import { findShownAccount } from "./shown-account.ts";

/**
 * Deletes an account; a repeat finds none. Nothing is received or sent from this commit on, and its address is free. Replies that
 * wait have failed, with the reason; whether one under way has arrived is unknown. Its conversations stay; mails that have become no
 * message go, but those of contacts on hold, whose import has failed then.
 *
 * @throws Refusal `not-found`
 */
export const deleteChannel: Operation<{ accountId: string }, void> = {
  name: "delete-channel",
  mode: "write",
  async run(ctx, { accountId }) {
    const { row } = await findShownAccount(ctx, accountId);
    const of = { team_id: ctx.teamId, account_id: row.id };
    ctx.write(endChannelAccount, { team_id: ctx.teamId, id: row.id, deleted_at: ctx.now });
    ctx.write(deleteFromDirectory, of);
    ctx.write(deleteDoors, of);
    ctx.write(deleteGrant, { team_id: ctx.teamId, id: row.id });
    followMailbox(ctx, row);
    const writers = await ctx.db.all(writersOfUnimported, { ...of, now: ctx.now });
    dropExports(
      ctx,
      writers.map(({ contact_id }) => contact_id),
    );
    ctx.write(giveUpUnimported, { ...of, now: ctx.now });
    ctx.write(forgetUnimported, { ...of, now: ctx.now });
    ctx.write(failWaitingMails, of);
    const queue = accountQueue(row.id);
    const items = { team_id: ctx.teamId, queue_id: queue.queueId };
    const attempt = {
      id: `del_${ctx.newId().replaceAll("-", "")}`,
      address: row.channel,
      at: ctx.now,
      error: ACCOUNT_DELETED,
    };
    await recordDeliveryChanges(ctx, await unsent(ctx.db, items));
    ctx.write(logWaitingAsFailed, { ...items, ...attempt });
    ctx.write(failWaiting, { ...items, ended_at: ctx.now });
    ctx.write(loseClaims, { ...items, ended_at: ctx.now });
    ctx.haltQueue(queue);
    audit(ctx, { channel: auditedChannel(row) });
    ctx.record({ name: "channel.deleted", account: row });
  },
};
