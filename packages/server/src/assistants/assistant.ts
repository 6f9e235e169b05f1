import { type AgentRole, canAct, isOfRank } from "@frontdesk/core/domain/agent";
import type { AssistantPermission } from "@frontdesk/core/domain/assistant-permissions";
import { assistantPermissionNames } from "@frontdesk/core/domain/assistant-permissions";
import type { ChannelToGrant } from "@frontdesk/core/domain/channel";
import { permissionsWithin, scopesOfAgent } from "@frontdesk/core/domain/policy";
import type { AssistantActor } from "../access/actor.ts";
import type { AssistantRow } from "../storage/tables.ts";

/**
 * A connection of an assistant (decision 49), as its row stores it in JSON.
 *
 * ```
 * created --> active <--(pause, resume)--> paused
 *                '-----------(revoke)---------'--> revoked, for good
 * ```
 */
export type AssistantState = "active" | "paused" | "revoked";

/** Everything of a kind, including later additions; or these. */
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

/** A connection with the role and status of the agent who created it; null where no agent did. */
export interface AssistantWithCreator extends AssistantRow {
  creator_role: string | null;
  creator_status: string | null;
}

/**
 * A connection as an actor, with what it may do at present: its grant, as far as its creator may do it
 * (docs/decisions/0031-power-of-keys.md).
 */
export function assistantActor(row: AssistantWithCreator): AssistantActor {
  const grant = readGrant(row);
  return {
    kind: "assistant",
    teamId: row.team_id,
    assistantId: row.id,
    name: row.name,
    agentId: row.agent_id,
    createdBy: row.created_by,
    ...grant,
    permissions: grant.permissions.filter((permission) => creatorPermissions(row).includes(permission)),
  };
}

/**
 * "Live connection": active, with at least one widget or channel (decision 49), of a creator who is not deactivated, and for an app
 * still an admin.
 */
export function isLive(row: AssistantWithCreator): boolean {
  const { widgets, channels } = readGrant(row);
  if (row.state !== "active" || !creatorCanAct(row) || !creatorMayConnect(row)) return false;
  return widgets.length > 0 || channels.length > 0;
}

/** An app acts through an account of the person who has allowed it: they have to be one who may (decision record 0068). */
function creatorMayConnect({ app, creator_role: role }: AssistantWithCreator): boolean {
  return app === null || (role !== null && isOfRank(role as AgentRole, "admin"));
}

/** Whether the creator is an agent who is not deactivated, or the operator. */
export function creatorCanAct({ creator_status: status }: Pick<AssistantWithCreator, "creator_status">): boolean {
  return status === null || canAct({ status });
}

/** What the creator may do at present, in permissions; the operator may do everything. */
export function creatorPermissions({ creator_role: role, creator_status: status }: AssistantWithCreator) {
  if (role === null || status === null) return assistantPermissionNames;
  return permissionsWithin(scopesOfAgent({ role, status }));
}
