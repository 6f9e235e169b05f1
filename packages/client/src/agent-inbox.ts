/**
 * The inbox of an agent as a store: what the dashboard shows, and what an agent can do. It puts the parts together:
 *
 *   send() -> agent-writing.ts -> outbox.ts -> POST …/messages
 *   act() -> agent-actions.ts, shown at once -> POST …/<action>
 *   openList() -> inbox-lists.ts            openConversation() -> inbox-threads.ts            counts: inbox-counts.ts
 *   live-stream.ts, of this tab or another (shared-stream.ts) -> follow-log.ts -> follow-inbox.ts -> apply-team-event.ts
 *      -> inbox-state.ts -> inbox-store.ts -> subscribers
 *   typing(), away() -> agent-presence.ts -> the stream -> team-presence.ts, at the others
 *
 * docs/decisions/0026-inbox.md
 */
import type { BulkResult, InboxActionInput, InboxActionName } from "@frontdesk/core/contract/inbox";
import type { AgentEventFrame } from "@frontdesk/core/contract/live";
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
import { teamPresence } from "./team-presence.ts";

const UNAUTHORIZED = 401;
/** The wait after a request that failed, as a number of failures. */
const RETRY = 2;

export interface AgentInboxOptions {
  /** Of the service: `https://chat.example.com`. */
  origin: string;
  /** The agent's id. */
  me: string;
  /** Of a program or a test; a signed-in agent has a cookie. */
  apiKey?: string;
  /** What is taken from the browser, where that is not the one we run in: tests and programs. */
  browser?: Partial<Browser>;
}

export interface AgentInbox {
  getState(): AgentInboxState;
  /** Calls `listener` after every change; the returned function ends it. */
  subscribe(listener: () => void): () => void;
  /** Begins to listen. A repeat does nothing, but after `isOver` it begins anew. */
  open(): void;
  /** Stops listening; outbox and drafts stay for the next time. */
  close(): void;
  /**
   * Signs out by `end`, and forgets the agent's drafts and outbox in this browser. Before that the service is given what it
   * does not have yet; a message that was not sent becomes a draft. When `end` rejects, the inbox stays open.
   */
  signOut(end: () => Promise<unknown>): Promise<void>;
  /** Tries now what waits for the network. */
  wake(): void;
  /** Keeps a list in the state until the returned function is called; several may ask for the same one. */
  openList(query: InboxQuery): () => void;
  /** Answers false when there was nothing more, or it could not be fetched. */
  loadMore(query: InboxQuery): Promise<boolean>;
  /** Keeps a conversation's thread and details in the state, and shows the others that it is open here, until the returned function is called. */
  openConversation(conversationId: string): () => void;
  /** Answers false when there was nothing older, or it could not be fetched. */
  loadOlder(conversationId: string): Promise<boolean>;
  /** Stores a message and sends it; answers the `client_id` that it can be found by, at first in the outbox, then in the thread. */
  send(message: Omit<MessageFromInbox, "client_id">): string;
  /** Sends what was refused once more, with these fields changed: `{anyway: true}` after a teammate was faster. */
  retry(clientId: string, changes?: Partial<MessageFromInbox>): void;
  discard(clientId: string): void;
  /** Does something with conversations, shown at once. What was refused is shown no longer, and named in the answer. */
  act<Name extends InboxActionName>(
    conversationIds: readonly string[],
    name: Name,
    input: InboxActionInput<Name>,
  ): Promise<BulkResult>;
  /** To be called with every key; sent as often as is useful. */
  typing(conversationId: string, typing: boolean): void;
  /** The agent is away, or back: the team and its visitors see it. */
  away(isAway: boolean): void;
  /** What was begun, empty when nothing was. */
  draft(conversationId: string, mode: DraftMode): string;
  setDraft(conversationId: string, mode: DraftMode, content: string): void;
  /** Fetches the people, tags and widgets anew. */
  refreshPeople(): Promise<void>;
}

export function createAgentInbox({ origin, me, apiKey, browser: given }: AgentInboxOptions): AgentInbox {
  const browser: Browser = { ...thisBrowser(), ...given };
  const { clock } = browser;
  const name = `frontdesk:inbox:${me}`;
  const values = storedValues(browser.storage);
  /** While the inbox is open. */
  let writing: AgentWriting | undefined;
  let ends: (() => void)[] = [];
  let sizeAfterDrop = 0;

  const store = createInboxStore({
    me,
    waiting: () => writing?.outbox.messages() ?? [],
    drafted: () => writing?.drafts.conversations() ?? [],
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
      // A page that is on its way may name what nothing refers to yet.
      if (follower.fetching || (more > 0 && store.inbox.conversations.size <= sizeAfterDrop + more)) return;
      store.inbox = withoutUnlisted(store.inbox);
      sizeAfterDrop = store.inbox.conversations.size;
    },
  };
  const presence = agentPresence(clock, (moment) => connection.send(moment));
  const lists = inboxLists(context);
  const threads = inboxThreads(context, presence);
  const counter = inboxCounter(context);
  const team = teamPresence(context, threads.refreshDetails);
  const follower: LogFollower<AgentEventFrame> = followInbox(context, { lists, threads, counter });
  const connection = inboxConnection(context, {
    origin,
    apiKey,
    name: `${name}:stream`,
    browser,
    follower,
    onConnection: (state) => (state === "live" ? presence.resend() : team.forget()),
    onMoment: team.onMoment,
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
    send: (message) => opened().send(message),
    retry: (clientId, changes) => opened().outbox.retry(clientId, changes),
    discard: (clientId) => opened().outbox.discard(clientId),
    act: agentActions(context, counter.countSoon),
    typing: presence.typing,
    away: presence.away,
    draft: (conversationId, mode) => writing?.drafts.get(conversationId, mode) ?? "",
    setDraft: (conversationId, mode, content) => writing?.drafts.set(conversationId, mode, content),
    refreshPeople: () => refreshPeople(context),
  };

  function open(): void {
    if (store.isOver) close();
    if (writing) return;
    store.isOver = false;
    const { locks } = browser;
    writing = openAgentWriting(context, { name, values, locks, onDraftStored: presence.draftStored });
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

  /** Another tab has written something; it may have been closed before that was sent. */
  function storedElsewhere(): void {
    store.changed();
    writing?.outbox.wake();
  }
}

/** Every request may be the one that finds the session over. */
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
