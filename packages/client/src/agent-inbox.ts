/**
 * The inbox of an agent as a store: what the dashboard shows, and what an agent can do. It puts the parts together:
 *
 *   send() -> outbox.ts -> POST …/messages                     act() -> expected-change.ts, shown at once -> POST …/<action>
 *   lists, threads, counts -> follow-log.ts <- live-stream.ts, of this tab or another (one-socket.ts)
 *                                  `-> apply-team-event.ts -> inbox-state.ts -> subscribers
 *
 * docs/decisions/0026-inbox.md
 */
import type {
  BulkResult,
  InboxActionInput,
  InboxActionName,
  InboxConversationDetails,
  InboxCounts,
  InboxList,
  InboxPeople,
  InboxThread,
  inboxOperations,
} from "@frontdesk/core/contract/inbox";
import type { AgentEventFrame } from "@frontdesk/core/contract/live";
import type { SessionBody } from "@frontdesk/core/contract/session";
import type { InboxQuery } from "@frontdesk/core/domain/inbox";
import { type AskInbox, firstReason, type InboxAnswer, inboxRequests } from "./agent-requests.ts";
import { applyTeamEvent, applyTeamMoment, type TeamMoment, withoutMoments, withoutTypist } from "./apply-team-event.ts";
import { type Browser, thisBrowser } from "./browser.ts";
import { retryWaitMs } from "./clock.ts";
import { changes, type ExpectedChange } from "./expected-change.ts";
import { followLog, type LogPosition } from "./follow-log.ts";
import { inTurn } from "./in-turn.ts";
import {
  emptyInbox,
  endChange,
  expectChange,
  type InboxState,
  learn,
  listKey,
  type Typist,
  withDetails,
  withEmptyList,
  withEmptyThread,
  withListPage,
  withMessage,
  withoutList,
  withoutThread,
  withoutUnlisted,
  withShortThread,
  withThreadPage,
  withUnknownThread,
} from "./inbox-state.ts";
import { type DraftMode, type KeptDrafts, openKeptDrafts } from "./kept-drafts.ts";
import { keptValues } from "./kept-values.ts";
import type { ConnectionState, LiveStream } from "./live-stream.ts";
import { overEventStream, overPolling, overWebSocket } from "./live-transports.ts";
import { openSharedStream } from "./one-socket.ts";
import { type Outbox, type OutboxAnswer, type OutboxMessage, openOutbox } from "./outbox.ts";
import { ownMoments, TYPING_MS } from "./own-moments.ts";
import { isRefusal } from "./visitor-requests.ts";

/** After a teammate has paused, what they have begun is looked up. Their last frame comes after it was stored (own-moments.ts). */
const LOOK_FOR_DRAFTS_MS = 4_000;
/** Counts follow events, but not each of them. */
const COUNT_AFTER_MS = 1_000;
/** Signing out waits so long at most for what was begun to be kept by the service. */
const HAND_OVER_MS = 3_000;
const LIST_PAGE = 50;
const LIST_PAGE_MAX = 100;
const THREAD_PAGE = 50;
const MISSING_PAGE = 100;
const UNAUTHORIZED = 401;
const NOT_FOUND = 404;
/** Events after which there are others to choose from, or other names of what is known of a contact. */
const TAG_EVENTS: ReadonlySet<string> = new Set(["tag.created", "tag.updated", "tag.deleted"]);
const FIELD_EVENTS: ReadonlySet<string> = new Set(["custom-field.updated", "custom-field.deleted"]);
/** So many more conversations than after the last time, before those that nothing on the screen refers to are let go. */
const UNLISTED_MAX = 500;
/** Conversations that were open a moment ago: they are shown at once when somebody comes back to them. */
const THREADS_KEPT = 20;

/** A message as it is sent, with the conversation that it is for. */
export type MessageFromInbox = SessionBody<typeof inboxOperations.sendMessage> & { conversation_id: string };
export type WaitingMessage = OutboxMessage<MessageFromInbox>;

export interface AgentInboxState extends InboxState {
  readonly connection: ConnectionState;
  /** The session or key is over: somebody has to sign in again, and then `open()`. */
  readonly isOver: boolean;
  /** Null until they have come. */
  readonly people: InboxPeople | null;
  /** What was written and not confirmed yet, oldest first; none of it is in a thread. */
  readonly outbox: readonly WaitingMessage[];
  /** The conversations in which the agent has begun to write. */
  readonly drafts: ReadonlySet<string>;
}

