/**
 * The conversations on the screen: their threads and details. Several parts of the screen may open the same one. The last
 * closed ones are kept in the state, and follow the log as open ones do.
 *
 *   absent  --open()------------------------------> loading
 *   loading --fetched-----------------------------> loaded
 *           --no answer---------------------------> loading, asked again after a wait
 *           --404---------------------------------> unknown
 *           --last close--------------------------> absent
 *   loaded  --older or missing messages, details--> loaded
 *           --last close--------------------------> kept
 * kept    --open()------------------------------> loaded, and fetched again
 *           --more than CLOSED_MAX are kept-------> absent
 *   unknown --last close--------------------------> absent
 */
import type { InboxConversationDetails, InboxThread } from "@frontdesk/core/contract/inbox";
import { type InboxContext, once } from "./inbox-context.ts";
import {
  withDetails,
  withEmptyThread,
  withoutThread,
  withShortThread,
  withThreadPage,
  withUnknownThread,
} from "./inbox-state.ts";
import { isRefusal } from "./visitor-requests.ts";

const THREAD_PAGE = 50;
const MISSING_PAGE = 100;
const NOT_FOUND = 404;
/** Closed conversations that stay in the state, to be shown at once when the agent returns to one. */
const CLOSED_MAX = 20;

export interface FetchedThread {
  page: InboxThread;
  details: InboxConversationDetails;
}

export interface InboxThreads {
  /** Keeps a conversation in the state until the returned function is called. */
  open(conversationId: string): () => void;
  /** Resolves to false when there was nothing older, or the request failed. */
  loadOlder(conversationId: string): Promise<boolean>;
  /** Fetches the newest messages and the details, with retries. */
  load(conversationId: string): Promise<void>;
  /** The open ones. */
  ids(): string[];
  /** Undefined without an answer. */
  fetch(conversationId: string): Promise<FetchedThread | "unknown" | undefined>;
  /** Fetches missing messages until there is no gap, with retries. */
  fillGaps(conversationId: string): Promise<void>;
  /** Fetches the details of an open conversation again. Those of a closed one are fetched when it is opened. */
  refreshDetails(conversationId: string): Promise<void>;
  /** An event has changed details that are being fetched: they are fetched again afterwards. */
  markOutdated(isOutdated: (conversationId: string) => boolean): void;
  /** The closed ones have been removed from the state. */
  forgetClosed(): void;
}

