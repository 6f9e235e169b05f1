import { canonicalId } from "@frontdesk/core/domain/id";
import { invalid, notFound } from "@frontdesk/core/domain/refusal";
import type { Context, Operation } from "../context.ts";
import type { AssistantRow } from "../storage/tables.ts";
import { type AssistantState, readGrant } from "./assistant.ts";
import { assistantById, updateAssistantRow } from "./assistant-store.ts";
import { type AskedGrant, checkGrant } from "./check-grant.ts";

export type AssistantChange = { [Field in keyof AskedGrant]?: AskedGrant[Field] | undefined } & {
  name?: string | undefined;
};

/** Changes what a connection may do; its tools follow at once, in every process. What is left out stays. */
export const updateAssistant: Operation<{ assistantId: string; change: AssistantChange }, AssistantRow> = {
  name: "update-assistant",
  mode: "write",
  async run(ctx, { assistantId, change }) {
    const before = await findAssistant(ctx, assistantId);
    const { permissions, widgets, channels } = readGrant(before);
    const grant = await checkGrant(ctx, {
      permissions: change.permissions ?? permissions,
      widgets: change.widgets ?? widgets,
      channels: change.channels ?? channels,
      agentId: change.agentId === undefined ? before.agent_id : change.agentId,
    });
    return write(ctx, {
      ...before,
      name: change.name ?? before.name,
      permissions: JSON.stringify(grant.permissions),
      widgets: JSON.stringify(grant.widgets),
      channels: JSON.stringify(grant.channels),
      agent_id: grant.agentId,
    });
  },
};

/**
 * Pauses, resumes or revokes a connection (`assistant.ts` has the states). A state that it has already is kept, and
 * nothing is recorded; a revoked one stays revoked.
 *
 * @throws Refusal `invalid` on `state` when a revoked connection should work again
 */
export const setAssistantState: Operation<{ assistantId: string; state: AssistantState }, AssistantRow> = {
  name: "set-assistant-state",
  mode: "write",
  async run(ctx, { assistantId, state }) {
    const before = await findAssistant(ctx, assistantId);
    if (before.state === state) return before;
    if (before.state === "revoked") throw invalid({ state: "This connection is revoked. Make a new one." });
    return write(ctx, { ...before, state });
  },
};

function write(ctx: Context, changed: AssistantRow): AssistantRow {
  const assistant = { ...changed, updated_at: ctx.now };
  ctx.db.announce("access");
  ctx.write(updateAssistantRow, assistant);
  ctx.record({ name: "assistant.updated", assistant });
  return assistant;
}

/** @throws Refusal `not-found`, the same for a missing one, another team's, and a text that is no id */
export async function findAssistant(ctx: Context, assistantId: string): Promise<AssistantRow> {
  const id = canonicalId(assistantId);
  const assistant = id && (await ctx.db.first(assistantById, { team_id: ctx.teamId, id }));
  if (!assistant) throw notFound("assistant");
  return assistant;
}
