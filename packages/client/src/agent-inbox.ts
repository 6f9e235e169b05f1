/**
 * The inbox of an agent as a store: its state for the dashboard, and the agent's actions. It connects the parts:
 *
 *   send() -> agent-writing.ts -> outbox.ts -> POST …/messages
 *   act() -> agent-actions.ts, shown at once -> POST …/<action>
 *   openList() -> inbox-lists.ts            openConversation() -> inbox-threads.ts            counts: inbox-counts.ts
 *   live-stream.ts, of this tab or another (shared-stream.ts) -> follow-log.ts -> follow-inbox.ts -> apply-team-event.ts
 *      -> inbox-state.ts -> inbox-store.ts -> subscribers
 * typing(), away() -> agent-presence.ts -> the stream -> team-presence.ts of the other agents
 *
 * docs/decisions/0026-inbox.md
 */
import type { BulkResult, InboxActionInput, InboxActionName } from "@frontdesk/core/contract/inbox";
import type { AgentEventFrame } from "@frontdesk/core/contract/live";
import type { DraftReturnedBy } from "@frontdesk/core/domain/draft";
import type { InboxQuery } from "@frontdesk/core/domain/inbox";
import { agentActions } from "./agent-actions.ts";
import { agentPresence } from "./agent-presence.ts";
import { type AskInbox, inboxRequests } from "./agent-requests.ts";
import { type AgentWriting, openAgentWriting } from "./agent-writing.ts";
import { type Browser, thisBrowser } from "./browser.ts";
import { storedValues } from "./browser-storage.ts";
import { retryLater } from "./clock.ts";
import { followInbox } from "./follow-inbox.ts";
import type { LogFollower } from "./follow-log.ts";
import type { UndoEnd } from "./held-replies.ts";
import { inboxConnection } from "./inbox-connection.ts";
import type { InboxContext } from "./inbox-context.ts";
import { inboxCounter } from "./inbox-counts.ts";
import { inboxLists } from "./inbox-lists.ts";
import { refreshPeople } from "./inbox-people.ts";
import { withoutUnlisted } from "./inbox-state.ts";
import { type AgentInboxState, createInboxStore, type MessageFromInbox } from "./inbox-store.ts";
import { inboxThreads } from "./inbox-threads.ts";
import type { DraftMode } from "./local-drafts.ts";
import type { OutboxAnswer } from "./outbox.ts";
import type { Returned } from "./returned-files.ts";
import { teamPresence } from "./team-presence.ts";

const UNAUTHORIZED = 401;
/** Wait after a failed request, as a number of failures. */
const RETRY = 2;

export interface AgentInboxOptions {
  /** The service's origin: `https://chat.example.com`. */
  origin: string;
  /** The agent's id. */
  me: string;
  /** For programs and tests; a signed-in agent has a cookie. */
  apiKey?: string;
  /** Replacements for parts of the current browser, for tests and programs. */
  browser?: Partial<Browser & { isOffline(): boolean }>;
}

export interface AgentInbox {
  getState(): AgentInboxState;
  /** Calls `listener` after every change; the returned function ends it. */
  subscribe(listener: () => void): () => void;
  /** Starts listening. A repeat does nothing, but after `isOver` it starts again. */
  open(): void;
  /** Stops listening; outbox and drafts stay stored. */
  close(): void;
  /**
   * Signs out by `end`, and deletes the agent's drafts and outbox in this browser. Before that, what the service does not have
   * yet is stored there; an unsent message becomes a draft. When `end` rejects, the inbox stays open.
   */
  signOut(end: () => Promise<unknown>): Promise<void>;
  /** Retries now what waits for the network. */
  wake(): void;
  /** Keeps a list in the state until the returned function is called; several callers may open the same one. */
  openList(query: InboxQuery): () => void;
  /** Resolves to false when there was nothing more, or the request failed. */
  loadMore(query: InboxQuery): Promise<boolean>;
  /**
   * Keeps a conversation's thread and details in the state, and shows the other agents that it is open, until the returned
   * function is called.
   */
  openConversation(conversationId: string): () => void;
  /** Resolves to false when there was nothing older, or the request failed. */
  loadOlder(conversationId: string): Promise<boolean>;
  /**
   * Stores a message and sends it, a reply after the time to undo it, if one is given. Returns its `client_id`, which identifies
   * it first in the outbox, then in the thread.
   */
  send(message: Omit<MessageFromInbox, "client_id">, options?: { holdMs?: number }): string;
  /**
   * Undoes the sending of a reply that is held: it becomes a draft again. Resolves when it is certain whether it was undone or
   * already sent; without a network, once it is back.
   */
  undo(clientId: string): Promise<UndoEnd>;
  /** What a conversation's replies that were not sent had besides their text, once (`state.returned`). */
  takeReturned(conversationId: string): Returned[];
  /** Sends a refused message again with these fields changed: `{anyway: true}` when a teammate replied first. */
  retry(clientId: string, changes?: Partial<MessageFromInbox>): void;
  discard(clientId: string): void;
  /**
   * Performs an action on conversations and shows it at once. Refused changes are taken back on the screen and listed in the
   * result.
   */
  act<Name extends InboxActionName>(
    conversationIds: readonly string[],
    name: Name,
    input: InboxActionInput<Name>,
  ): Promise<BulkResult>;
  /** Call it on every key press; sending is throttled. */
  typing(conversationId: string, typing: boolean): void;
  /** Sets whether the agent is away, as the team and the visitors see it. */
  away(isAway: boolean): void;
  /** The draft; empty when there is none. */
  draft(conversationId: string, mode: DraftMode): string;
  /** What came in while a reply was held, so that it is a draft again; null once the agent has changed it, and for any other. */
  draftReturnedBy(conversationId: string): DraftReturnedBy | null;
  setDraft(conversationId: string, mode: DraftMode, content: string): void;
  /** Fetches the agents, tags and widgets again. */
  refreshPeople(): Promise<void>;
}

