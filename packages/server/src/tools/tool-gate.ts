import { type AssistantPermission, assistantPermissions } from "@frontdesk/core/domain/assistant-permissions";
import { because, type NamedReason } from "@frontdesk/core/domain/reasons";
import { notAllowed, notFound, Refusal } from "@frontdesk/core/domain/refusal";
import type { KnownAssistant } from "../access/authenticate.ts";
import type { CallOutcome } from "../assistants/log-tool-calls.ts";
import type { Perform } from "../perform.ts";
import type { CallLog } from "./call-log.ts";
import { refusalSentence } from "./refusal-sentence.ts";
import type { ServedTool } from "./served-tool.ts";
import { servedTools } from "./served-tools.ts";
import { loggedArguments, readArguments } from "./tool-arguments.ts";

/** The caller, and the surface of the call. */
export interface Caller {
  connection: KnownAssistant;
  /** True at `/mcp/readonly`, where no tool changes anything. */
  readOnly: boolean;
}

/** One call of one tool, over any surface. */
export type CallTool = (caller: Caller, name: string, given: unknown) => Promise<object>;

/**
 * The one gate that every call of a tool goes through, whatever the protocol (specification, "Assistant tool interface"):
 *
 * ```
 * is there such a tool?  ->  is the connection live?  ->  was it granted?  ->  do the arguments fit?  ->  the operation
 *        (50, 61)                  (51)                      (50)                    (61)               |
 *                                                          the call log  <--------------------------------'
 * ```
 * A change is logged in its own commit, what changes nothing beside it (docs/decisions/0019).
 *
 * @returns calls a tool; it throws a Refusal when the product says no: `not-found` on `tool` for a name that no tool has
 */
export function createToolGate({ perform, log, now }: { perform: Perform; log: CallLog; now: () => number }): CallTool {
  return async ({ connection, readOnly }, name, given) => {
    const served = servedTools.get(name);
    if (!served) throw notFound("tool");

    const began = performance.now();
    const { teamId, assistantId } = connection.actor;
    const call = { assistantId, tool: name, arguments: loggedArguments(given), calledAt: now() };
    const logEntry = () => ({ ...call, durationMs: Math.round(performance.now() - began) });
    const note = (outcome: CallOutcome, message: string | null) => log.add(teamId, { ...logEntry(), outcome, message });

    try {
      mayCall(connection, served, readOnly);
      const result = await served.run({
        perform,
        actor: connection.actor,
        arguments: readArguments(served.tool, given),
        logEntry,
      });
      if (served.tool.annotations.readOnlyHint) note("done", null);
      return result;
    } catch (error) {
      if (error instanceof Refusal) note("refused", refusalSentence(error));
      else note("failed", null);
      throw error;
    }
  };
}

/** @throws Refusal `not-allowed`, naming what is missing and who can grant it */
function mayCall({ live, creatorCanAct, actor }: KnownAssistant, { tool }: ServedTool, readOnly: boolean): void {
  if (!creatorCanAct) throw notAllowed("connection-creator-deactivated");
  if (!live) throw notAllowed("connection-not-live");
  if (!actor.permissions.includes(tool.permission)) throw notAllowed(missing(tool.permission));
  if (readOnly && !tool.annotations.readOnlyHint) {
    throw notAllowed("read-only-address");
  }
}

function missing(permission: AssistantPermission): NamedReason {
  const { label } = assistantPermissions[permission];
  return because("lacks-permission", { permission, label });
}
