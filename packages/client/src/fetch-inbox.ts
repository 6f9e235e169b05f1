/** Fetches everything on the screen: at first, and when the log was cut or an event carries too little. */
import type { InboxCounts } from "@frontdesk/core/contract/inbox";
import type { LogPosition } from "./follow-log.ts";
import type { InboxContext } from "./inbox-context.ts";
import type { FetchedList, InboxLists } from "./inbox-lists.ts";
import {
  emptyInbox,
  type InboxState,
  listKey,
  withDetails,
  withEmptyList,
  withEmptyThread,
  withListPage,
  withThreadPage,
} from "./inbox-state.ts";
import type { FetchedThread, InboxThreads } from "./inbox-threads.ts";

export interface FetchedInbox extends LogPosition {
  counts: InboxCounts;
  lists: FetchedList[];
  threads: (FetchedThread & { id: string })[];
}

/**
 * Undefined when a part has no answer, or the parts are of different logs. A thread without an answer is fetched again later.
 */
export async function fetchInbox(
  ask: InboxContext["ask"],
  lists: InboxLists,
  threads: InboxThreads,
): Promise<FetchedInbox | undefined> {
  const [counts, listAnswers, threadAnswers] = await Promise.all([
    ask("getCounts", {}),
    Promise.all(lists.queries().map(lists.fetch)),
    Promise.all(threads.ids().map(async (id) => ({ id, thread: await threads.fetch(id) }))),
  ]);
  if (!counts.ok) return undefined;
  const fetchedLists = listAnswers.filter((list) => list !== undefined);
  const fetchedThreads = threadAnswers.flatMap(({ id, thread }) =>
    thread === undefined || thread === "unknown" ? [] : [{ id, ...thread }],
  );
  const ofThreads = fetchedThreads.flatMap(({ page, details }) => [page, details]);
  const answers = [counts.body, ...fetchedLists.map(({ page }) => page), ...ofThreads];
  const { epoch } = counts.body;
  if (fetchedLists.length < listAnswers.length || answers.some((answer) => answer.epoch !== epoch)) return undefined;
  // Each part is as of its own number; events between them are applied to the parts that are behind.
  const number = Math.min(...answers.map((answer) => answer.number));
  return { number, epoch, counts: counts.body, lists: fetchedLists, threads: fetchedThreads };
}

/** The state after the fetch. Lists and threads opened meanwhile are still empty in it and are fetched separately. */
export function replaceInbox(
  before: InboxState,
  fetched: FetchedInbox,
  lists: InboxLists,
  threads: InboxThreads,
): InboxState {
  const { me, typing, viewing, presence, erased, textsErased, filesErased, deliveries } = before;
  const kept = { typing, viewing, presence, erased, textsErased, filesErased, deliveries };
  const empty: InboxState = { ...emptyInbox(me), ...kept, counts: fetched.counts.views };
  const listed = lists.queries().reduce(withEmptyList, empty);
  const opened = threads.ids().reduce((next, id) => withEmptyThread(next, id), listed);
  const withLists = fetched.lists.reduce((next, { query, page }) => withListPage(next, query, page, null), opened);
  const all = fetched.threads.reduce(
    (next, { id, page, details }) => withDetails(withThreadPage(next, id, page, "newest"), details),
    withLists,
  );
  for (const query of lists.queries())
    if (!all.lists.get(listKey(query))?.loaded) queueMicrotask(() => lists.load(query));
  for (const id of threads.ids()) if (!all.threads.get(id)?.loaded) queueMicrotask(() => threads.load(id));
  return all;
}
