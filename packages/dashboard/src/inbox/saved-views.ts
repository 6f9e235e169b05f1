/** The agent's saved views. They are personal: each agent has their own. */
import { listKey } from "@frontdesk/client/agent";
import type { SavedView } from "@frontdesk/core/contract/inbox";
import type { InboxQuery } from "@frontdesk/core/domain/inbox";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { askInbox } from "../service/ask-inbox.ts";
import { queries } from "../service/queries.ts";
import { useCounts } from "./live-inbox.ts";
import { viewName } from "./view-names.ts";

type CountedView = Awaited<ReturnType<typeof askSavedViews>>[number];

const askSavedViews = () => askInbox("listSavedViews").then(({ saved_views }) => saved_views);
const STALE_MS = 10_000;

export const savedViewsQuery = queryOptions({
  queryKey: ["saved-views"],
  queryFn: askSavedViews,
  staleTime: STALE_MS,
});
/** Counts are fetched with each change in the inbox, but no more often than they grow stale; and when nothing comes in. */
const COUNT_AGAIN_MS = 60_000;

/** With how many conversations each shows. */
export function useSavedViews(): readonly CountedView[] | undefined {
  const counts = useCounts();
  const { data, refetch } = useQuery({
    ...savedViewsQuery,
    refetchInterval: ({ state }) => (state.data?.length ? COUNT_AGAIN_MS : false),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the counts of the views have changed, so may these
  useEffect(() => {
    const known = queries.getQueryState(savedViewsQuery.queryKey);
    if (known?.data?.length && Date.now() - known.dataUpdatedAt > STALE_MS) void refetch();
  }, [counts, refetch]);
  return data;
}

/** The saved view that shows this list, if there is one. */
export function savedViewOf(views: readonly SavedView[] | undefined, query: InboxQuery): SavedView | undefined {
  const key = listKey(query);
  return views?.find((view) => listKey(view.query) === key);
}

export function useSavedView(query: InboxQuery): SavedView | undefined {
  return savedViewOf(useQuery(savedViewsQuery).data, query);
}

/** The name of the saved view, or of the view that is narrowed. */
export const useListName = (query: InboxQuery): string => useSavedView(query)?.name ?? viewName(query.view);

const changed = () => queries.invalidateQueries({ queryKey: savedViewsQuery.queryKey });

export async function addSavedView(name: string, query: InboxQuery): Promise<void> {
  await askInbox("addSavedView", { body: { name, query } });
  await changed();
}

export async function renameSavedView(id: string, name: string): Promise<void> {
  await askInbox("updateSavedView", { params: { id }, body: { name } });
  await changed();
}

export async function removeSavedView(id: string): Promise<void> {
  await askInbox("removeSavedView", { params: { id } });
  await changed();
}
