/** What the live stream and the inbox say of messages that are mails, or are sent outside. Agents alone get it. */
import type { Static } from "typebox";
import { Type } from "typebox";
import { messageDeliveryStates } from "../domain/message-delivery.ts";
import { ErrorReason } from "./errors.ts";
import { choice, nullable, timestamp } from "./fields.ts";

const nullableString = nullable(Type.String());

/** A person of a mail. */
export const LiveMailPerson = Type.Object({ name: nullableString, address: Type.String() });
export type LiveMailPerson = Static<typeof LiveMailPerson>;

const mailPeople = Type.Array(LiveMailPerson);
/** The most people that are listed in each of To and Cc: a mail may have hundreds. */
export const MAIL_PEOPLE_MAX = 50;

/** Who a mail is from and to. */
export const LiveMailHead = Type.Object({
  /** Null when it names no sender. */
  from: nullable(LiveMailPerson),
  to: mailPeople,
  cc: mailPeople,
  /** How many more people there are in To and Cc. */
  more: Type.Integer({ minimum: 0 }),
});
export type LiveMailHead = Static<typeof LiveMailHead>;

/** The mail that a message is. */
export const LiveEmail = Type.Object({
  ...LiveMailHead.properties,
  /** Without `Re:` and the like. */
  subject: Type.String(),
  /** With its angle brackets. */
  message_id: nullableString,
  /** Whether it quotes, or passes on, what is folded. */
  has_quoted: Type.Optional(Type.Literal(true)),
});
export type LiveEmail = Static<typeof LiveEmail>;

/** A sentence, in English, and by name where it is the service's (`domain/channel-reason.ts`). */
const said = { reason: nullableString, named_reason: Type.Optional(ErrorReason) };

/** How far a message has got that is sent outside. */
export const LiveDelivery = Type.Object({
  /** Of several recipients, the worst of theirs. */
  state: choice(messageDeliveryStates),
  /** Whether it waits for another attempt, here or at another mail server. */
  is_delayed: Type.Boolean(),
  /** What is wrong, often in the words of a mail server. */
  ...said,
  /** Of the last change. */
  at: timestamp,
  /** When it is sent, where it waits for its turn: its account sends so many a minute and a day. */
  due_at: nullable(timestamp),
  /** Of a mail. */
  recipients: Type.Array(Type.Object({ address: Type.String(), state: choice(messageDeliveryStates), ...said })),
});
export type LiveDelivery = Static<typeof LiveDelivery>;
