import { canBeChosen } from "@frontdesk/core/domain/agent";
import { assistantPermissionNames } from "@frontdesk/core/domain/assistant-permissions";
import { channelsToGrant } from "@frontdesk/core/domain/channel";
import { canonicalId } from "@frontdesk/core/domain/id";
import { because, type GivenReason } from "@frontdesk/core/domain/reasons";
import { invalid } from "@frontdesk/core/domain/refusal";
import { agentById } from "../agents/agent-store.ts";
import type { Context } from "../context.ts";
import { widgetById } from "../widgets/widget-store.ts";
import type { Grant } from "./assistant.ts";

/** A requested grant; every field is checked here. */
export interface AskedGrant {
  permissions: "all" | readonly string[];
  widgets: "all" | readonly string[];
  channels: "all" | readonly string[];
  /** The agent who is named as the writer of its replies; null: it cannot reply. */
  agentId: string | null;
}

/**
 * The grant in its stored form, in the order of the catalogue and without repeats.
 *
 * @throws Refusal `invalid` naming every field with a value that does not exist
 */
export async function checkGrant(ctx: Context, asked: AskedGrant): Promise<Grant & { agentId: string | null }> {
  const errors: Record<string, GivenReason> = {};
  const permissions =
    asked.permissions === "all"
      ? assistantPermissionNames
      : known(asked.permissions, assistantPermissionNames, "permissions", errors);
  const channels = asked.channels === "all" ? "all" : known(asked.channels, channelsToGrant, "channels", errors);
  const widgets = asked.widgets === "all" ? "all" : await knownWidgets(ctx, asked.widgets, errors);
  const agentId = await speaker(ctx, asked.agentId, errors);
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return { permissions, widgets, channels, agentId };
}

function known<Name extends string>(
  asked: readonly string[],
  there: readonly Name[],
  field: string,
  errors: Record<string, GivenReason>,
): readonly Name[] {
  const wrong = asked.filter((word) => !there.some((name) => name === word));
  if (wrong.length > 0)
    errors[field] = because("no-such-names", { names: wrong.map((word) => JSON.stringify(word)).join(", ") });
  return there.filter((name) => asked.includes(name));
}

async function knownWidgets(
  ctx: Context,
  asked: readonly string[],
  errors: Record<string, GivenReason>,
): Promise<string[]> {
  const ids = new Set<string>();
  for (const text of asked) {
    const id = canonicalId(text);
    const widget = id && (await ctx.db.first(widgetById, { team_id: ctx.teamId, id }));
    if (widget) ids.add(widget.id);
    else errors.widgets = "no-such-widget";
  }
  return [...ids];
}

async function speaker(
  ctx: Context,
  asked: string | null,
  errors: Record<string, GivenReason>,
): Promise<string | null> {
  if (asked === null) return null;
  const id = canonicalId(asked);
  const agent = id && (await ctx.db.first(agentById, { team_id: ctx.teamId, id }));
  if (agent && canBeChosen(agent)) return agent.id;
  errors.agent_id = "no-such-agent";
  return null;
}
