import { type AttemptProblem, attemptReason } from "@frontdesk/core/domain/channel-reason";
import {
  type MessageAttemptState,
  type MessageDeliveryState,
  worstState,
} from "@frontdesk/core/domain/message-delivery";
import type { Context } from "../context.ts";
import { recipientsOfMessages } from "../email/out/outgoing-mail-store.ts";
import type { ItemState } from "../outbox/outbox-item.ts";
import { listParam } from "../storage/dialect.ts";
import type { MailRecipientRow } from "../storage/tables.ts";
import type { PostponedDetails } from "./channel-driver.ts";
import {
  type AttemptOfMessage,
  attemptsOfMessages,
  type ItemOfMessage,
  itemsOfMessages,
} from "./message-delivery-store.ts";
import { notesOf } from "./replies.ts";
import { NO_REASON, type SaidReason, said, saidReason } from "./stored-reason.ts";

/** Why a reply has failed that was queued when its account was deleted, in the log of attempts. */
export const ACCOUNT_DELETED: AttemptProblem = "channel-deleted";

/** How far a message has got that is sent outside (additions, section 1). Times are ms since the epoch. */
export interface MessageDelivery extends SaidReason {
  state: MessageDeliveryState;
  /** Of the last change. */
  at: number;
  /** Oldest first. */
  attempts: ({ at: number; state: MessageAttemptState } & SaidReason)[];
  /** When it is sent, where it waits for its turn; null where that is not known. */
  dueAt: number | null;
  /** Of a mail; left out elsewhere. */
  recipients?: ({ address: string; state: MessageDeliveryState } & SaidReason)[];
}

/** The deliveries of some messages by their ids; messages that aren't sent outside have none. */
export async function deliveriesOf(
  ctx: Pick<Context, "db" | "teamId">,
  messageIds: readonly string[],
): Promise<Map<string, MessageDelivery>> {
  if (messageIds.length === 0) return new Map();
  const some = { team_id: ctx.teamId, message_ids: listParam(messageIds) };
  const [items, attempts, recipients] = await Promise.all([
    ctx.db.all(itemsOfMessages, some),
    ctx.db.all(attemptsOfMessages, some),
    ctx.db.all(recipientsOfMessages, some),
  ]);
  const itemOf = new Map(items.map((item) => [item.message_id, item]));
  const attemptsOf = Map.groupBy(attempts, ({ message_id }) => message_id);
  const recipientsOf = Map.groupBy(recipients, ({ message_id }) => message_id);
  return new Map(
    [...new Set([...itemOf.keys(), ...recipientsOf.keys()])].map((id) => [
      id,
      deliveryOf(itemOf.get(id), attemptsOf.get(id) ?? [], recipientsOf.get(id) ?? []),
    ]),
  );
}

function deliveryOf(
  item: ItemOfMessage | undefined,
  attempts: readonly AttemptOfMessage[],
  recipients: readonly MailRecipientRow[],
): MessageDelivery {
  // Of a mail the recipients' own states say more than the item, which the clean-up removes after some time. Whom a mail had not
  // reached by then, it never reached.
  const isUnsent = recipients.some(({ state }) => state === "waiting");
  const whole = item ? (ITEM_STATES[item.state] ?? "queued") : isUnsent ? "failed" : "sent";
  const last = attempts.at(-1);
  const each = recipients.map(({ address, state, reason, reason_named }) => {
    const words = saidReason(reason, reason_named);
    return {
      ...{ address, state: recipientState(state, whole) },
      ...(state === "waiting" && whole === "failed" ? whyNotSent(words, last) : words),
    };
  });
  const state = worstState(each.map((one) => one.state)) ?? whole;
  const changed = [item?.ended_at, item?.created_at, last?.started_at, ...recipients.map((one) => one.changed_at)];
  return {
    state,
    ...reasonOfWhole(state, each, last),
    at: Math.max(...changed.map((time) => time ?? 0)),
    dueAt: item?.state === ("waiting" satisfies ItemState) ? dueAtOf(last) : null,
    attempts: attempts.map((attempt, index) => ({
      at: attempt.started_at,
      state: attemptState(attempt.outcome, index === attempts.length - 1, whole),
      ...reasonOf(attempt),
    })),
    ...(recipients.length > 0 && { recipients: each }),
  };
}

const ITEM_STATES: Readonly<Record<string, MessageDeliveryState>> = {
  waiting: "queued",
  sending: "sending",
  delivered: "sent",
  failed: "failed",
  stopped: "failed",
  unknown: "unknown",
};

/** One that still waits is as far as the whole message; a message that is through has no one left who waits. */
function recipientState(state: string, whole: MessageDeliveryState): MessageDeliveryState {
  return state === "waiting" ? whole : (state as MessageDeliveryState);
}

function attemptState(outcome: string | null, isLast: boolean, whole: MessageDeliveryState): MessageAttemptState {
  if (outcome === null) return isLast && whole === "sending" ? "sending" : "unknown";
  if (outcome === "delivered") return "sent";
  if (outcome === "unknown") return "unknown";
  return isLast && whole === "failed" ? "failed" : "delayed";
}

function dueAtOf(attempt: AttemptOfMessage | undefined): number | null {
  if (!attempt?.result) return null;
  return (notesOf(attempt.result).details as Partial<PostponedDetails> | undefined)?.dueAt ?? null;
}

/** That of the first recipient who is as badly off; else that of the last attempt. */
function reasonOfWhole(
  state: MessageDeliveryState,
  recipients: readonly ({ state: MessageDeliveryState } & SaidReason)[],
  last: AttemptOfMessage | undefined,
): SaidReason {
  const first = recipients.find((one) => one.state === state && one.reason !== null);
  if (first) return { reason: first.reason, named: first.named };
  return isWrong(state) ? reasonOf(last) : NO_REASON;
}

/** The server's words say more than ours, but where a deleted channel has ended it. */
const whyNotSent = (words: SaidReason, last: AttemptOfMessage | undefined): SaidReason =>
  words.reason === null || last?.error === ACCOUNT_DELETED ? reasonOf(last) : words;

const isWrong = (state: MessageDeliveryState): boolean => state === "failed" || state === "unknown";

function reasonOf(attempt: AttemptOfMessage | undefined): SaidReason {
  const reason = attempt?.error == null ? undefined : attemptReason(attempt.error);
  return reason ? said(reason) : NO_REASON;
}
