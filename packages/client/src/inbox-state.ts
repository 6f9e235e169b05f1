/**
 * The inbox as an agent's screen knows it: conversations by id, lists of their ids, threads, and who types, views and is online
 * now. Pure functions turn one state into the next; none changes its argument.
 *
 * Fetched data and events may arrive in any order. Each conversation has the log number it is known as of (`asOf`), and older
 * data changes nothing.
 */
import type { InboxConversationDetails, InboxCounts, InboxList, InboxThread } from "@frontdesk/core/contract/inbox";
import type {
  LiveConversation,
  LiveMessage,
  LivePage,
  TimelineEntry,
  ViewingNowFrame,
} from "@frontdesk/core/contract/live";
import {
  compareInInbox,
  type InboxOrder,
  type InboxQuery,
  inboxCursor,
  isInList,
  readCursor,
} from "@frontdesk/core/domain/inbox";
import type { AiDraft } from "./ai-draft.ts";
import { type KnownDelivery, withKnownDeliveries } from "./delivery-in-inbox.ts";
import { withoutErased, withoutErasedText } from "./erased-in-inbox.ts";
import { type ExpectedChange, expected } from "./expected-change.ts";

export interface InboxState {
  /** The agent whose inbox it is. */
  readonly me: string;
  readonly conversations: ReadonlyMap<string, KnownConversation>;
  /** By `listKey`. */
  readonly lists: ReadonlyMap<string, ListState>;
  /** Of the conversations that are open on the screen, and of some that were closed lately. */
  readonly threads: ReadonlyMap<string, ThreadState>;
  readonly details: ReadonlyMap<string, InboxConversationDetails>;
  /** The highest sort number that the agent has read, by conversation. */
  readonly ownReads: ReadonlyMap<string, number>;
  /** Null until the first count. */
  readonly counts: InboxCounts["views"] | null;
  /** Who types in which conversation. */
  readonly typing: ReadonlyMap<string, readonly Typist[]>;
  /** What the AI is about to say, by conversation: see `aiDraftOf`. */
  readonly aiDrafts: ReadonlyMap<string, AiDraft>;
  /** Which other agents have which conversation open. */
  readonly viewing: ReadonlyMap<string, readonly Face[]>;
  readonly presence: Presence;
  /** The ids of what was erased or redacted while the inbox was open (erased-in-inbox.ts). */
  readonly erased: ReadonlySet<string>;
  /** The sort numbers up to which texts were erased meanwhile, by conversation. */
  readonly textsErased: ReadonlyMap<string, number>;
  /** The ids of messages whose files were erased meanwhile. */
  readonly filesErased: ReadonlySet<string>;
  /** What events have said of messages that are sent outside, by their ids. */
  readonly deliveries: ReadonlyMap<string, KnownDelivery>;
}

export interface KnownConversation {
  /** As shown: with the agent's own changes that are not confirmed yet. */
  readonly conversation: LiveConversation;
  /** As the service last sent it. */
  readonly confirmed: LiveConversation;
  readonly asOf: number;
  readonly expected: readonly ExpectedChange[];
}

export interface ListState {
  readonly query: InboxQuery;
  /** In the order of the inbox; the conversations themselves are in `conversations`. */
  readonly ids: readonly string[];
  /** Cursor of the next page; null when the whole list is loaded. */
  readonly next: string | null;
  /** Whether the first page is loaded. */
  readonly loaded: boolean;
}

export interface ThreadState {
  /** By `sort_number`, oldest first. */
  readonly messages: readonly LiveMessage[];
  /** Whether the service has older ones. */
  readonly hasBefore: boolean;
  readonly loaded: boolean;
  /** Messages after this sort number are missing and have to be fetched. Null when nothing is missing. */
  readonly missingAfter: number | null;
  /** The conversation does not exist. */
  readonly isUnknown: boolean;
}

export type Face = ViewingNowFrame["agent"];

/** Null is the visitor; `by_ai`: the built-in AI, as its agent. */
export type Typist = (Face & { by_ai?: boolean }) | null;

export interface Presence {
  readonly contacts: ReadonlyMap<string, { readonly last_active_at: string; readonly page: LivePage | null }>;
  /** The agents who are online or away. */
  readonly agents: ReadonlyMap<string, "online" | "away">;
}