export interface AgentInboxOptions {
  /** Of the service: `https://chat.example.com`. */
  origin: string;
  /** The agent's id. */
  me: string;
  /** Of a program or a test; whoever is signed in has a cookie. */
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
  /** Keeps a conversation's thread and details in the state, and tells the others that it is open here, until the returned function is called. */
  openConversation(conversationId: string): () => void;
  /** Answers false when there was nothing older, or it could not be fetched. */
  loadOlder(conversationId: string): Promise<boolean>;
  /** Keeps a message and sends it; answers the `client_id` that it can be found by, at first in the outbox, then in the thread. */
  send(message: Omit<MessageFromInbox, "client_id">): string;
  /** Sends what was refused once more, with these fields changed: `{anyway: true}` after a teammate was faster. */
  retry(clientId: string, changes?: Partial<MessageFromInbox>): void;
  discard(clientId: string): void;
  /** Does something with conversations, shown at once. What was refused is shown no longer, and told in the answer. */
  act<Name extends InboxActionName>(
    conversationIds: readonly string[],
    name: Name,
    input: InboxActionInput<Name>,
  ): Promise<BulkResult>;
  /** To be called with every key; as often as is useful, it is told. */
  typing(conversationId: string, typing: boolean): void;
  /** Nobody has touched the screen for long, or somebody does again: the team and its visitors see it. */
  away(isAway: boolean): void;
  /** What was begun, empty when nothing was. */
  draft(conversationId: string, mode: DraftMode): string;
  setDraft(conversationId: string, mode: DraftMode, content: string): void;
  /** Fetches the people, tags and widgets anew. */
  refreshPeople(): Promise<void>;
}

/** All that is on the screen, fetched anew. */
interface Fresh extends LogPosition {
  counts: InboxCounts;
  lists: { query: InboxQuery; page: InboxList }[];
  threads: (FetchedThread & { id: string })[];
}

interface FetchedThread {
  page: InboxThread;
  details: InboxConversationDetails;
}

