import type { ChannelToGrant } from "@frontdesk/core/domain/channel";
import type { AttemptProblem, ChannelReason } from "@frontdesk/core/domain/channel-reason";
import type { Database } from "../storage/database.ts";
import type { ChannelAccountRow } from "../storage/tables.ts";

/**
 * What a channel implements to send and to be set up: one driver a channel, none for the website, whose visitors have a live
 * stream. Incoming messages do not pass here: an import calls the operation `receive-message`.
 *
 * A reply gets its outbox row in the commit of its message, by the follower of the event `message.sent`, when the
 * conversation's account has a driver. `limits` and `split` are pure and called before that commit, so that what the channel
 * cannot take is refused before it is stored. The others use the network, and never run inside a transaction.
 */
export interface ChannelDriver {
  channel: ChannelToGrant;
  /** The kinds of identity that its contacts have; messages are addressed to the first. */
  identityKinds: readonly [string, ...string[]];
  /** Whether a part that may have arrived is sent once more, the same in every byte, so that a second copy is recognised. */
  isRepeatable?: boolean;
  /** Whether `send` itself knows what earlier attempts have sent, and is called again for the rest: a mail has several recipients. */
  sendsTheRest?: boolean;
  /** The limits of a message in this account. */
  limits(account: DrivenAccount): ChannelLimits;
  /** Splits a message into parts within the limits, in the order in which they are sent. */
  split(message: OutgoingMessage, limits: ChannelLimits): OutgoingPart[];
  /** Sends one part; never throws for a provider's answer. Ends soon after the signal is aborted. */
  send(account: DrivenAccount, part: PartToSend, to: PersonAddress, signal: AbortSignal): Promise<SendOutcome>;
  /**
   * Stores what an attempt has shown besides its outcome (`SendOutcome.details`), in the commit that ends it; left out when
   * there is nothing. The message may be erased by now, which must not be an error.
   */
  noteEnd?(db: Database, of: { team_id: string; message_id: string; now: number }, details: object): Promise<unknown>;
  /** The profile that the provider has of a person; undefined when it has none. */
  describe(account: DrivenAccount, person: PersonAddress, signal: AbortSignal): Promise<PersonDetails | undefined>;
  /** Checks whether the account is set up correctly. Changes nothing. */
  check(account: DrivenAccount, signal: AbortSignal): Promise<Finding[]>;
}

/** The drivers of a process, by channel. */
export type ChannelDrivers = ReadonlyMap<string, ChannelDriver>;

/** An account with its secrets opened, outside of any transaction. */
export interface DrivenAccount extends Pick<ChannelAccountRow, "team_id" | "id" | "provider_key"> {
  settings: Readonly<Record<string, unknown>>;
  secrets: Readonly<Record<string, string>>;
}

export interface ChannelLimits {
  text: { max: number; unit: "characters" | "bytes" };
  /** The media types accepted as attachments (`image/*` for all of a kind); the largest size in bytes. */
  media: Readonly<Record<string, { maxBytes: number }>>;
  /** How long after a person's last message a reply is accepted, in ms; null for always. */
  windowMs: number | null;
  can: Readonly<Record<"quote" | "react" | "edit" | "read" | "typing" | "templates", boolean>>;
}

export interface OutgoingMessage {
  /** Empty only when there are attachments. */
  content: string;
  attachments: readonly { url: string; name: string | null; mime: string | null; size: number | null }[];
}

/** What one call to the provider sends. */
export interface OutgoingPart extends OutgoingMessage {
  /** 1, 2, 3 … within its message. */
  number: number;
}

/** With the message that it is a part of. */
export interface PartToSend extends OutgoingPart {
  messageId: string;
}

/** The recipient: an identity in the account. */
export interface PersonAddress {
  kind: string;
  value: string;
}

export interface PersonDetails {
  name?: string;
  username?: string;
}

/**
 * The result of a part. `retry`: certainly not sent. `postponed`: not sent for a reason that is the account's: no attempt is used.
 * `unknown`: perhaps sent, and so never sent again automatically, but once by a repeatable driver. `after` is in ms. `details` is
 * small, and stored as JSON.
 */
export type SendOutcome = { details?: object | undefined } & (
  | { outcome: "accepted"; externalId: string }
  | { outcome: "refused"; reason: AttemptProblem }
  | { outcome: "retry"; reason: AttemptProblem; after?: number }
  | { outcome: "postponed"; reason: AttemptProblem; after: number }
  | { outcome: "unknown"; reason: AttemptProblem }
);

/** The details of what is postponed, where it is known for how long. */
export interface PostponedDetails {
  /** ms since the epoch */
  dueAt: number;
}

/** What was found, and what to do. */
export interface Finding {
  check: string;
  ok: boolean;
  reason: ChannelReason;
}