export function emptyInbox(me: string): InboxState {
  const nothing = new Map<string, never>();
  return {
    me,
    conversations: nothing,
    lists: nothing,
    threads: nothing,
    details: nothing,
    ownReads: nothing,
    counts: null,
    typing: nothing,
    aiDrafts: nothing,
    viewing: nothing,
    presence: { contacts: nothing, agents: nothing },
    erased: new Set(),
    textsErased: nothing,
    filesErased: new Set(),
    deliveries: nothing,
  };
}

/** The key of a list, from its query. */
export function listKey(query: InboxQuery): string {
  const { view, widget_id, tag_ids, agent_ids, channel, channel_id, active_from, active_until, unread, order } = query;
  const ids = [tag_ids, agent_ids].map((each) => each?.toSorted().join());
  const parts = [view, widget_id, ...ids, channel, channel_id, active_from, active_until, unread && "unread", order];
  return parts.map((part) => part || "-").join("/");
}

/** A list that has been opened, still empty. */
export function withEmptyList(state: InboxState, query: InboxQuery): InboxState {
  return withList(state, { query, ids: [], next: null, loaded: false });
}

/** A page of a list; `after` is the cursor it was fetched with, null for the first page. */
export function withListPage(state: InboxState, query: InboxQuery, page: InboxList, after: string | null): InboxState {
  const before = state.lists.get(listKey(query));
  // The list was closed, or fetched again from its start.
  if (!before || (after !== null && before.next !== after)) return state;
  const read = withOwnReads(state, page.own_reads);
  const known = withConversations(read, page.conversations, page.number);
  const ids = after === null ? [] : (known.lists.get(listKey(query))?.ids ?? []);
  const came = new Set(page.conversations.map(({ id }) => id));
  // Include conversations that the stream has brought since, whether the page has them or not.
  const here = [...known.conversations.values()].filter(
    ({ confirmed, asOf }) => came.has(confirmed.id) || asOf > page.number,
  );
  const conversations = here.map(({ conversation }) => conversation);
  return withList(known, withInserted({ query, ids, next: page.next, loaded: true }, conversations, known));
}

export function withoutList(state: InboxState, query: InboxQuery): InboxState {
  return { ...state, lists: without(state.lists, listKey(query)) };
}

/** A thread that has been opened, still empty. */
export function withEmptyThread(state: InboxState, conversationId: string): InboxState {
  const thread: ThreadState = { messages: [], hasBefore: false, loaded: false, missingAfter: null, isUnknown: false };
  return { ...state, threads: new Map(state.threads).set(conversationId, thread) };
}

/** Fetched messages: the newest, older ones, or missing ones. */
export function withThreadPage(
  state: InboxState,
  conversationId: string,
  page: InboxThread,
  kind: "newest" | "older" | "missing",
): InboxState {
  const before = state.threads.get(conversationId);
  if (!before || state.erased.has(conversationId)) return state;
  const fetched = withKnownDeliveries(page.messages, state, page.number);
  const messages = merged(before.messages, withoutErasedText(fetched, state));
  const thread: ThreadState = {
    messages,
    hasBefore: kind === "missing" ? before.hasBefore : page.has_before,
    isUnknown: false,
    loaded: before.loaded || kind === "newest",
    missingAfter:
      kind === "older" ? before.missingAfter : (firstGap(messages) ?? (page.has_after ? lastOf(messages) : null)),
  };
  return { ...state, threads: new Map(state.threads).set(conversationId, thread) };
}

/** The conversation does not exist, or this agent may not see it. */
export function withUnknownThread(state: InboxState, conversationId: string): InboxState {
  const before = state.threads.get(conversationId);
  if (!before) return state;
  const thread = { ...before, messages: [], hasBefore: false, missingAfter: null, loaded: true, isUnknown: true };
  return { ...state, threads: new Map(state.threads).set(conversationId, thread) };
}

/** A closed thread keeps only its newest messages. */
export function withShortThread(state: InboxState, conversationId: string, length: number): InboxState {
  const before = state.threads.get(conversationId);
  if (!before || before.messages.length <= length) return state;
  const thread = { ...before, messages: before.messages.slice(-length), hasBefore: true };
  return { ...state, threads: new Map(state.threads).set(conversationId, thread) };
}

export function withoutThread(state: InboxState, conversationId: string): InboxState {
  const { threads, details } = state;
  return { ...state, threads: without(threads, conversationId), details: without(details, conversationId) };
}

