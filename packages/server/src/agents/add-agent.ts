import type { AgentRole, AgentStatus } from "@frontdesk/core/domain/agent";
import { foldText } from "@frontdesk/core/domain/folded-text";
import type { Context } from "../context.ts";
import type { AgentRow } from "../storage/tables.ts";
import { insertAgent, insertSignIn } from "./agent-store.ts";

/** Adds a person to the team and to the sign-in directory; the caller has checked that the e-mail is free. */
export function addAgent(
  ctx: Context,
  person: { email: string; name: string | null; role: AgentRole; status: AgentStatus; passwordHash: string | null },
): AgentRow {
  const agent: AgentRow = {
    team_id: ctx.teamId,
    id: ctx.newId(),
    email: person.email,
    email_folded: foldText(person.email),
    name: person.name,
    role: person.role,
    status: person.status,
    online_status: "offline",
    profile_photo_url: null,
    resized_profile_photo_url: null,
    password_hash: person.passwordHash,
    created_at: ctx.now,
    last_active_at: 0,
    availability: "auto",
    removed_at: null,
    account_id: null,
  };
  ctx.write(insertAgent, agent);
  ctx.write(insertSignIn, { email_folded: agent.email_folded, team_id: ctx.teamId, agent_id: agent.id });
  ctx.count("agents", 1);
  return agent;
}
