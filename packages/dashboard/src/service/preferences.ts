/** The agent's preferences, shared by all their browsers. A change is shown at once and stored in the background. */
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
  // A value that could not be stored is replaced by the next fetch.
  onRefused: () => void queries.invalidateQueries({ queryKey }),
});

export const preferencesQuery = queryOptions({ queryKey, queryFn: preferences.fetch, staleTime: 5 * 60_000 });

export function usePreferences(): Preferences {
  return useQuery(preferencesQuery).data ?? {};
}

/** Applies preferences that were changed in another tab. */
export function usePreferencesOfOtherTabs(): void {
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL_NAME);
    channel.onmessage = ({ data }) => queries.setQueryData(preferencesQuery.queryKey, data);
    return () => channel.close();
  }, []);
}

/** @param changes undefined removes a preference */
export function changePreferences(changes: { [Name in keyof Preferences]?: Preferences[Name] | undefined }): void {
  const before = queries.getQueryData(preferencesQuery.queryKey);
  if (!before) {
    // All preferences are stored together: unknown ones must not be lost.
    queries.ensureQueryData(preferencesQuery).then(
      () => changePreferences(changes),
      () => {},
    );
    return;
  }
  preferences.choose({ ...before, ...changes } as Preferences);
}