/** A message from the stream or from an answer. */
export function withMessage(state: InboxState, message: LiveMessage): InboxState {
  const before = state.threads.get(message.conversation_id);
  if (!before || state.erased.has(message.conversation_id)) return state;
  const messages = merged(before.messages, withoutErasedText(withKnownDeliveries([message], state), state));
  const missingAfter = before.loaded ? (before.missingAfter ?? firstGap(messages)) : null;
  const thread = { ...before, messages, missingAfter };
  return { ...state, threads: new Map(state.threads).set(message.conversation_id, thread) };
}

/** The details of a conversation; ignored when older than the known ones. */
export function withDetails(state: InboxState, fetched: InboxConversationDetails): InboxState {
  const { id } = fetched.conversation;
  if (withoutErased([fetched.conversation], state).length === 0) return state;
  const details = {
    ...fetched,
    earlier_conversations: [...withoutErased(fetched.earlier_conversations, state)],
    same_address_conversations: [...withoutErased(fetched.same_address_conversations, state)],
  };
  const read = withOwnReads(state, { [id]: details.own_read });
  const shown = [details.conversation, ...details.earlier_conversations, ...details.same_address_conversations];
  const known = withConversations(read, shown, details.number);
  const before = known.details.get(id);
  if (before && before.number > details.number) return known;
  // Entries that the stream has brought meanwhile.
  const later = before?.timeline.filter(({ number }) => number > details.number) ?? [];
  const whole = later.length > 0 ? { ...details, timeline: [...details.timeline, ...later] } : details;
  return { ...known, details: new Map(known.details).set(id, whole) };
}

/** What the agent has read, at this screen or another. Lower numbers change nothing: answers and frames come in any order. */
export function withOwnReads(state: InboxState, numbers: Readonly<Record<string, number>>): InboxState {
  const higher = Object.entries(numbers).filter(([id, number]) => number > (state.ownReads.get(id) ?? 0));
  return higher.length === 0 ? state : { ...state, ownReads: new Map([...state.ownReads, ...higher]) };
}

/** Adds an entry to the timeline of an open conversation. */
export function withTimelineEntry(state: InboxState, entry: TimelineEntry): InboxState {
  const { conversation_id: conversationId } = entry;
  const before = state.details.get(conversationId);
  if (!before || before.timeline.some(({ number }) => number === entry.number)) return state;
  const details = { ...before, timeline: [...before.timeline, entry] };
  return { ...state, details: new Map(state.details).set(conversationId, details) };
}

/** Conversations as the service sent them, as of a number of its log; each is moved to its position in every list. */
export function withConversations(state: InboxState, sent: readonly LiveConversation[], asOf: number): InboxState {
  const changed = withoutErased(sent, state).flatMap((conversation): Known[] => {
    const before = state.conversations.get(conversation.id);
    if (before && before.asOf >= asOf) return [];
    return [{ confirmed: conversation, asOf, expected: unanswered(before?.expected ?? []) }];
  });
  return withKnown(state, changed);
}

/** Changes known conversations; null from `change` leaves one as it is. */
export function withChangedConversations(
  state: InboxState,
  asOf: number,
  change: (conversation: LiveConversation) => LiveConversation | null,
): InboxState {
  const changed = [...state.conversations.values()].flatMap((known): Known[] => {
    const confirmed = known.asOf >= asOf ? null : change(known.confirmed);
    return confirmed ? [{ confirmed, asOf, expected: unanswered(known.expected) }] : [];
  });
  return withKnown(state, changed);
}

/** Accepted changes only wait for the service's next state of the conversation: that contains them. */
const unanswered = (changes: readonly ExpectedChange[]): ExpectedChange[] => changes.filter(({ settled }) => !settled);

/** Shows an agent's change at once. */
export function expectChange(state: InboxState, conversationId: string, change: ExpectedChange): InboxState {
  const known = state.conversations.get(conversationId);
  return known ? withKnown(state, [{ ...known, expected: [...known.expected, change] }]) : state;
}

/**
 * Ends a change: refused (false) removes it; done (true) shows it until the service's state arrives.
 *
 * @param doneAt the number of the log before the event of the change, where the answer says it: the event may have come first
 */
export function endChange(
  state: InboxState,
  conversationId: string,
  change: ExpectedChange,
  done: boolean,
  doneAt = Number.POSITIVE_INFINITY,
): InboxState {
  const known = state.conversations.get(conversationId);
  if (!known) return state;
  const others = known.expected.filter((other) => other.id !== change.id);
  const isAwaited = done && known.asOf <= doneAt && others.length < known.expected.length;
  return withKnown(state, [{ ...known, expected: isAwaited ? [...others, { ...change, settled: true }] : others }]);
}

