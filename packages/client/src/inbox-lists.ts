/**
 * The lists on the screen. Several parts of it may open the same one; it stays until the last of them has closed it.
 *
 *   closed --open()------> empty
 *   empty  --first page--> loaded
 *          --no answer---> empty, asked again after a wait
 *   loaded --loadMore()--> loaded, one page longer
 *   any    --last close--> closed
 *
 * An event inserts conversations where they belong in each list (inbox-state.ts); a list is fetched again only together with
 * everything else (fetch-inbox.ts).
 */
import type { InboxList } from "@frontdesk/core/contract/inbox";
import type { InboxQuery } from "@frontdesk/core/domain/inbox";
import { type InboxContext, once } from "./inbox-context.ts";
import { listKey, withEmptyList, withListPage, withoutList } from "./inbox-state.ts";

const LIST_PAGE = 50;
const LIST_PAGE_MAX = 100;

export interface FetchedList {
  query: InboxQuery;
  page: InboxList;
}

export interface InboxLists {
  /** Keeps a list in the state until the returned function is called. */
  open(query: InboxQuery): () => void;
  /** Resolves to false when there was nothing more, or the request failed. */
  loadMore(query: InboxQuery): Promise<boolean>;
  /** Fetches the first page, with retries. */
  load(query: InboxQuery): Promise<boolean>;
  /** The open ones. */
  queries(): InboxQuery[];
  /** As much of a list as is on the screen; undefined without an answer. */
  fetch(query: InboxQuery): Promise<FetchedList | undefined>;
}

export function inboxLists({ store, ask, position, retryLater, dropUnlisted }: InboxContext): InboxLists {
  const open = new Map<string, { query: InboxQuery; openers: number }>();

  return {
    open(query) {
      const key = listKey(query);
      const list = open.get(key);
      open.set(key, { query, openers: (list?.openers ?? 0) + 1 });
      if (!list) {
        store.inbox = withEmptyList(store.inbox, query);
        store.changed();
        if (position()) void load(query);
      }
      return once(() => close(query));
    },
    async loadMore(query) {
      const next = store.inbox.lists.get(listKey(query))?.next ?? null;
      return next !== null && loadPage(query, next);
    },
    load,
    queries: () => [...open.values()].map(({ query }) => query),
    async fetch(query) {
      const shown = store.inbox.lists.get(listKey(query))?.ids.length ?? 0;
      const limit = Math.min(LIST_PAGE_MAX, Math.max(LIST_PAGE, shown));
      const answer = await ask("listConversations", { query: pageOf(query, null, limit) });
      return answer.ok ? { query, page: answer.body } : undefined;
    },
  };

  function close(query: InboxQuery): void {
    const key = listKey(query);
    const list = open.get(key);
    if (!list) return;
    if (list.openers > 1) {
      open.set(key, { query, openers: list.openers - 1 });
      return;
    }
    open.delete(key);
    store.inbox = withoutList(store.inbox, query);
    dropUnlisted();
    store.changed();
  }

  function load(query: InboxQuery): Promise<boolean> {
    return loadPage(query, null);
  }

  async function loadPage(query: InboxQuery, before: string | null): Promise<boolean> {
    const answer = await ask("listConversations", { query: pageOf(query, before, LIST_PAGE) });
    if (!answer.ok) {
      // The screen asks for a later page again itself.
      if (before === null && open.has(listKey(query))) retryLater(() => load(query));
      return false;
    }
    if (answer.body.epoch !== position()?.epoch) return false;
    store.inbox = withListPage(store.inbox, query, answer.body, before);
    store.changed();
    return true;
  }
}

function pageOf(query: InboxQuery, before: string | null, limit: number) {
  const { unread, tag_ids, agent_ids, ...rest }: InboxQuery = query;
  return {
    ...rest,
    ...(tag_ids && { tag_ids: tag_ids.join() }),
    ...(agent_ids && { agent_ids: agent_ids.join() }),
    ...(unread && { unread: "true" as const }),
    ...(before !== null && { before }),
    limit,
  };
}
