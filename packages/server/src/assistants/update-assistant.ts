import type { AssistantPermission } from "@frontdesk/core/domain/assistant-permissions";
import { invalid, nothingToChange } from "@frontdesk/core/domain/refusal";
import { endGrantsOf } from "../authorization/end-grant.ts";
import type { Context, Operation } from "../context.ts";
import type { AssistantRow } from "../storage/tables.ts";
import { type AssistantState, type AssistantWithCreator, type Grant, type Granted, readGrant } from "./assistant.ts";
import { updateAssistantRow } from "./assistant-store.ts";
import { type AskedGrant, checkGrant } from "./check-grant.ts";
import { findAssistant } from "./get-assistant.ts";
import { requireScopes } from "./require-scopes.ts";

export type AssistantChange = { [Field in keyof AskedGrant]?: AskedGrant[Field] | undefined } & {
  name?: string | undefined;
};

/**
 * Changes what a connection may do, in at least one field; its tools change at once, in every process. What is left out stays.
 * A repeat changes nothing more.
 *
 * @throws Refusal `not-found`; `invalid` as `checkGrant`, or on `state` when it is revoked; `not-allowed` as `requireScopes`
 */
export const updateAssistant: Operation<{ assistantId: string; change: AssistantChange }, AssistantWithCreator> = {
  name: "update-assistant",
  mode: "write",
  async run(ctx, { assistantId, change }) {
    const before = await findAssistant(ctx, assistantId);
    if (Object.values(change).every((value) => value === undefined)) {
      throw nothingToChange(["name", "permissions", "widgets", "channels", "agent_id"]);
    }
    refuseRevoked(before);
    const had: Speaking = { ...readGrant(before), agentId: before.agent_id };
    const grant = await checkGrant(ctx, {
      permissions: change.permissions ?? had.permissions,
      widgets: change.widgets ?? had.widgets,
      channels: change.channels ?? had.channels,
      // A deactivated agent stays until another is named: meanwhile the connection cannot reply, and its refusal says so.
      agentId: change.agentId === undefined ? null : change.agentId,
    });
    const agentId = change.agentId === undefined ? had.agentId : grant.agentId;
    requireScopes(ctx.actor, gained(had, { ...grant, agentId }));
    return write(ctx, {
      ...before,
      name: change.name ?? before.name,
      permissions: JSON.stringify(grant.permissions),
      widgets: JSON.stringify(grant.widgets),
      channels: JSON.stringify(grant.channels),
      agent_id: agentId,
    });
  },
};

/**
 * Pauses, resumes or revokes a connection (`assistant.ts` has the states). A state that it has already is kept, and
 * nothing is recorded; a revoked one stays revoked.
 *
 * @throws Refusal `not-found`; `invalid` on `state` when a revoked connection should work again; `not-allowed` as
 *   `requireScopes` when a key resumes it
 */
export const setAssistantState: Operation<{ assistantId: string; state: AssistantState }, AssistantWithCreator> = {
  name: "set-assistant-state",
  mode: "write",
  async run(ctx, { assistantId, state }) {
    const before = await findAssistant(ctx, assistantId);
    if (before.state === state) return before;
    refuseRevoked(before);
    if (state === "active") requireScopes(ctx.actor, readGrant(before).permissions);
    if (state === "revoked") await endGrantsOf(ctx, before.id);
    return write(ctx, { ...before, state });
  },
};

/** @throws Refusal `invalid` on `state`: a change of a revoked connection would have no effect */
export function refuseRevoked({ state }: Pick<AssistantRow, "state">): void {
  if (state === "revoked") throw invalid({ state: "connection-revoked" });
}

type Speaking = Grant & { agentId: string | null };

/** The permissions that a change extends: new ones; all, when more can be seen or another agent speaks. */
function gained(had: Speaking, has: Speaking): readonly AssistantPermission[] {
  const speaks = has.agentId !== null && has.agentId !== had.agentId;
  if (speaks || isWider(had.widgets, has.widgets) || isWider(had.channels, has.channels)) return has.permissions;
  return has.permissions.filter((name) => !had.permissions.includes(name));
}

function isWider(had: Granted<string>, has: Granted<string>): boolean {
  return had !== "all" && (has === "all" || has.some((name) => !had.includes(name)));
}

function write(ctx: Context, changed: AssistantWithCreator): AssistantWithCreator {
  const assistant = { ...changed, updated_at: ctx.now };
  ctx.db.announce("access");
  ctx.write(updateAssistantRow, assistant);
  ctx.record({ name: "assistant.updated", assistant });
  return assistant;
}
