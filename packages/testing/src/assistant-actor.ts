/** Assistants as actors of operations, and fixtures without an operation. */
import { assistantPermissionNames } from "@frontdesk/core/domain/assistant-permissions";
import type { AssistantActor } from "@frontdesk/server/access/actor";
import { uuidv7 } from "@frontdesk/server/ids";
import type { TestTeam } from "./test-kit.ts";

const newId = uuidv7(() => Date.parse("2026-11-20T09:00:00.000Z"));

/** An assistant of the team with all permissions that speaks as Ada, unless given otherwise. */
export function assistantOf(team: TestTeam, granted: Partial<AssistantActor> = {}): AssistantActor {
  return {
    kind: "assistant",
    teamId: team.teamId,
    assistantId: newId(),
    name: "Robin",
    agentId: team.ada.id,
    createdBy: team.ada.id,
    permissions: assistantPermissionNames,
    widgets: "all",
    channels: "all",
    ...granted,
  };
}
