import { longestWaitOf } from "@frontdesk/core/domain/retry-schedule";
import type { Runtime } from "../context.ts";
import type { OpenQueue, Receiver } from "../outbox/receiver.ts";
import { accountToSend } from "./channel-account-store.ts";
import type { ChannelDrivers } from "./channel-driver.ts";
import { type Replies, readReplies } from "./replies.ts";
import { MAIL_RESENT_AFTER_MS, MAIL_WAITS_MS, REPLY_TIMEOUT_MS, REPLY_WAITS_MS, waitsOf } from "./reply-waits.ts";
import { noteSent, sendReply } from "./send-reply.ts";

/**
 * Channel accounts as a receiver of the outbox: a queue is an account, an item a reply of the team. A reply whose attempt was
 * interrupted may have arrived, and is never sent again automatically, but where the driver is repeatable: it is `unknown`.
 */
export function createChannelReceiver({
  drivers,
  runtime,
}: {
  drivers: ChannelDrivers;
  runtime: Pick<Runtime, "now" | "steadyNow" | "vault">;
}): Receiver {
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
        noteEnd: (noteDb, { event_number }, result) =>
          noteSent(noteDb, { driver, account, reply: replies.get(event_number), runtime }, result),
      };
    },
    waits: REPLY_WAITS_MS,
    longestWaitMs: longestWaitOf([...REPLY_WAITS_MS, ...MAIL_WAITS_MS]),
    attemptTimeoutMs: REPLY_TIMEOUT_MS,
    slots: { first: 4, least: 1, most: 8 },
    claimsAhead: false,
    afterCrash: "unknown",
  };
}
