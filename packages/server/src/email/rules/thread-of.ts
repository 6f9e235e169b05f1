import { type Channel, channelTraits } from "@frontdesk/core/domain/channel";

/** A conversation that a mail leads to. */
export interface FoundThread {
  conversationId: string;
  channel: Channel;
  /**
   * The writer is its contact, or was in To or Cc of one of its mails. In a conversation of a browser, whose visitors only type
   * their addresses: the writer is the address that the mail with this token or id was sent to.
   */
  knowsSender: boolean;
  isResolved: boolean;
  /** It has been resolved for longer than the account lets an answer reopen it. */
  isPastReopening: boolean;
}

export interface ThreadFacts {
  byToken: FoundThread | undefined;
  /** By In-Reply-To, else by References from their end. */
  byId: FoundThread | undefined;
  /** The account's own server says that the mail is not from the domain of its From. */
  dmarcFailed: boolean;
  /** `Writer.isTrusted` */
  isTrusted: boolean;
  isAutomatic: boolean;
}

/**
 * - `join`: a message of that conversation
 * - `join-marked`: the same, marked "not part of this conversation so far"; its writer becomes no recipient by it
 * - `new`: a new conversation; `isMarked` where the sender may be forged
 * - `new-linked`: a new conversation, and a system line in both that leads to the other
 */
export type Thread =
  | { outcome: "join" | "join-marked"; conversationId: string; reopens: boolean }
  | { outcome: "new"; isMarked: boolean }
  | { outcome: "new-linked"; linkedTo: string };

/**
 * The conversation of a mail. A token comes before ids; a subject never counts. What was found is not enough: an id is in
 * every copy of a mail, and a token goes along with what is forwarded.
 *
 * | found by | sender known | in a chat | past reopening | result |
 * |---|---|---|---|---|
 * | any | any, DMARC fail or not trusted | any | any | new, marked |
 * | none | any | | | new |
 * | token or id | any | any | yes | new, linked |
 * | token or id | yes | any | no | joins |
 * | token | no | no | no | joins, marked |
 * | token | no | yes | no | new, linked |
 * | id | no | any | no | new, linked |
 */
export function threadOf({ byToken, byId, dmarcFailed, isTrusted, isAutomatic }: ThreadFacts): Thread {
  if (dmarcFailed || !isTrusted) return { outcome: "new", isMarked: true };
  const found = byToken ?? byId;
  if (found === undefined) return { outcome: "new", isMarked: false };
  const { conversationId, knowsSender, channel } = found;
  if (found.isPastReopening) return { outcome: "new-linked", linkedTo: conversationId };
  const reopens = found.isResolved && !isAutomatic;
  if (knowsSender) return { outcome: "join", conversationId, reopens };
  // What a visitor's browser shows must not come from a stranger who was forwarded a transcript.
  if (byToken === undefined || channelTraits[channel].inBrowser) {
    return { outcome: "new-linked", linkedTo: conversationId };
  }
  return { outcome: "join-marked", conversationId, reopens };
}
