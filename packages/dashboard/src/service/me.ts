/** Who is signed in, and what they may. */
import type { Me } from "@frontdesk/core/contract/session";
import type { OperationName } from "@frontdesk/core/domain/policy";
import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { askSession } from "./ask-session.ts";
import { queries } from "./queries.ts";

export const meQuery = queryOptions({ queryKey: ["me"], queryFn: () => askSession("getMe"), staleTime: 60_000 });

/** Only below the screens of a signed-in agent, where it is known. */
export function useMe(): Me {
  return useSuspenseQuery(meQuery).data;
}

/** Whether the signed-in agent's role may do this: the same table as the service's. */
export function useMay(name: OperationName): boolean {
  return useMe().may.includes(name);
}

export function signedIn(me: Me): void {
  queries.clear();
  queries.setQueryData(meQuery.queryKey, me);
}
