import { longestWaitOf } from "@frontdesk/core/domain/retry-schedule";
import type { Runtime } from "../context.ts";
import type { OpenQueue, Receiver, SendResult } from "../outbox/receiver.ts";
import { accountToSend } from "./channel-account-store.ts";
import type { ChannelDrivers } from "./channel-driver.ts";
import { beingSent, noteDeliveryChanges } from "./delivery-changes.ts";
import { type Replies, readReplies } from "./replies.ts";
import { MAIL_RESENT_AFTER_MS, MAIL_WAITS_MS, REPLY_TIMEOUT_MS, REPLY_WAITS_MS, waitsOf } from "./reply-waits.ts";
import { noteSent, sendReply } from "./send-reply.ts";

/**
 * Channel accounts as a receiver of the outbox: a queue is an account, an item a reply of the team. A reply whose attempt was
 * interrupted may have arrived, and is never sent again automatically, but where the driver is repeatable: it is `unknown`.
 *
 * @param parts.news the team's log has new events: how far messages have got
 */
export function createChannelReceiver({
  drivers,
  runtime,
  news = () => {},
}: {
  drivers: ChannelDrivers;
  runtime: Pick<Runtime, "now" | "steadyNow" | "newId" | "vault">;
  news?: (teamId: string) => void;
}): Receiver {
  /** Teams whose log may have new events when the transaction is committed. */
  const changed = new Set<string>();
  return {
    async open(db, { teamId, queueId }): Promise<OpenQueue | undefined> {
      const account = await db.first(accountToSend, { team_id: teamId, id: queueId });
      const driver = account && drivers.get(account.channel);
      if (!driver) return undefined;
      let replies: Replies = new Map();
      return {
        address: account.channel,
        waits: waitsOf(account.channel),
        resendLostAfterMs: driver.isRepeatable ? MAIL_RESENT_AFTER_MS : undefined,
        async load(loadDb, items) {
          replies = await readReplies(loadDb, { team_id: teamId, queue_id: queueId }, items, driver.identityKinds);
        },
        send: ({ event_number }, signal) =>
          sendReply({ driver, account, reply: replies.get(event_number), runtime }, signal),
        async noteEnd(noteDb, { event_number }, result) {
          const reply = replies.get(event_number);
          const changes = reply && isChange(result) ? [reply.row.id] : [];
          if (changes.length > 0) changed.add(teamId);
          await Promise.all([
            noteSent(noteDb, { driver, account, reply, runtime }, result),
            noteDeliveryChanges(noteDb, runtime, teamId, changes),
          ]);
        },
      };
    },
    async noteLost(db, { teamId, queueId }) {
      const lost = await beingSent(db, { team_id: teamId, queue_id: queueId });
      if (lost.length > 0) changed.add(teamId);
      await noteDeliveryChanges(db, runtime, teamId, lost);
    },
    onCommitted(teamId) {
      if (changed.delete(teamId)) news(teamId);
    },
    waits: REPLY_WAITS_MS,
    longestWaitMs: longestWaitOf([...REPLY_WAITS_MS, ...MAIL_WAITS_MS]),
    attemptTimeoutMs: REPLY_TIMEOUT_MS,
    slots: { first: 4, least: 1, most: 8 },
    claimsAhead: false,
    afterCrash: "unknown",
  };
}

/** An attempt that was broken off is due again, as before it. */
const isChange = ({ outcome }: SendResult): boolean => outcome !== "aborted";