export function createAgentInbox({ origin, me, apiKey, browser: given }: AgentInboxOptions): AgentInbox {
  const browser = { ...thisBrowser(), isOffline: hasNoNetwork, ...given };
  const { clock } = browser;
  const name = `frontdesk:inbox:${me}`;
  const values = storedValues(browser.storage);
  /** While the inbox is open. */
  let writing: AgentWriting | undefined;
  let ends: (() => void)[] = [];
  let sizeAfterDrop = 0;

  const store = createInboxStore({
    me,
    waiting: () => writing?.waiting() ?? [],
    drafted: () => writing?.drafts.conversations() ?? [],
    returned: () => writing?.returned.conversations() ?? [],
  });
  const context: InboxContext = {
    store,
    clock,
    ask: withSessionCheck(inboxRequests(origin, apiKey, browser.fetch, clock), () => writing && connection.end()),
    position: () => follower.position,
    isOpen: () => writing !== undefined,
    retryLater(act) {
      if (writing && !store.isOver) ends.push(retryLater(clock, act, RETRY));
    },
    dropUnlisted(more = 0) {
      // A page on its way may name conversations that nothing refers to yet.
      if (follower.fetching || (more > 0 && store.inbox.conversations.size <= sizeAfterDrop + more)) return;
      store.inbox = withoutUnlisted(store.inbox);
      sizeAfterDrop = store.inbox.conversations.size;
    },
  };
  const presence = agentPresence(clock, (frame) => connection.send(frame));
  const lists = inboxLists(context);
  const threads = inboxThreads(context, presence);
  const counter = inboxCounter(context);
  const team = teamPresence(context, threads.refreshDetails);
  const onEmail = (conversationId: string) => writing?.held.check(conversationId);
  const follower: LogFollower<AgentEventFrame> = followInbox(context, { lists, threads, counter, onEmail });
  const connection = inboxConnection(context, {
    origin,
    apiKey,
    name: `${name}:stream`,
    browser,
    follower,
    onConnection: (state) => (state === "live" ? presence.resend() : team.forget()),
    onPresence: team.onPresence,
  });

  return {
    getState: store.getState,
    subscribe: store.subscribe,
    open,
    close,
    signOut,
    wake,
    openList: lists.open,
    loadMore: lists.loadMore,
    openConversation: threads.open,
    loadOlder: threads.loadOlder,
    send: (message, { holdMs } = {}) => opened().send(message, holdMs),
    undo: (clientId) => opened().held.undo(clientId),
    takeReturned: (conversationId) => writing?.returned.take(conversationId) ?? [],
    retry: (clientId, changes) => opened().outbox.retry(clientId, changes),
    discard: (clientId) => opened().outbox.discard(clientId),
    act: agentActions(context, counter.countSoon),
    typing: presence.typing,
    away: presence.away,
    draft: (conversationId, mode) => writing?.drafts.get(conversationId, mode) ?? "",
    draftReturnedBy: (conversationId) => writing?.drafts.returnedBy(conversationId) ?? null,
    setDraft: (conversationId, mode, content) => writing?.drafts.set(conversationId, mode, content),
    refreshPeople: () => refreshPeople(context),
  };

  function open(): void {
    if (store.isOver) close();
    if (writing) return;
    store.isOver = false;
    const { locks, isOffline } = browser;
    writing = openAgentWriting(context, { name, values, locks, isOffline, onDraftStored: presence.draftStored });
    ends = [browser.onWake(wake), browser.onStored(storedElsewhere), writing.close];
    connection.connected("connecting");
    void connection.load();
    void refreshPeople(context);
    void writing.drafts.refresh();
  }

  function opened(): AgentWriting {
    open();
    return writing as AgentWriting;
  }

  function close(): void {
    for (const end of ends) end();
    for (const { stop } of [presence, team, counter]) stop();
    connection.close();
    ends = [];
    writing = undefined;
    team.forget();
  }

  async function signOut(end: () => Promise<unknown>): Promise<void> {
    await writing?.handOver();
    await end();
    close();
    for (const key of values.keys(`${name}:`)) values.delete(key);
    store.changed();
  }

  function wake(): void {
    writing?.wake();
    connection.wake();
  }

  /** Another tab has stored something, and may have been closed before it sent it. */
  function storedElsewhere(): void {
    store.changed();
    writing?.look();
  }
}

const hasNoNetwork = () => (globalThis.navigator as { onLine?: boolean } | undefined)?.onLine === false;

/** Any request may find that the session has ended. */
function withSessionCheck(plain: AskInbox, onOver: () => unknown): AskInbox {
  const check = <Body>(answer: OutboxAnswer<Body>) => {
    if (!answer.ok && answer.status === UNAUTHORIZED) onOver();
    return answer;
  };
  const ask = ((...request: Parameters<AskInbox>) => plain(...request).then(check)) as AskInbox;
  ask.act = (...request) => plain.act(...request).then(check);
  ask.actOnMany = (...request) => plain.actOnMany(...request).then(check);
  return ask;
}
