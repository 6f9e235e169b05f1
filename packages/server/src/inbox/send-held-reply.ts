import { type AgentRole, canAct } from "@frontdesk/core/domain/agent";
import { invalid, notAllowed } from "@frontdesk/core/domain/refusal";
import type { AgentActor } from "../access/actor.ts";
import { agentById } from "../agents/agent-store.ts";
import type { Operation } from "../context.ts";
import { noteNotForwarded, sendForward } from "../email/out/forward-mail.ts";
import type { Database } from "../storage/database.ts";
import type { HeldReplyRow } from "../storage/tables.ts";
import type { FiredTimer, TimerHandler } from "../timers/timer.ts";
import { heldForward, heldInput, returnToDraft } from "./held-reply.ts";
import { type ForwardState, type HeldState, heldReplyByClientId, putHeldReply } from "./held-reply-store.ts";
import { sendFromInbox } from "./send-from-inbox.ts";

/** Run by the timer of a held reply that nothing has sent or undone; without one, when it was sent or undone, it changes nothing. */
const returnHeldReply: Operation<FiredTimer<"send-held-reply">, void> = {
  name: "return-held-reply",
  mode: "write",
  async run(ctx, { subjectId }) {
    const held = await stillHeld(ctx.db, ctx.teamId, subjectId);
    if (!held) return;
    await returnToDraft(ctx, held, "returned");
    const forward = heldForward(held);
    if (forward) await noteNotForwarded(ctx, forward);
  },
};

/**
 * Run by the timer of a held reply or forward: sends it as its agent, with what they may do by now. When that is refused, it is the agent's
 * draft again.
 *
 * @throws Refusal as `send-from-inbox`, `not-allowed` for a deactivated agent, `invalid` when a teammate has replied
 */
export const sendHeldReply: TimerHandler<"send-held-reply"> = {
  name: "send-held-reply",
  mode: "write",
  async actor(storage, { team_id, subject_id }) {
    const held = await stillHeld(storage, team_id, subject_id);
    if (!held) return { kind: "system", teamId: team_id };
    return agentWithoutSession(storage, held);
  },
  async run(ctx, { subjectId }) {
    const held = await stillHeld(ctx.db, ctx.teamId, subjectId);
    if (!held) return;
    await agentWithoutSession(ctx.db, held);
    const forward = heldForward(held);
    if (forward) {
      await sendForward(ctx, forward);
      ctx.write(putHeldReply, { ...held, state: "sent" satisfies ForwardState, reply: null });
      return;
    }
    const { outcome } = await sendFromInbox.run(ctx, heldInput(held));
    if (outcome !== "sent") throw invalid({ after_number: "reply-overtaken" });
  },
  refused: returnHeldReply,
};

type Reads = Pick<Database, "first">;

async function stillHeld(db: Reads, teamId: string, clientId: string): Promise<HeldReplyRow | undefined> {
  const row = await db.first(heldReplyByClientId, { team_id: teamId, client_id: clientId });
  return row?.state === ("held" satisfies HeldState) ? row : undefined;
}

/** Its agent may have signed out since. */
async function agentWithoutSession(db: Reads, { team_id, agent_id }: HeldReplyRow): Promise<AgentActor> {
  const agent = await db.first(agentById, { team_id, id: agent_id });
  if (!agent || !canAct(agent)) throw notAllowed("agent-deactivated");
  return {
    kind: "agent",
    teamId: team_id,
    agentId: agent_id,
    role: agent.role as AgentRole,
    sessionId: "",
    verifiedAt: 0,
    reach: "everything",
  };
}
