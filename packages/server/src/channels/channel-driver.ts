import type { ChannelToGrant } from "@frontdesk/core/domain/channel";
import type { ChannelAccountRow } from "../storage/tables.ts";

/**
 * What a channel brings to send and to be set up: one driver a channel, none for the website, whose visitors have a live
 * stream. What comes in does not pass here: an import calls the operation `receive-message`.
 *
 * A reply gets its outbox row in the commit of its message, by what follows the event `message.sent`: where the
 * conversation's account has a driver. `limits` and `split` are pure and asked before that commit, so that what the channel
 * cannot take is refused before it is stored. The others reach the network, and never run inside a transaction.
 */
export interface ChannelDriver {
  channel: ChannelToGrant;
  /** The kinds of identity its people have, the one that messages are addressed to first. */
  identityKinds: readonly [string, ...string[]];
  /** What a message in this account may hold. */
  limits(account: DrivenAccount): ChannelLimits;
  /** A message in parts that keep the limits, in the order in which they are sent. */
  split(message: OutgoingMessage, limits: ChannelLimits): OutgoingPart[];
  /** Sends one part; never throws for what the provider answers. Ends soon after the signal does. */
  send(account: DrivenAccount, part: OutgoingPart, to: PersonAddress, signal: AbortSignal): Promise<SendOutcome>;
  /** What the provider tells of a person; undefined where it tells nothing. */
  describe(account: DrivenAccount, person: PersonAddress, signal: AbortSignal): Promise<PersonDetails | undefined>;
  /** Looks whether the account is set up as it should be. Nothing is changed. */
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
  /** What is taken as an attachment, by its media type (`image/*` for all of a kind); the largest in bytes. */
  media: Readonly<Record<string, { maxBytes: number }>>;
  /** How long after a person's last message an answer is taken, in ms; null for always. */
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

/** Whom a part is sent to: an identity in the account. */
export interface PersonAddress {
  kind: string;
  value: string;
}

export interface PersonDetails {
  name?: string;
  username?: string;
}

/**
 * What became of a part. `retry`: not sent for certain. `unknown`: perhaps sent, and so never sent again by itself.
 * `after` is in ms.
 */
export type SendOutcome =
  | { outcome: "accepted"; externalId: string }
  | { outcome: "refused"; reason: string }
  | { outcome: "retry"; reason: string; after?: number }
  | { outcome: "unknown"; reason: string };

/** One sentence, and what to do. */
export interface Finding {
  check: string;
  ok: boolean;
  message: string;
}
