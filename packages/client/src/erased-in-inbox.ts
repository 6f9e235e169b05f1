/**
 * What is gone from an inbox after a contact, a conversation, its texts or files were erased, or a message redacted. The ids are kept, so that
 * an answer on its way, which is older, does not bring it back.
 */
import type { LiveConversation, LiveLastMessage, LiveMessage } from "@frontdesk/core/contract/live";
import type { InboxState, ThreadState } from "./inbox-state.ts";

/** The data of `erasure.started`. */
export interface Erasing {
  readonly contactId: string;
  /** "all": the contact is erased with them. */
  readonly conversationIds: readonly string[] | "all";
}

type Gone = Pick<InboxState, "erased" | "textsErased" | "filesErased">;

const GONE: ThreadState = { messages: [], hasBefore: false, loaded: true, missingAfter: null, isUnknown: true };

/** The known ones of the conversations that an erasure takes. */
function erasedConversations(
  { conversations }: Pick<InboxState, "conversations">,
  { contactId, conversationIds }: Erasing,
): readonly string[] {
  if (conversationIds !== "all") return conversationIds;
  return [...conversations.values()].flatMap(({ confirmed }) =>
    confirmed.contact.id === contactId ? [confirmed.id] : [],
  );
}

export function withErased(state: InboxState, erasing: Erasing): InboxState {
  const isWhole = erasing.conversationIds === "all";
  const ids = new Set(erasedConversations(state, erasing));
  const erased = new Set([...state.erased, ...ids, ...(isWhole ? [erasing.contactId] : [])]);
  const stays = (id: string) => !ids.has(id);
  const left = <Value>(map: ReadonlyMap<string, Value>) => new Map([...map].filter(([id]) => stays(id)));
  const lists = [...state.lists].map(([key, list]) => [key, { ...list, ids: list.ids.filter(stays) }] as const);
  const details = [...left(state.details)].map(
    ([id, each]) =>
      [
        id,
        {
          ...each,
          earlier_conversations: each.earlier_conversations.filter((earlier) => stays(earlier.id)),
          same_address_conversations: each.same_address_conversations.filter((other) => stays(other.id)),
        },
      ] as const,
  );
  const contacts = new Map(state.presence.contacts);
  if (isWhole) contacts.delete(erasing.contactId);
  return {
    ...state,
    erased,
    conversations: left(state.conversations),
    lists: new Map(lists),
    threads: new Map([...state.threads].map(([id, thread]) => [id, stays(id) ? thread : GONE])),
    details: new Map(details),
    ownReads: left(state.ownReads),
    typing: left(state.typing),
    aiDrafts: left(state.aiDrafts),
    viewing: left(state.viewing),
    presence: { ...state.presence, contacts },
  };
}

/** A message that is not loaded stays so. */
export function withRedacted(state: InboxState, { id, conversation_id }: LiveMessage): InboxState {
  const erased = new Set(state.erased).add(id);
  const thread = state.threads.get(conversation_id);
  if (!thread) return { ...state, erased };
  const messages = withoutErasedText(thread.messages, { ...state, erased });
  return { ...state, erased, threads: new Map(state.threads).set(conversation_id, { ...thread, messages }) };
}

/** The data of `conversation.texts-erased`. */
export interface ErasedTexts {
  readonly conversation: { readonly id: string };
  /** The sort number of the last message whose text and files are gone. */
  readonly up_to: number;
}

export function withoutTexts(state: InboxState, { conversation: { id }, up_to }: ErasedTexts): InboxState {
  const textsErased = new Map(state.textsErased).set(id, Math.max(up_to, state.textsErased.get(id) ?? 0));
  const thread = state.threads.get(id);
  if (!thread) return { ...state, textsErased };
  const messages = withoutErasedText(thread.messages, { ...state, textsErased });
  return { ...state, textsErased, threads: new Map(state.threads).set(id, { ...thread, messages }) };
}

/** The data of `conversation.files-erased`. */
export interface ErasedFiles {
  readonly conversation: { readonly id: string };
  readonly message_ids: readonly string[];
}

export function withoutFiles(state: InboxState, { conversation: { id }, message_ids }: ErasedFiles): InboxState {
  const filesErased = new Set([...state.filesErased, ...message_ids]);
  const thread = state.threads.get(id);
  if (!thread) return { ...state, filesErased };
  const messages = withoutErasedText(thread.messages, { ...state, filesErased });
  return { ...state, filesErased, threads: new Map(state.threads).set(id, { ...thread, messages }) };
}

/** The conversation as the lists show it, after its texts were erased. */
export function withoutOwnTexts({ up_to }: ErasedTexts, conversation: LiveConversation): LiveConversation {
  const { rating } = conversation;
  return { ...withoutLastText(conversation, up_to), rating: rating && { ...rating, comment: null } };
}

function withoutLastText(conversation: LiveConversation, upTo: number): LiveConversation {
  const { last_message, open_question } = conversation;
  const goes = (message: LiveLastMessage | null) => message && message.sort_number <= upTo;
  if (!goes(last_message) && !goes(open_question)) return conversation;
  const left = (message: LiveLastMessage | null) =>
    message && goes(message) ? { ...message, content: "", is_redacted: true } : message;
  return { ...conversation, last_message: left(last_message), open_question: left(open_question) };
}

export function withoutErased(
  sent: readonly LiveConversation[],
  { erased, textsErased }: Pick<Gone, "erased" | "textsErased">,
) {
  if (erased.size === 0 && textsErased.size === 0) return sent;
  return sent
    .filter(({ id, contact }) => !erased.has(id) && !erased.has(contact.id))
    .map((conversation) => withoutLastText(conversation, textsErased.get(conversation.id) ?? 0));
}

export function withoutErasedText(messages: readonly LiveMessage[], { erased, textsErased, filesErased }: Gone) {
  if (erased.size === 0 && textsErased.size === 0 && filesErased.size === 0) return messages;
  return messages.map((message) => {
    const { mail: _, ...rest } = message;
    if (erased.has(message.id) || message.sort_number <= (textsErased.get(message.conversation_id) ?? 0))
      return { ...rest, content: "", attachments: [], is_redacted: true };
    return filesErased.has(message.id) ? { ...rest, attachments: [] } : message;
  });
}
