import type { ToolView } from "@frontdesk/core/contract/tool-list";
import type { Caller } from "./tool-gate.ts";

/** The tools that a caller is shown: those it was granted, and none while its connection is not live (decision 51). */
export function viewOf({ connection, readOnly }: Caller): ToolView {
  return { permissions: connection.live ? connection.actor.permissions : [], readOnly };
}
