import {
  type MessageAttemptState,
  type MessageDeliveryState,
  worstState,
} from "@frontdesk/core/domain/message-delivery";
import type { Context } from "../context.ts";
import { recipientsOfMessages } from "../email/out/outgoing-mail-store.ts";
import { listParam } from "../storage/dialect.ts";
import type { MailRecipientRow } from "../storage/tables.ts";
import {
  type AttemptOfMessage,
  attemptsOfMessages,
  type ItemOfMessage,
  itemsOfMessages,
} from "./message-delivery-store.ts";

/** How far a message has got that is sent outside (additions, section 1). Times are ms since the epoch. */
export interface MessageDelivery {
  state: MessageDeliveryState;
  /** A sentence; null while nothing is wrong. */
  reason: string | null;
  /** Of the last change. */
  at: number;
  /** Oldest first. */
  attempts: { at: number; state: MessageAttemptState; reason: string | null }[];
  /** Of a mail; left out elsewhere. */
  recipients?: { address: string; state: MessageDeliveryState; reason: string | null }[];
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
  const each = recipients.map(({ address, state, reason }) => ({
    address,
    state: recipientState(state, whole),
    reason: state === "waiting" && whole === "failed" ? whyNotSent(reason, last) : reason,
  }));
  const state = worstState(each.map((one) => one.state)) ?? whole;
  const changed = [item?.ended_at, item?.created_at, last?.started_at, ...recipients.map((one) => one.changed_at)];
  return {
    state,
    reason:
      each.find((one) => one.state === state && one.reason !== null)?.reason ??
      (isWrong(state) ? reasonOf(last) : null),
    at: Math.max(...changed.map((time) => time ?? 0)),
    attempts: attempts.map(({ started_at, outcome, error }, index) => ({
      at: started_at,
      state: attemptState(outcome, index === attempts.length - 1, whole),
      reason: error === null ? null : (REASONS[error] ?? null),
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

/** The server's words say more than ours, but where a deleted channel has ended it. */
const whyNotSent = (words: string | null, last: AttemptOfMessage | undefined): string | null =>
  last?.error === "channel-deleted" ? reasonOf(last) : (words ?? reasonOf(last));

const isWrong = (state: MessageDeliveryState): boolean => state === "failed" || state === "unknown";

const reasonOf = (attempt: AttemptOfMessage | undefined): string | null =>
  attempt?.error == null ? null : (REASONS[attempt.error] ?? null);

/** The words that attempts are logged with (`SendOutcome.reason`), as sentences. */
const REASONS: Readonly<Record<string, string>> = {
  "no-message": "The message has been erased.",
  "no-identity": "The contact has no address in this channel.",
  "no-server": "The channel has no mail server to send through.",
  secrets: "The password of the channel can't be read with this server's key.",
  timeout: "Sending took too long.",
  stopped: "The server was stopping.",
  storage: "The server could not read its own storage.",
  internal: "Something went wrong on our side.",
  server: "The mail server could not be reached, or closed the connection.",
  later: "The mail server asked to try again later.",
  refused: "The mail server refused it.",
  quota: "The mail server says that the account has sent too much.",
  pace: "The account sends no more emails a minute.",
  "needs-sign-in": "The mail server refused the user name or the password.",
  failing: "The mail server can't be used.",
  lost: "The connection was lost after the message was handed over.",
  "channel-deleted": "The channel has been deleted.",
};
