/** From one state of the inbox to the next, by the frames of the stream. */
import type {
  AgentEventFrame,
  DraftFrame,
  LiveConversation,
  LiveTag,
  OwnReadFrame,
  PresenceFrame,
  TypingNowFrame,
  ViewingNowFrame,
} from "@frontdesk/core/contract/live";
import { withAiDraft, withStandingDraft } from "./ai-drafts-in-inbox.ts";
import { withDelivery } from "./delivery-in-inbox.ts";
import {
  type ErasedFiles,
  type ErasedTexts,
  type Erasing,
  withErased,
  withoutFiles,
  withoutOwnTexts,
  withoutTexts,
  withRedacted,
} from "./erased-in-inbox.ts";
import {
  type Face,
  type InboxState,
  type Presence,
  type Typist,
  withChangedConversations,
  withConversations,
  withMessage,
  withOwnReads,
  withTimelineEntry,
} from "./inbox-state.ts";

/** What holds at this moment; never replayed. */
export type TeamPresenceUpdate = TypingNowFrame | DraftFrame | ViewingNowFrame | OwnReadFrame | PresenceFrame;

/**
 * The state after an event. Idempotent. Null when the event carries too little: then everything has to be fetched again.
 */
export function applyTeamEvent(state: InboxState, event: AgentEventFrame): InboxState | null {
  const { number, name, conversation, message, timeline_entry: entry, data } = event;
  // An agent's name is copied into conversations and messages; merged tags are on conversations that are not loaded.
  if (RENAMING.has(name) || (name === "tag.deleted" && data?.merged_into)) return null;
  const erasing = erasingIn(event);
  if (erasing) return withErased(state, erasing);
  if (name === "conversation.texts-erased") return textsErased(state, number, data as unknown as ErasedTexts);
  if (name === "conversation.files-erased") return withoutFiles(state, data as unknown as ErasedFiles);
  let next = conversation ? withConversations(state, [conversation], number) : state;
  if (message && name === "message.redacted") next = withRedacted(next, message);
  else if (message && name === "message.delivery-changed") next = withDelivery(next, message, number);
  else if (message)
    next = withoutTypist(
      withMessage(next, message),
      message.conversation_id,
      message.from === "visitor" ? null : message.agent,
    );
  if (entry) next = withTimelineEntry(next, entry);
  if (conversation) next = withStandingDraft(next, conversation.id);
  const contact = data?.visitor as ToldContact | undefined;
  if (contact) {
    const isVerified = Object.hasOwn(data?.current_values ?? {}, "verified_id");
    return withChangedConversations(next, number, contactChange(name, contact, isVerified));
  }
  return TAG_EVENTS.has(name) ? withChangedConversations(next, number, tagChange(name, data?.tag as LiveTag)) : next;
}

/** What an event says is erased; undefined for all others. */
function erasingIn({ name, data }: Pick<AgentEventFrame, "name" | "data">): Erasing | undefined {
  if (name !== "erasure.started") return undefined;
  const { visitor, conversation_ids } = data as {
    visitor: { id: string };
    conversation_ids: readonly string[] | "all";
  };
  return { contactId: visitor.id, conversationIds: conversation_ids };
}

function textsErased(state: InboxState, number: number, texts: ErasedTexts): InboxState {
  return withChangedConversations(withoutTexts(state, texts), number, (conversation) =>
    conversation.id === texts.conversation.id ? withoutOwnTexts(texts, conversation) : null,
  );
}

const RENAMING: ReadonlySet<string> = new Set(["agent.updated", "agent.joined"]);

const TAG_EVENTS: ReadonlySet<string> = new Set(["tag.updated", "tag.deleted"]);

/** A contact as in events: without a name, the member is missing. */
interface ToldContact {
  id: string;
  name?: string;
  email: string | null;
}

/** How an event about a contact changes the contact's conversations. */
function contactChange(name: string, { id, name: called = "", email }: ToldContact, isVerified: boolean) {
  return (conversation: LiveConversation): LiveConversation | null => {
    if (conversation.contact.id !== id) return null;
    if (name === "contact.updated") {
      const contact = { id, name: called || null, email };
      // A verified contact stays one.
      return { ...conversation, contact, is_verified: conversation.is_verified || isVerified };
    }
    if (name === "contact.blocked") return { ...conversation, is_blocked: true };
    return name === "contact.unblocked" ? { ...conversation, is_blocked: false } : null;
  };
}

/** How an event about a tag changes the conversations with that tag. */
function tagChange(name: string, { id, name: called, color }: LiveTag) {
  return (conversation: LiveConversation): LiveConversation | null => {
    if (!conversation.tags.some((tag) => tag.id === id)) return null;
    const others = conversation.tags.filter((tag) => tag.id !== id);
    const changed = conversation.tags.map((tag) => (tag.id === id ? { id, name: called, color } : tag));
    return { ...conversation, tags: name === "tag.deleted" ? others : changed };
  };
}

export function applyTeamPresence(state: InboxState, frame: TeamPresenceUpdate): InboxState {
  switch (frame.type) {
    case "typing": {
      const { from, agent, by_ai } = frame;
      const typist: Typist = from === "visitor" || !agent ? null : { ...agent, ...(by_ai && { by_ai }) };
      if (!frame.typing) return withoutTypist(state, frame.conversation_id, typist);
      const others = withoutOne(state.typing.get(frame.conversation_id) ?? [], typist);
      return { ...state, typing: new Map(state.typing).set(frame.conversation_id, [...others, typist]) };
    }
    case "draft":
      return withAiDraft(state, frame);
    case "viewing": {
      const { conversation_id: id, agent, viewing } = frame;
      const others = withoutOne(state.viewing.get(id) ?? [], agent);
      return { ...state, viewing: filledIn(state.viewing, id, viewing ? [...others, agent] : others) };
    }
    case "own-read":
      return withOwnReads(state, { [frame.conversation_id]: frame.read_number });
    case "presence":
      return { ...state, presence: presenceAfter(state.presence, frame) };
    default:
      // An event of a newer service.
      return state;
  }
}

/** The connection is lost: typists and viewers are unknown. */
export function withoutPresence(state: InboxState): InboxState {
  return { ...state, typing: new Map(), aiDrafts: new Map(), viewing: new Map() };
}

export function withoutTypist(state: InboxState, conversationId: string, typist: Typist): InboxState {
  const before = state.typing.get(conversationId);
  if (!before) return state;
  return { ...state, typing: filledIn(state.typing, conversationId, withoutOne(before, typist)) };
}

function presenceAfter(before: Presence, { whole, contacts, agents }: PresenceFrame): Presence {
  const seenContacts = new Map(whole ? [] : before.contacts);
  for (const { id, online_status, last_active_at, page } of contacts) {
    if (online_status === "online") seenContacts.set(id, { last_active_at, page });
    else seenContacts.delete(id);
  }
  const seenAgents = new Map(whole ? [] : before.agents);
  for (const { id, online_status } of agents) {
    if (online_status === "offline") seenAgents.delete(id);
    else seenAgents.set(id, online_status);
  }
  return { contacts: seenContacts, agents: seenAgents };
}

function withoutOne<One extends Typist | Face>(all: readonly One[], one: Typist): One[] {
  return all.filter((each) => each?.id !== one?.id);
}

function filledIn<Value>(map: ReadonlyMap<string, readonly Value[]>, key: string, values: readonly Value[]) {
  const next = new Map(map);
  if (values.length > 0) next.set(key, values);
  else next.delete(key);
  return next;
}
