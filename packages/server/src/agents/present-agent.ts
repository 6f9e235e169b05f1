import type { Agent } from "@frontdesk/core/contract";
import { isBuiltInAi, isPerson } from "@frontdesk/core/domain/agent";
import type { AgentRow } from "../storage/tables.ts";

/** An agent as the REST API shows it. */
export function presentAgent(row: AgentRow): Agent {
  return {
    type: "agent-user",
    id: row.id,
    attributes: {
      // The address of a removed one, and of a row that is no person, is a placeholder.
      email: row.removed_at === null && isPerson(row) ? row.email : null,
      name: row.name,
      status: row.status as Agent["attributes"]["status"],
      online_status: row.online_status as Agent["attributes"]["online_status"],
      profile_photo_url: row.profile_photo_url,
      resized_profile_photo_url: row.resized_profile_photo_url,
      role: isBuiltInAi(row) ? null : (row.role as Agent["attributes"]["role"]),
    },
  };
}