export function createAgentInbox({ origin, me, apiKey, browser: given }: AgentInboxOptions): AgentInbox {
  const browser: Browser = { ...thisBrowser(), ...given };
  const { clock, fetch, WebSocket } = browser;
  const name = `frontdesk:inbox:${me}`;
  const kept = keptValues(browser.storage);
  const ask: AskInbox = watched(inboxRequests(origin, apiKey, fetch, clock));
  const listeners = new Set<() => void>();
  /** How many on the screen ask for a list, or a conversation. `isBehind`: an event has changed the details that are on their way. */
  const openLists = new Map<string, { query: InboxQuery; asked: number }>();
  const openThreads = new Map<string, { asked: number; isBehind: boolean }>();
  /** Those that were closed, the latest last. They follow the log as the others do. */
  const closedThreads = new Set<string>();
  const own = ownMoments(clock, (moment) => stream?.send(moment));
  /** What is taken back is asked for after it was done, or the service might hear of it first. */
  const afterOthers = inTurn<BulkResult>();
  const typingEnds = new Map<string, () => void>();
  const draftLooks = new Map<string, () => void>();

  let inbox = emptyInbox(me);
  let people: InboxPeople | null = null;
  let connection: ConnectionState = "connecting";
  let isOver = false;
  let stream: LiveStream | undefined;
  let outbox: Outbox<MessageFromInbox> | undefined;
  let drafts: KeptDrafts | undefined;
  let ends: (() => void)[] = [];
  let loading = false;
  let failures = 0;
  let lastChange = 0;
  let cancelLoad = () => {};
  let cancelCount: (() => void) | undefined;
  /** The number of the log that the counts on the screen are from. */
  let countedAt = 0;
  let tidied = 0;
  const waitingShown = unlessSame((waiting: readonly WaitingMessage[]) => waiting);
  const draftsShown = unlessSame((ids: readonly string[]): ReadonlySet<string> => new Set(ids));
  let state = shown();

  const follower = followLog<AgentEventFrame, Fresh>({
    fetch: fetchAll,
    replace(fresh) {
      // What says too little to go on from may be that somebody, or a tag, is called otherwise.
      if (follower.position) void refreshPeople();
      inbox = replaced(fresh);
      change();
    },
    apply(event) {
      const next = applyTeamEvent(inbox, event);
      if (!next) return false;
      inbox = next;
      afterEvent(event);
      change();
      return true;
    },
  });

  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    open,
    close,
    signOut,
    wake,
    openList,
    loadMore,
    openConversation,
    loadOlder,
    send,
    retry: (clientId, changed) => opened().retry(clientId, changed),
    discard: (clientId) => opened().discard(clientId),
    act,
    typing: own.types,
    away: own.away,
    draft: (conversationId, mode) => drafts?.get(conversationId, mode) ?? "",
    setDraft: (conversationId, mode, content) => drafts?.set(conversationId, mode, content),
    refreshPeople,
  };

  // Beginning and end

  function open(): void {
    if (isOver) close();
    if (outbox) return;
    isOver = false;
    const opening = openOutbox<MessageFromInbox, Sent>({
      name: `${name}:outbox`,
      kept,
      locks: browser.locks,
      clock,
      post: ({ conversation_id, ...body }) => ask("sendMessage", { params: { conversation_id }, body }),
      onSent(answer) {
        if (outbox !== opening) return;
        const { message, conversation, number } = answer;
        drafts?.sent(conversation.id, message.type === "note" ? "note" : "reply");
        inbox = learn(withMessage(inbox, message), [conversation], number);
        change();
      },
      onChange: change,
    });
    outbox = opening;
    drafts = openKeptDrafts({ name: `${name}:draft`, kept, clock, ask, onChange: change, onStored: own.draftIsStored });
    ends = [browser.onWake(wake), browser.onStored(storedElsewhere), opening.close, drafts.close];
    connected("connecting");
    void load();
    void refreshPeople();
    void drafts.refresh();
  }

  function opened(): Outbox<MessageFromInbox> {
    open();
    return outbox as Outbox<MessageFromInbox>;
  }

  function close(): void {
    for (const end of ends) end();
    for (const end of [...typingEnds.values(), ...draftLooks.values()]) end();
    own.stop();
    stream?.close();
    cancelLoad();
    cancelCount?.();
    cancelCount = undefined;
    ends = [];
    stream = outbox = drafts = undefined;
    inbox = withoutMoments(inbox);
  }

  async function signOut(end: () => Promise<unknown>): Promise<void> {
    for (const { client_id, conversation_id, type, content } of outbox?.messages() ?? []) {
      const mode = type === "note" ? "note" : "reply";
      const begun = drafts?.get(conversation_id, mode);
      drafts?.set(conversation_id, mode, begun ? `${content}\n\n${begun}` : content);
      outbox?.discard(client_id);
    }
    // Without a network signing out fails as well: it is not waited for longer than that.
    const inTime = new Promise<void>((resolve) => ends.push(clock.after(HAND_OVER_MS, resolve)));
    await Promise.race([drafts?.handOver(), inTime]);
    await end();
    close();
    for (const key of kept.keys(`${name}:`)) kept.delete(key);
    change();
  }

  /** Another tab has written something; it may have been closed before it was sent. */
  function storedElsewhere(): void {
    change();
    outbox?.wake();
  }

  function wake(): void {
    outbox?.wake();
    drafts?.wake();
    stream?.wake();
    void load();
  }

  /** Fetches what is on the screen, and begins to listen. */
  async function load(): Promise<void> {
    if (loading || stream || isOver || !outbox) return;
    loading = true;
    cancelLoad();
    const fetched = await follower.reset();
    loading = false;
    if (!outbox) return;
    if (fetched) {
      failures = 0;
      listen();
    } else if (!isOver) {
      connected("offline");
      cancelLoad = clock.after(retryWaitMs(failures++, clock.random), load);
    }
  }

  function listen(): void {
    const fallbacks = [overEventStream(origin, fetch), overPolling(origin, fetch, clock)] as const;
    stream = openSharedStream<AgentEventFrame, TeamMoment>(
      { name: `${name}:stream`, locks: browser.locks, channel: browser.channel },
      {
        ...(apiKey && { token: apiKey }),
        present: true,
        follower,
        transports: WebSocket ? [overWebSocket(origin, WebSocket), ...fallbacks] : fallbacks,
        clock,
        onConnection(to) {
          if (to === "live") own.tellAgain();
          else inbox = withoutMoments(inbox);
          connected(to);
        },
        onMoment,
        onEnd: end,
      },
    );
  }

  /** The session is over. */
  function end(): void {
    isOver = true;
    stream?.close();
    stream = undefined;
    connected("offline");
  }

  // Lists

  function openList(query: InboxQuery): () => void {
    const key = listKey(query);
    const before = openLists.get(key);
    openLists.set(key, { query, asked: (before?.asked ?? 0) + 1 });
    if (!before) {
      inbox = withEmptyList(inbox, query);
      change();
      if (follower.position) void loadList(query, null);
    }
    return once(() => {
      const open = openLists.get(key);
      if (!open) return;
      if (open.asked > 1) {
        openLists.set(key, { query, asked: open.asked - 1 });
        return;
      }
      openLists.delete(key);
      inbox = withoutList(inbox, query);
      tidy();
      change();
    });
  }

  async function loadMore(query: InboxQuery): Promise<boolean> {
    const next = inbox.lists.get(listKey(query))?.next ?? null;
    return next !== null && loadList(query, next);
  }

  async function loadList(query: InboxQuery, before: string | null): Promise<boolean> {
    const answer = await ask("listConversations", { query: pageOf(query, before, LIST_PAGE) });
    if (!answer.ok) {
      // The first page is asked for again with everything else; until then there is something to wait for.
      if (before === null && openLists.has(listKey(query))) again(() => loadList(query, null));
      return false;
    }
    if (answer.body.epoch !== follower.position?.epoch) return false;
    inbox = withListPage(inbox, query, answer.body, before);
    change();
    return true;
  }

  // Conversations

  function openConversation(conversationId: string): () => void {
    const before = openThreads.get(conversationId);
    if (before) before.asked += 1;
    else {
      openThreads.set(conversationId, { asked: 1, isBehind: false });
      // What was here a moment ago is shown until it is fetched anew.
      if (!closedThreads.delete(conversationId)) inbox = withEmptyThread(inbox, conversationId);
      change();
      if (follower.position) void loadThread(conversationId);
      own.looksAt(conversationId);
    }
    return once(() => {
      const open = openThreads.get(conversationId);
      if (!open) return;
      open.asked -= 1;
      if (open.asked > 0) return;
      openThreads.delete(conversationId);
      own.looksAway(conversationId);
      keepClosed(conversationId);
      tidy();
      change();
    });
  }

  function keepClosed(conversationId: string): void {
    const thread = inbox.threads.get(conversationId);
    if (!thread?.loaded || thread.isUnknown) {
      inbox = withoutThread(inbox, conversationId);
      return;
    }
    inbox = withShortThread(inbox, conversationId, THREAD_PAGE);
    closedThreads.add(conversationId);
    // A screen closes one and opens another in the same moment, which may be the one that was closed longest ago.
    queueMicrotask(dropOldestClosed);
  }

  function dropOldestClosed(): void {
    const [oldest] = closedThreads;
    if (closedThreads.size <= THREADS_KEPT || oldest === undefined) return;
    closedThreads.delete(oldest);
    inbox = withoutThread(inbox, oldest);
    change();
  }

  async function loadThread(conversationId: string): Promise<void> {
    const answer = await threadNow(conversationId);
    if (answer === "unknown") {
      inbox = withUnknownThread(inbox, conversationId);
      change();
      return;
    }
    if (!answer) {
      if (openThreads.has(conversationId)) again(() => loadThread(conversationId));
      return;
    }
    const open = openThreads.get(conversationId);
    if (!open || [answer.page, answer.details].some(({ epoch }) => epoch !== follower.position?.epoch)) return;
    inbox = withDetails(withThreadPage(inbox, conversationId, answer.page, "newest"), answer.details);
    change();
    fillGaps(conversationId);
    if (open.isBehind) void refreshDetails(conversationId);
    open.isBehind = false;
  }

  async function threadNow(conversationId: string): Promise<FetchedThread | "unknown" | undefined> {
    const params = { conversation_id: conversationId };
    const [thread, details] = await Promise.all([
      ask("listMessages", { params, query: { limit: THREAD_PAGE } }),
      ask("getConversation", { params }),
    ]);
    if (thread.ok && details.ok) return { page: thread.body, details: details.body };
    return [thread, details].some((answer) => !answer.ok && answer.status === NOT_FOUND) ? "unknown" : undefined;
  }

  async function loadOlder(conversationId: string): Promise<boolean> {
    const thread = inbox.threads.get(conversationId);
    const before = thread?.messages[0]?.sort_number;
    if (!thread?.hasBefore || before === undefined) return false;
    return loadPage(conversationId, { before, limit: THREAD_PAGE }, "older");
  }

  /** Messages that no event has brought: they are fetched, until nothing is missing. */
  function fillGaps(conversationId: string): void {
    const after = inbox.threads.get(conversationId)?.missingAfter ?? null;
    if (after !== null) void loadPage(conversationId, { after, limit: MISSING_PAGE }, "missing");
  }

  async function loadPage(
    conversationId: string,
    query: { before?: number; after?: number; limit: number },
    kind: "older" | "missing",
  ): Promise<boolean> {
    const answer = await ask("listMessages", { params: { conversation_id: conversationId }, query });
    if (!answer.ok || answer.body.epoch !== follower.position?.epoch) return false;
    inbox = withThreadPage(inbox, conversationId, answer.body, kind);
    change();
    return true;
  }

  /** Those of a conversation that is not open are fetched when it is opened again. */
  async function refreshDetails(conversationId: string): Promise<void> {
    if (!openThreads.has(conversationId)) return;
    const answer = await ask("getConversation", { params: { conversation_id: conversationId } });
    if (!answer.ok) {
      if (!isRefusal(answer.status)) again(() => refreshDetails(conversationId));
      return;
    }
    if (answer.body.epoch !== follower.position?.epoch || !openThreads.has(conversationId)) return;
    inbox = withDetails(inbox, answer.body);
    change();
  }

  // What comes

  async function fetchAll(): Promise<Fresh | undefined> {
    const [counts, lists, threads] = await Promise.all([
      ask("getCounts", {}),
      Promise.all([...openLists.values()].map(({ query }) => listNow(query))),
      Promise.all([...openThreads.keys()].map(async (id) => ({ id, thread: await threadNow(id) }))),
    ]);
    if (!counts.ok) return undefined;
    const fetchedLists = lists.filter((list) => list !== undefined);
    const fetchedThreads = threads.flatMap(({ id, thread }) =>
      thread === undefined || thread === "unknown" ? [] : [{ id, ...thread }],
    );
    const ofThreads = fetchedThreads.flatMap(({ page, details }) => [page, details]);
    const answers = [counts.body, ...fetchedLists.map(({ page }) => page), ...ofThreads];
    const { epoch } = counts.body;
    if (fetchedLists.length < lists.length || answers.some((answer) => answer.epoch !== epoch)) return undefined;
    // Each is known as of its own number; what the stream brings between them is applied to those that are behind.
    const number = Math.min(...answers.map((answer) => answer.number));
    return { number, epoch, counts: counts.body, lists: fetchedLists, threads: fetchedThreads };
  }

  /** As much of it as is on the screen. */
  async function listNow(query: InboxQuery): Promise<{ query: InboxQuery; page: InboxList } | undefined> {
    const shownNow = inbox.lists.get(listKey(query))?.ids.length ?? 0;
    const limit = Math.min(LIST_PAGE_MAX, Math.max(LIST_PAGE, shownNow));
    const answer = await ask("listConversations", { query: pageOf(query, null, limit) });
    return answer.ok ? { query, page: answer.body } : undefined;
  }

  function replaced(fresh: Fresh): InboxState {
    const { typing: types, viewing, presence } = inbox;
    countedAt = fresh.counts.number;
    closedThreads.clear();
    const empty: InboxState = { ...emptyInbox(me), typing: types, viewing, presence, counts: fresh.counts.views };
    const listed = [...openLists.values()].reduce((next, { query }) => withEmptyList(next, query), empty);
    const opened = [...openThreads.keys()].reduce((next, id) => withEmptyThread(next, id), listed);
    const withLists = fresh.lists.reduce((next, { query, page }) => withListPage(next, query, page, null), opened);
    const all = fresh.threads.reduce(
      (next, { id, page, details }) => withDetails(withThreadPage(next, id, page, "newest"), details),
      withLists,
    );
    // Those that were asked for meanwhile.
    for (const [key, { query }] of openLists)
      if (!all.lists.get(key)?.loaded) queueMicrotask(() => loadList(query, null));
    for (const id of openThreads.keys()) if (!all.threads.get(id)?.loaded) queueMicrotask(() => loadThread(id));
    return all;
  }

  function afterEvent({ conversation, message, happening, data, name: event }: AgentEventFrame): void {
    if (message) fillGaps(message.conversation_id);
    if (message?.agent) dropDraftOf(message.agent.id, message.conversation_id);
    if (conversation || message) countSoon();
    const contact = (data?.visitor as { id: string } | undefined)?.id;
    if (contact) {
      for (const [id, { contact: theirs }] of inbox.details) if (theirs.id === contact) void refreshDetails(id);
    }
    if (FIELD_EVENTS.has(event)) for (const id of inbox.details.keys()) void refreshDetails(id);
    for (const [id, open] of openThreads) {
      if (inbox.details.has(id)) continue;
      open.isBehind ||= happening?.conversation_id === id || contact !== undefined || FIELD_EVENTS.has(event);
    }
    if (TAG_EVENTS.has(event) || event.startsWith("agent.") || event.startsWith("widget.")) void refreshPeople();
    if (inbox.conversations.size > tidied + UNLISTED_MAX) tidy();
  }

  function onMoment(moment: TeamMoment): void {
    inbox = applyTeamMoment(inbox, moment);
    if (moment.type === "typing") {
      forgetTyping(moment.conversation_id, moment.agent, moment.typing);
      if (moment.from !== "visitor") lookForDrafts(moment.conversation_id);
    }
    change();
  }

  function forgetTyping(conversationId: string, typist: Typist, isTyping: boolean): void {
    const key = `${conversationId} ${typist?.id}`;
    typingEnds.get(key)?.();
    typingEnds.delete(key);
    if (!isTyping) return;
    const over = () => {
      typingEnds.delete(key);
      inbox = withoutTypist(inbox, conversationId, typist);
      change();
    };
    typingEnds.set(key, clock.after(TYPING_MS, over));
  }

  /** Drafts are no events: nobody needs to be woken by one. Whoever has the conversation open sees what has become of it. */
  function lookForDrafts(conversationId: string): void {
    draftLooks.get(conversationId)?.();
    const look = () => {
      draftLooks.delete(conversationId);
      void refreshDetails(conversationId);
    };
    draftLooks.set(conversationId, clock.after(LOOK_FOR_DRAFTS_MS, look));
  }

  /** It has become a message. */
  function dropDraftOf(agentId: string, conversationId: string): void {
    const drafts = inbox.details.get(conversationId)?.drafts_of_others ?? [];
    if (drafts.some(({ agent }) => agent.id === agentId)) void refreshDetails(conversationId);
  }

  /** Once for all that happens until then. A count that is lost is asked for again; one that came late changes nothing. */
  function countSoon(wait = COUNT_AFTER_MS): void {
    cancelCount ??= clock.after(wait, async () => {
      cancelCount = undefined;
      const answer = await ask("getCounts", {});
      if (!outbox) return;
      if (!answer.ok) {
        if (!isRefusal(answer.status)) countSoon(retryWaitMs(1, clock.random));
        return;
      }
      if (answer.body.number < countedAt) return;
      countedAt = answer.body.number;
      inbox = { ...inbox, counts: answer.body.views };
      change();
    });
  }

  async function refreshPeople(): Promise<void> {
    const answer = await ask("listPeople", {});
    if (!answer.ok) return;
    people = answer.body;
    change();
  }

  // What the agent does

  /** What was begun is what is sent: the next one begins at once, and not when the answer comes. */
  function send(message: Omit<MessageFromInbox, "client_id">): string {
    const clientId = opened().add(message);
    drafts?.set(message.conversation_id, message.type === "note" ? "note" : "reply", "");
    return clientId;
  }

  async function act<Name extends InboxActionName>(
    conversationIds: readonly string[],
    action: Name,
    input: InboxActionInput<Name>,
  ): Promise<BulkResult> {
    const around = { now: new Date(clock.now()).toISOString(), agents: people?.agents ?? [], tags: people?.tags ?? [] };
    const expectedChange: ExpectedChange = {
      id: ++lastChange,
      settled: false,
      apply: (conversation) => changes[action](conversation, input, around),
    };
    // By now, and not by what has come until it is asked.
    const asked = withWhatWasSeen(action, input, inbox, conversationIds);
    inbox = conversationIds.reduce((next, id) => expectChange(next, id, expectedChange), inbox);
    change();
    const [only] = conversationIds;
    const result = await afterOthers(conversationIds, () =>
      only !== undefined && conversationIds.length === 1
        ? actOnOne(only, action, asked)
        : actOnMany(conversationIds, action, asked),
    );
    const done = new Set(result.done);
    inbox = conversationIds.reduce((next, id) => endChange(next, id, expectedChange, done.has(id)), inbox);
    change();
    if (action === "read") countSoon();
    return result;
  }

  async function actOnOne<Name extends InboxActionName>(
    id: string,
    action: Name,
    input: InboxActionInput<Name>,
  ): Promise<BulkResult> {
    const answer = await ask.act(id, action, input);
    if (!answer.ok) return { done: [], failed: [{ id, ...firstReason(answer.body) }] };
    if (answer.body.epoch === follower.position?.epoch)
      inbox = learn(inbox, [answer.body.conversation], answer.body.number);
    return { done: [id], failed: [] };
  }

  async function actOnMany<Name extends InboxActionName>(
    ids: readonly string[],
    action: Name,
    input: InboxActionInput<Name>,
  ): Promise<BulkResult> {
    const answer = await ask.actOnMany(ids, action, input);
    return answer.ok ? answer.body : { done: [], failed: ids.map((id) => ({ id, ...firstReason(answer.body) })) };
  }

  // Little things

  /** Whoever is not signed in any more hears it from whatever they ask. */
  function watched(plain: AskInbox): AskInbox {
    const look = <Body>(answer: OutboxAnswer<Body>) => {
      if (!answer.ok && answer.status === UNAUTHORIZED && outbox) end();
      return answer;
    };
    const asked = ((...request: Parameters<AskInbox>) => plain(...request).then(look)) as AskInbox;
    asked.act = (...request) => plain.act(...request).then(look);
    asked.actOnMany = (...request) => plain.actOnMany(...request).then(look);
    return asked;
  }

  function again(act: () => unknown): void {
    if (!outbox || isOver) return;
    const cancel = clock.after(retryWaitMs(2, clock.random), act);
    ends.push(cancel);
  }

  function tidy(): void {
    // A page that is on its way may speak of what nothing refers to yet.
    if (loading || follower.fetching) return;
    inbox = withoutUnlisted(inbox);
    tidied = inbox.conversations.size;
  }

  function connected(to: ConnectionState): void {
    connection = to;
    change();
  }

  function change(): void {
    state = shown();
    for (const listener of listeners) {
      try {
        listener();
      } catch (error) {
        // A fault of the screen is not to stop the inbox.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  function shown(): AgentInboxState {
    const waiting = outbox?.messages() ?? [];
    const sent = new Set(
      waiting.flatMap(
        ({ conversation_id }) => inbox.threads.get(conversation_id)?.messages.map(({ client_id }) => client_id) ?? [],
      ),
    );
    return {
      ...inbox,
      connection,
      isOver,
      people,
      outbox: waitingShown(waiting.filter(({ client_id }) => !sent.has(client_id))),
      drafts: draftsShown(drafts?.conversations() ?? []),
    };
  }
}

/** Makes what is shown of what is known; for what says the same as before it is the one before, so that nothing is drawn again. */
function unlessSame<Known, Shown>(make: (known: Known) => Shown): (known: Known) => Shown {
  let before: { text: string; shown: Shown } | undefined;
  return (known) => {
    const text = JSON.stringify(known);
    if (before?.text !== text) before = { text, shown: make(known) };
    return before.shown;
  };
}

/** What is put off says up to which message it was seen: one that crosses it must not be put off unread. */
function withWhatWasSeen<Name extends InboxActionName>(
  action: Name,
  input: InboxActionInput<Name>,
  { conversations }: InboxState,
  ids: readonly string[],
): InboxActionInput<Name> {
  if (action !== "snooze") return input;
  const known = ids.flatMap((id) => conversations.get(id)?.told ?? []);
  const numbers = known.map(({ id, last_message }) => [id, last_message?.sort_number ?? 0]);
  return { ...input, after_numbers: Object.fromEntries(numbers) };
}

type Sent = InboxAnswer<"sendMessage">;

function pageOf(query: InboxQuery, before: string | null, limit: number) {
  const { unread, ...rest }: InboxQuery = query;
  return { ...rest, ...(unread && { unread: "true" as const }), ...(before !== null && { before }), limit };
}

function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    act();
  };
}
