/** How an agent likes the dashboard, the same in every browser of theirs. A change is shown at once and stored behind it. */
import type { Preferences } from "@frontdesk/core/contract/inbox";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { askInbox } from "./ask-inbox.ts";
import { queries } from "./queries.ts";

export const preferencesQuery = queryOptions({
  queryKey: ["preferences"],
  queryFn: () => askInbox("getPreferences").then(({ preferences }) => preferences),
  staleTime: 5 * 60_000,
});

export function usePreferences(): Preferences {
  return useQuery(preferencesQuery).data ?? {};
}

export function changePreferences(changes: Partial<Preferences>): void {
  const next = { ...queries.getQueryData(preferencesQuery.queryKey), ...changes };
  queries.setQueryData(preferencesQuery.queryKey, next);
  // What could not be stored is seen again with the next fetch.
  askInbox("putPreferences", { body: next }).catch(() =>
    queries.invalidateQueries({ queryKey: preferencesQuery.queryKey }),
  );
}