export function inboxThreads(
  context: InboxContext,
  viewing: { startViewing(conversationId: string): void; stopViewing(conversationId: string): void },
): InboxThreads {
  const { store, ask, position, retryLater } = context;
  const open = new Map<string, { openers: number; isOutdated: boolean }>();
  const closed = closedThreads(context);

  return {
    open(conversationId) {
      const thread = open.get(conversationId);
      if (thread) thread.openers += 1;
      else {
        open.set(conversationId, { openers: 1, isOutdated: false });
        // A kept thread is shown until the new fetch.
        if (!closed.take(conversationId)) store.inbox = withEmptyThread(store.inbox, conversationId);
        store.changed();
        if (position()) void load(conversationId);
        viewing.startViewing(conversationId);
      }
      return once(() => close(conversationId));
    },
    async loadOlder(conversationId) {
      const thread = store.inbox.threads.get(conversationId);
      const before = thread?.messages[0]?.sort_number;
      if (!thread?.hasBefore || before === undefined) return false;
      return (await loadPage(conversationId, { before, limit: THREAD_PAGE }, "older")) === "loaded";
    },
    load,
    ids: () => [...open.keys()],
    fetch: (conversationId) => fetchThread(ask, conversationId),
    fillGaps,
    refreshDetails,
    markOutdated(isOutdated) {
      for (const [id, thread] of open) if (!store.inbox.details.has(id)) thread.isOutdated ||= isOutdated(id);
    },
    forgetClosed: closed.forget,
  };

  function close(conversationId: string): void {
    const thread = open.get(conversationId);
    if (!thread) return;
    thread.openers -= 1;
    if (thread.openers > 0) return;
    open.delete(conversationId);
    viewing.stopViewing(conversationId);
    closed.add(conversationId);
    context.dropUnlisted();
    store.changed();
  }

  async function load(conversationId: string): Promise<void> {
    const answer = await fetchThread(ask, conversationId);
    if (answer === "unknown") {
      store.inbox = withUnknownThread(store.inbox, conversationId);
      store.changed();
      return;
    }
    const thread = open.get(conversationId);
    if (!thread) return;
    if (!answer) return retryLater(() => load(conversationId));
    if ([answer.page, answer.details].some(({ epoch }) => epoch !== position()?.epoch)) return;
    store.inbox = withDetails(withThreadPage(store.inbox, conversationId, answer.page, "newest"), answer.details);
    store.changed();
    void fillGaps(conversationId);
    if (thread.isOutdated) void refreshDetails(conversationId);
    thread.isOutdated = false;
  }

  async function fillGaps(conversationId: string): Promise<void> {
    const gap = () => store.inbox.threads.get(conversationId)?.missingAfter ?? null;
    for (let after = gap(), filled: number | null = null; after !== null && after !== filled; after = gap()) {
      const outcome = await loadPage(conversationId, { after, limit: MISSING_PAGE }, "missing");
      if (outcome === "lost") retryLater(() => fillGaps(conversationId));
      if (outcome !== "loaded") return;
      filled = after;
    }
  }

  /** `lost`: there was no answer, and another attempt may get one. */
  async function loadPage(
    conversationId: string,
    query: { before?: number; after?: number; limit: number },
    kind: "older" | "missing",
  ): Promise<"loaded" | "lost" | "refused"> {
    const answer = await ask("listMessages", { params: { conversation_id: conversationId }, query });
    if (!answer.ok) return isRefusal(answer.status) ? "refused" : "lost";
    // Everything is fetched again.
    if (answer.body.epoch !== position()?.epoch) return "refused";
    store.inbox = withThreadPage(store.inbox, conversationId, answer.body, kind);
    store.changed();
    return "loaded";
  }

  async function refreshDetails(conversationId: string): Promise<void> {
    if (!open.has(conversationId)) return;
    const answer = await ask("getConversation", { params: { conversation_id: conversationId } });
    if (!answer.ok) {
      if (!isRefusal(answer.status)) retryLater(() => refreshDetails(conversationId));
      return;
    }
    if (answer.body.epoch !== position()?.epoch || !open.has(conversationId)) return;
    store.inbox = withDetails(store.inbox, answer.body);
    store.changed();
  }
}

/** The threads that were closed last, with their newest messages; the latest last. */
function closedThreads({ store }: InboxContext) {
  const closedIds = new Set<string>();

  return {
    /** Adds a thread that was closed. */
    add(conversationId: string): void {
      const thread = store.inbox.threads.get(conversationId);
      if (!thread?.loaded || thread.isUnknown) {
        store.inbox = withoutThread(store.inbox, conversationId);
        return;
      }
      store.inbox = withShortThread(store.inbox, conversationId, THREAD_PAGE);
      closedIds.add(conversationId);
      // A screen closes one and opens another at the same time, which may be the oldest of these.
      queueMicrotask(dropOldest);
    },
    /** The thread is opened again. Returns whether it was kept. */
    take: (conversationId: string) => closedIds.delete(conversationId),
    forget: () => closedIds.clear(),
  };

  function dropOldest(): void {
    const [oldest] = closedIds;
    if (closedIds.size <= CLOSED_MAX || oldest === undefined) return;
    closedIds.delete(oldest);
    store.inbox = withoutThread(store.inbox, oldest);
    store.changed();
  }
}

async function fetchThread(
  ask: InboxContext["ask"],
  conversationId: string,
): Promise<FetchedThread | "unknown" | undefined> {
  const params = { conversation_id: conversationId };
  const [thread, details] = await Promise.all([
    ask("listMessages", { params, query: { limit: THREAD_PAGE } }),
    ask("getConversation", { params }),
  ]);
  if (thread.ok && details.ok) return { page: thread.body, details: details.body };
  return [thread, details].some((answer) => !answer.ok && answer.status === NOT_FOUND) ? "unknown" : undefined;
}
