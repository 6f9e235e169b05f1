import { attachmentsOfMessages } from "../conversations/message-store.ts";
import { attemptResults, lostAttempts } from "../outbox/attempt-store.ts";
import { type ClaimedRow, type OfQueue, someItems } from "../outbox/outbox-store.ts";
import type { Database } from "../storage/database.ts";
import { listParam } from "../storage/dialect.ts";
import type { OutgoingMessage, PersonAddress } from "./channel-driver.ts";
import { identitiesInAccount, type ReplyRow, repliesToSend } from "./reply-store.ts";

/** A part that the provider has accepted. */
export interface SentPart {
  number: number;
  externalId: string;
}

/** A reply as it is sent. */
export interface Reply {
  row: ReplyRow;
  message: OutgoingMessage;
  /** Undefined when the contact has no identity in the account. */
  to: PersonAddress | undefined;
  /** The parts that earlier attempts have sent. */
  sent: readonly SentPart[];
  /** Whether an earlier attempt may have sent one more part. */
  wasLost: boolean;
}

/** By the number of their event. */
export type Replies = ReadonlyMap<number, Reply>;

/**
 * Reads the replies of claimed items, with their recipients and the parts already sent.
 *
 * @param kinds of identity; messages are addressed to the first
 */
export async function readReplies(
  db: Database,
  queue: OfQueue,
  items: readonly ClaimedRow[],
  kinds: readonly string[],
): Promise<Replies> {
  const { team_id, queue_id: account_id } = queue;
  const messageIds = new Map(items.map((item) => [item.event_number, messageIdOf(item)]));
  const message_ids = listParam([...messageIds.values()]);
  const [rows, attachments, results, lost] = await Promise.all([
    db.all(repliesToSend, { team_id, message_ids }),
    db.all(attachmentsOfMessages, { team_id, message_ids }),
    db.all(attemptResults, { ...queue, ...someItems([...messageIds.keys()]) }),
    db.all(lostAttempts, { ...queue, ...someItems([...messageIds.keys()]) }),
  ]);
  const contact_ids = listParam([...new Set(rows.flatMap(({ contact_id }) => contact_id ?? []))]);
  const identities = await db.all(identitiesInAccount, { team_id, account_id, contact_ids });

  const addressOf = (contactId: string | null): PersonAddress | undefined => {
    const known = identities.filter(({ contact_id }) => contact_id === contactId);
    for (const kind of kinds) {
      const found = known.find((identity) => identity.kind === kind);
      if (found) return { kind, value: found.value };
    }
    return undefined;
  };
  const replies = new Map<number, Reply>();
  for (const [number, messageId] of messageIds) {
    const row = rows.find(({ id }) => id === messageId);
    // Erased, or redacted.
    if (!row || row.content === null) continue;
    replies.set(number, {
      row,
      message: {
        content: row.content ?? "",
        attachments: attachments
          .filter(({ message_id }) => message_id === messageId)
          .map(({ url, name, mime, size }) => ({ url, name, mime, size })),
      },
      to: addressOf(row.contact_id),
      sent: results.flatMap(({ event_number, result }) => (event_number === number ? sentParts(result) : [])),
      wasLost: lost.some(({ event_number }) => event_number === number),
    });
  }
  return replies;
}

/** What is stored of an attempt, as JSON: the parts that it has sent, and what the driver notes besides. */
export interface AttemptNotes {
  sent: readonly SentPart[];
  details?: object | undefined;
}

export const notesOf = (result: string): AttemptNotes => JSON.parse(result);
export const sentParts = (result: string): readonly SentPart[] => notesOf(result).sent;

/** The message of an event `message.sent`. */
const messageIdOf = ({ data }: ClaimedRow): string => JSON.parse(data).message.id;
