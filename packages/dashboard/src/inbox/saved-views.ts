/** The agent's saved views. They are personal: each agent has their own. */
import { listKey } from "@frontdesk/client/agent";
import type { SavedView } from "@frontdesk/core/contract/inbox";
import type { InboxQuery } from "@frontdesk/core/domain/inbox";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { askInbox } from "../service/ask-inbox.ts";
import { queries } from "../service/queries.ts";
import { viewName } from "./view-names.ts";

export const savedViewsQuery = queryOptions({
  queryKey: ["saved-views"],
  queryFn: () => askInbox("listSavedViews").then(({ saved_views }) => saved_views),
  staleTime: 60_000,
});

/** The saved view that shows this list, if there is one. */
export function savedViewOf(views: readonly SavedView[] | undefined, query: InboxQuery): SavedView | undefined {
  const key = listKey(query);
  return views?.find((view) => listKey(view.query as InboxQuery) === key);
}

/** The name of the saved view, or of the view that is narrowed. */
export function useListName(query: InboxQuery): string {
  const { data } = useQuery(savedViewsQuery);
  return savedViewOf(data, query)?.name ?? viewName(query.view);
}

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
