import { type AgentRole, canAct, FORMER_COLLEAGUE, formerEmail } from "@frontdesk/core/domain/agent";
import { foldText } from "@frontdesk/core/domain/folded-text";
import { invalid, notFound } from "@frontdesk/core/domain/refusal";
import { tokenHash } from "../access/token.ts";
import type { Context, Operation } from "../context.ts";
import { fileTokenIn } from "../files/file-address.ts";
import { beginErasure } from "../privacy/begin-erasure.ts";
import { giveUpFile } from "../privacy/erase-rows-store.ts";
import type { AgentRow } from "../storage/tables.ts";
import { doer } from "./acting-agent.ts";
import { handOver, leaveTeam } from "./deactivate-agent.ts";
import { findAgent } from "./find-agent.ts";
import { requireAnotherOwner, requireReach } from "./manage-agent.ts";
import { deletionsOfAgent, removeAgentRow, revokeAssistantsOf, revokeKeysOf } from "./remove-agent-store.ts";

interface AgentToRemove {
  agentId: string;
  /** Who gets the conversations that are still theirs; null for no one. */
  handOverTo?: string | null | undefined;
  /** They were removed before, and a restored backup has them again, maybe as active. */
  again?: true;
}

/**
 * Deletes the personal data of a deactivated agent (docs/decisions/0058-former-colleagues.md): the row and its id stay, so that
 * what they wrote and did has an author, who is a "Former colleague". Where the name is stored with what they did, a job
 * replaces it. Their address can be invited again. Cannot be undone; a repeat changes nothing.
 *
 * @throws Refusal `not-found`; `not-allowed` for a role above one's own; `invalid` on `agent` for one who is not deactivated, and on
 *   `hand_over_to` for an agent who cannot be assigned
 */
export const removeAgent: Operation<AgentToRemove, AgentRow> = {
  name: "remove-agent",
  mode: "write",
  async run(ctx, { agentId, handOverTo = null, again }) {
    const found = await findAgent(ctx, agentId);
    if (found.account_id !== null) throw notFound("agent");
    requireReach(ctx, found.role as AgentRole);
    if (found.removed_at !== null && again) throw notFound("agent");
    if (found.removed_at !== null) return found;
    if (canAct(found) && !again) throw invalid({ agent: "not-deactivated" });
    if (canAct(found)) await requireAnotherOwner(ctx, found, "agent");
    const before = canAct(found) ? leaveTeam(ctx, found) : found;
    const agent = withoutPerson(before, ctx.now);
    await handOver(ctx, agent, handOverTo);
    deleteOwn(ctx, before);
    ctx.write(removeAgentRow, agent);
    ctx.db.announce("access");
    ctx.record({ name: "agent.updated", agent });
    // The name in what they did, and the address in what assistants were asked, are erased by the job.
    const by = await doer(ctx, undefined);
    const erasure = beginErasure(ctx, { what: "agent", of: { agent_id: agent.id }, by, text: before.email });
    ctx.enqueue({ kind: "erase", payload: { erasureId: erasure.id } });
    return agent;
  },
};

const withoutPerson = (before: AgentRow, now: number): AgentRow => ({
  ...before,
  email: formerEmail(before.id),
  email_folded: foldText(formerEmail(before.id)),
  name: FORMER_COLLEAGUE,
  profile_photo_url: null,
  resized_profile_photo_url: null,
  password_hash: null,
  last_active_at: 0,
  availability: "auto",
  removed_at: now,
});

function deleteOwn(ctx: Context, { id: agent_id, email_folded, profile_photo_url: photo }: AgentRow): void {
  const own = { team_id: ctx.teamId, agent_id };
  for (const deletion of Object.values(deletionsOfAgent)) ctx.write(deletion, { ...own, email_folded });
  ctx.write(revokeKeysOf, { ...own, revoked_at: ctx.now });
  ctx.write(revokeAssistantsOf, { ...own, updated_at: ctx.now });
  const token = photo === null ? undefined : fileTokenIn(photo, ctx.teamId);
  if (token) ctx.write(giveUpFile, { team_id: ctx.teamId, token_hash: tokenHash(token) });
}
