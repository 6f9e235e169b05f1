/** The signed-in agent and their permissions. */
import type { Me } from "@frontdesk/core/contract/session";
import type { OperationName } from "@frontdesk/core/domain/policy";
import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { askSession } from "./ask-session.ts";
import { queries } from "./queries.ts";

export const meQuery = queryOptions({ queryKey: ["me"], queryFn: () => askSession("getMe"), staleTime: 60_000 });

/** Only within screens of a signed-in agent, where it is loaded. */
export function useMe(): Me {
  return useSuspenseQuery(meQuery).data;
}

/** Whether the agent's role allows this: by the service's own policy table. */
export function useMay(name: OperationName): boolean {
  return useMe().may.includes(name);
}

export function signedIn(me: Me): void {
  queries.clear();
  queries.setQueryData(meQuery.queryKey, me);
}
