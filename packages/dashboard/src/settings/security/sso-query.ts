import type { SsoSettings } from "@frontdesk/core/contract/session-sso";
import { queryOptions } from "@tanstack/react-query";
import { askSession } from "../../service/ask-session.ts";
import { queries } from "../../service/queries.ts";
import { problemText } from "../../ui/problem-text.ts";
import { showProblem } from "../../ui/toast.ts";

export const ssoQuery = queryOptions({ queryKey: ["sso"], queryFn: () => askSession("getSsoSettings") });

/** Every change answers with the settings after it. */
export async function changingSso(change: Promise<SsoSettings>): Promise<void> {
  queries.setQueryData(ssoQuery.queryKey, await change);
}

/** The same for a control without a place for its problem. */
export function changeSso(change: Promise<SsoSettings>): Promise<void> {
  return changingSso(change).catch((error) => showProblem(problemText(error)));
}
