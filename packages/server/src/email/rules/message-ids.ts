import { canonicalId } from "@frontdesk/core/domain/id";

/** Message ids, with their angle brackets, out of and into the headers In-Reply-To and References. */

/** A longer id is passed over: a line of a mail has at most 998 characters (RFC 5322 2.1.1). */
const ID_MAX = 996;
/** Of a header's ids, the first and the last ones are read. */
export const IDS_MAX = 100;
/** No more ids of a mail are looked up. */
const ANSWERS_MAX = 20;
/** No more of a header is looked at. */
const HEADER_MAX = 100_000;
/** How many ids of the chain a reply carries after its first: a header that grows with each reply is refused in the end. */
const LAST_REFERENCES = 19;

/** The ids of a header, in their order, each once. Comments and phrases around them are passed over. */
export function readMessageIds(header: string): string[] {
  const ids = new Set<string>();
  // No bracket within: where one is missing, the next id is still found.
  for (const [, id] of header.slice(-HEADER_MAX).matchAll(/<([^<>\s\p{Cc}]+)>/gu)) {
    if (id !== undefined && id.length <= ID_MAX) ids.add(`<${id}>`);
  }
  return firstAndLast([...ids], IDS_MAX - 1);
}

/** The only id of Message-ID; undefined when missing or malformed. */
export function readMessageId(header: string): string | undefined {
  const ids = readMessageIds(header);
  return ids.length === 1 ? ids[0] : undefined;
}

/** An id that all our mails of a conversation refer to: where a relay replaces our ids, mail programs keep them together by it. */
export const conversationMessageId = (conversationId: string, domain: string): string =>
  `<conversation.${conversationId}@${domain}>`;

/** The conversation of such an id, whatever its domain: the address of the account may have changed. */
export const conversationOfMessageId = (id: string): string | undefined =>
  canonicalId(/^<conversation\.([0-9a-f-]{36})@/i.exec(id)?.[1] ?? "");

/**
 * The ids to look up for what a mail answers: In-Reply-To, then References from their end. Of very many, also the first one: of answers to
 * our mails it is the conversation's.
 */
export function answeredIds({
  inReplyTo,
  references,
}: {
  inReplyTo: readonly string[];
  references: readonly string[];
}): string[] {
  const ids = [...new Set([...inReplyTo, ...references.toReversed()])];
  return ids.length <= ANSWERS_MAX ? ids : [...ids.slice(0, ANSWERS_MAX - 1), ...ids.slice(-1)];
}

/**
 * References of a reply: an id that is the same in all mails of the conversation, which a relay that replaces Message-ID leaves
 * alone; then the chain of the mail that is answered, its first id and its last 19.
 */
export function referencesOfReply(
  answered: { references: readonly string[]; messageId: string | null },
  conversationId: string,
): string[] {
  const chain = [...answered.references, ...(answered.messageId === null ? [] : [answered.messageId])];
  // The last place of an id is the one that says what came after it.
  const distinct = [...new Set(chain.reverse())].reverse().filter((id) => id !== conversationId);
  return [conversationId, ...firstAndLast(distinct, LAST_REFERENCES)];
}

function firstAndLast(ids: readonly string[], last: number): string[] {
  return ids.length <= last + 1 ? [...ids] : [...ids.slice(0, 1), ...ids.slice(-last)];
}
