/** How an agent likes the dashboard, the same in every browser of theirs. A change is shown at once and stored behind it. */
import type { Preferences } from "@frontdesk/core/contract/inbox";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { askInbox } from "./ask-inbox.ts";
import { optimisticValue } from "./optimistic-value.ts";
import { queries } from "./queries.ts";

const queryKey = ["preferences"];
const CHANNEL_NAME = "frontdesk:preferences";

const preferences = optimisticValue<Preferences>({
  get: () => askInbox("getPreferences").then(({ preferences }) => preferences),
  put: (next) => askInbox("putPreferences", { body: next }),
  shown: () => queries.getQueryData(queryKey),
  show(next) {
    queries.setQueryData(queryKey, next);
    const channel = new BroadcastChannel(CHANNEL_NAME);
    channel.postMessage(next);
    channel.close();
  },
  // What could not be stored is seen again with the next fetch.
  onRefused: () => void queries.invalidateQueries({ queryKey }),
});

export const preferencesQuery = queryOptions({ queryKey, queryFn: preferences.fetch, staleTime: 5 * 60_000 });

export function usePreferences(): Preferences {
  return useQuery(preferencesQuery).data ?? {};
}

/** A preference that is changed in one tab holds in all of them. */
export function usePreferencesOfOtherTabs(): void {
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL_NAME);
    channel.onmessage = ({ data }) => queries.setQueryData(preferencesQuery.queryKey, data);
    return () => channel.close();
  }, []);
}

/** @param changes what is undefined is forgotten */
export function changePreferences(changes: { [Name in keyof Preferences]?: Preferences[Name] | undefined }): void {
  const before = queries.getQueryData(preferencesQuery.queryKey);
  if (!before) {
    // All of them are stored together: what is not known yet must not be forgotten.
    queries.ensureQueryData(preferencesQuery).then(
      () => changePreferences(changes),
      () => {},
    );
    return;
  }
  preferences.choose({ ...before, ...changes } as Preferences);
}
