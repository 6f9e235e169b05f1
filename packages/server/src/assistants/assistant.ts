import type { AssistantPermission } from "@frontdesk/core/domain/assistant-permissions";
import { assistantPermissionNames } from "@frontdesk/core/domain/assistant-permissions";
import type { ChannelToGrant } from "@frontdesk/core/domain/conversation";
import type { AssistantActor } from "../access/actor.ts";
import type { AssistantRow } from "../storage/tables.ts";

/**
 * A connection of an assistant (decision 49), as its row keeps it in JSON.
 *
 * ```
 * created --> active <--(pause, resume)--> paused
 *                '-----------(revoke)---------'--> revoked, for good
 * ```
 */
export type AssistantState = "active" | "paused" | "revoked";

/** Everything of a kind, also what comes later; or these. */
export type Granted<Name extends string> = "all" | readonly Name[];

/** What a connection was granted. */
export interface Grant {
  permissions: readonly AssistantPermission[];
  /** Ids of widgets: conversations of the website. */
  widgets: Granted<string>;
  /** Conversations of the other channels. */
  channels: Granted<ChannelToGrant>;
}

export function readGrant(row: Pick<AssistantRow, "permissions" | "widgets" | "channels">): Grant {
  const stored = JSON.parse(row.permissions) as string[];
  return {
    permissions: assistantPermissionNames.filter((name) => stored.includes(name)),
    widgets: JSON.parse(row.widgets) as Granted<string>,
    channels: JSON.parse(row.channels) as Granted<ChannelToGrant>,
  };
}

/** A connection as an actor, with what it is granted at present. */
export function assistantActor(row: AssistantRow): AssistantActor {
  return {
    kind: "assistant",
    teamId: row.team_id,
    assistantId: row.id,
    name: row.name,
    agentId: row.agent_id,
    createdBy: row.created_by,
    ...readGrant(row),
  };
}

/** "Live connection": active, with at least one widget or channel (decision 49). */
export function isLive(state: string, { widgets, channels }: Pick<Grant, "widgets" | "channels">): boolean {
  return state === "active" && (widgets.length > 0 || channels.length > 0);
}
