import type { Preferences } from "@frontdesk/core/contract/inbox";
import { invalid } from "@frontdesk/core/domain/refusal";
import type { Context, Operation } from "../context.ts";
import { inboxAgentId } from "./inbox-agent.ts";
import { preferencesOf, putPreferences } from "./preferences-store.ts";

/** The agent's preferences for the dashboard; empty until they are set. */
export const getPreferences: Operation<Record<never, never>, Preferences> = {
  name: "get-preferences",
  mode: "read",
  async run(ctx) {
    return ownPreferences(ctx);
  },
};

/** The same for another operation of the agent. */
export async function ownPreferences(ctx: Context): Promise<Preferences> {
  const row = await ctx.db.first(preferencesOf, { team_id: ctx.teamId, agent_id: inboxAgentId(ctx) });
  return row ? JSON.parse(row.value) : {};
}

/**
 * Replaces the agent's preferences for the dashboard.
 *
 * @throws Refusal `invalid` when they are more than `mostBytes` of JSON
 */
export const setPreferences: Operation<{ preferences: Preferences; mostBytes: number }, Preferences> = {
  name: "set-preferences",
  mode: "write",
  async run(ctx, { preferences, mostBytes }) {
    const value = JSON.stringify(preferences);
    if (Buffer.byteLength(value) > mostBytes) throw invalid({ preferences: "preferences-too-large" });
    ctx.write(putPreferences, { team_id: ctx.teamId, agent_id: inboxAgentId(ctx), value });
    return preferences;
  },
};