/** Drops conversations that nothing on the screen refers to. */
export function withoutUnlisted(state: InboxState): InboxState {
  const listed = new Set([
    ...[...state.lists.values()].flatMap(({ ids }) => ids),
    ...state.threads.keys(),
    ...[...state.details.values()].flatMap(({ earlier_conversations: earlier, same_address_conversations: others }) =>
      [...earlier, ...others].map(({ id }) => id),
    ),
  ]);
  const conversations = new Map(
    [...state.conversations].filter(([id, { expected: open }]) => listed.has(id) || open.length > 0),
  );
  return conversations.size === state.conversations.size ? state : { ...state, conversations };
}

type Known = Omit<KnownConversation, "conversation">;

function withKnown(state: InboxState, changed: readonly Known[]): InboxState {
  if (changed.length === 0) return state;
  const conversations = new Map(state.conversations);
  const shown = changed.map((known) => {
    const conversation = known.expected.reduce(expected, known.confirmed);
    conversations.set(conversation.id, { ...known, conversation });
    return conversation;
  });
  const next = { ...state, conversations };
  const lists = new Map(
    [...state.lists].map(([key, list]) => [key, list.loaded ? withInserted(list, shown, next) : list] as const),
  );
  return { ...next, lists };
}

/** The list with the conversations at their positions, or without them. Lists may be long, so each is searched once. */
function withInserted(
  list: ListState,
  conversations: readonly LiveConversation[],
  { me, conversations: known }: InboxState,
): ListState {
  const moving = new Map(conversations.map((conversation) => [conversation.id, conversation]));
  const ids = list.ids.filter((id) => !moving.has(id));
  for (const conversation of moving.values()) {
    if (!isInList(conversation, list.query, me) || isBeyond(list, conversation)) continue;
    ids.splice(insertionIndex(ids, conversation, known, list.query.order), 0, conversation.id);
  }
  return ids.length === list.ids.length && ids.every((id, index) => id === list.ids[index]) ? list : { ...list, ids };
}

/** The index of a conversation in a sorted list. */
function insertionIndex(
  ids: readonly string[],
  conversation: LiveConversation,
  known: InboxState["conversations"],
  order: InboxOrder | undefined,
): number {
  const cursor = inboxCursor(conversation, order);
  let from = 0;
  let to = ids.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    const other = known.get(ids[middle] as string)?.conversation;
    if (other && compareInInbox(cursor, inboxCursor(other, order), order) < 0) to = middle;
    else from = middle + 1;
  }
  return from;
}

function withList(state: InboxState, list: ListState): InboxState {
  return { ...state, lists: new Map(state.lists).set(listKey(list.query), list) };
}

/** Whether it belongs to the part of the list that is not loaded yet. */
function isBeyond({ next, query: { order } }: ListState, conversation: LiveConversation): boolean {
  const end = next === null ? undefined : readCursor(next);
  return end !== undefined && compareInInbox(inboxCursor(conversation, order), end, order) > 0;
}

/** In the service's order, each once; a later version replaces an earlier one. */
function merged(messages: readonly LiveMessage[], more: readonly LiveMessage[]): LiveMessage[] {
  const last = messages.at(-1)?.sort_number ?? 0;
  if (more.every(({ sort_number }, index) => sort_number > (more[index - 1]?.sort_number ?? last)))
    return [...messages, ...more];
  const byNumber = new Map([...messages, ...more].map((message) => [message.sort_number, message]));
  return [...byNumber.values()].sort((a, b) => a.sort_number - b.sort_number);
}

/** The sort number after which a message is missing; the numbers of a conversation have no gaps. */
function firstGap(messages: readonly LiveMessage[]): number | null {
  const gap = messages.findIndex(
    ({ sort_number }, index) => index > 0 && sort_number !== (messages[index - 1] as LiveMessage).sort_number + 1,
  );
  return gap < 0 ? null : (messages[gap - 1] as LiveMessage).sort_number;
}

const lastOf = (messages: readonly LiveMessage[]): number => messages.at(-1)?.sort_number ?? 0;

function without<Value>(map: ReadonlyMap<string, Value>, key: string): ReadonlyMap<string, Value> {
  if (!map.has(key)) return map;
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}
