import type { Response } from "@frontdesk/core/contract/operation";
import type { sessionOperations, TeamAgent } from "@frontdesk/core/contract/session";
import type { AgentRole } from "@frontdesk/core/domain/agent";
import { agentsQuery } from "../../service/agents.ts";
import { askSession } from "../../service/ask-session.ts";
import { queries } from "../../service/queries.ts";
import { t } from "../../texts/texts.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { showToast } from "../../ui/toast.ts";
import { DeactivateDialog } from "./deactivate-dialog.tsx";
import type { ReducedAccess } from "./reduced-access-dialog.tsx";
import { RoleDialog } from "./role-dialog.tsx";

/** What is asked about an agent before it is done: a new role, a way out of the team, or how they sign in. */
export type Asking = AgentRole | "deactivate" | "revoke" | "sign-out" | "reset-factors";

/** Says what was done, and shows the team as it is now. */
export function agentChanged(text: string): void {
  showToast(text);
  void refreshAgents();
}

export const refreshAgents = () => queries.invalidateQueries({ queryKey: agentsQuery.queryKey });

/** The question before an agent is changed. */
export function AgentQuestion({
  agent,
  asking,
  onReduced,
  onClose,
}: {
  agent: TeamAgent;
  asking: Asking;
  /** The change limits keys and assistants of the agent. */
  onReduced(reduced: ReducedAccess): void;
  onClose(): void;
}) {
  const { id } = agent;
  const name = agent.name ?? agent.email;
  const reduce = async (work: Promise<Response<typeof sessionOperations.setAgentRole>>, text: string) => {
    const { api_keys: keys, assistants } = await work;
    agentChanged(text);
    if (keys.length + assistants.length > 0) onReduced({ agentName: name, keys, assistants });
  };
  if (asking === "deactivate") {
    return (
      <DeactivateDialog
        agent={agent}
        onConfirm={(hand_over_to) =>
          reduce(
            askSession("deactivateAgent", { params: { id }, body: { hand_over_to } }),
            t("team.deactivatedNow", { name }),
          )
        }
        onClose={onClose}
      />
    );
  }
  if (asking === "revoke") {
    return (
      <ConfirmDialog
        title={t("team.revokeTitle", { name })}
        text={t("team.revokeText")}
        action={t("team.revokeInvitation")}
        onConfirm={async () => {
          await askSession("revokeInvitation", { params: { id } });
          agentChanged(t("team.revokedNow", { name }));
        }}
        onClose={onClose}
      />
    );
  }
  if (asking === "sign-out") {
    return (
      <ConfirmDialog
        title={t("team.signOutAllTitle", { name })}
        text={t("team.signOutAllText")}
        action={t("team.signOutAll")}
        onConfirm={async () => {
          await askSession("endAgentSessions", { params: { id } });
          showToast(t("team.signedOutNow", { name }));
        }}
        onClose={onClose}
      />
    );
  }
  if (asking === "reset-factors") {
    return (
      <ConfirmDialog
        title={t("team.resetFactorsTitle", { name })}
        text={t("team.resetFactorsText")}
        action={t("team.resetFactors")}
        onConfirm={async () => {
          const { removed } = await askSession("removeAgentFactors", { params: { id } });
          showToast(t(removed ? "team.factorsReset" : "team.noFactors", { name }));
        }}
        onClose={onClose}
      />
    );
  }
  return (
    <RoleDialog
      agent={agent}
      role={asking}
      onConfirm={() =>
        reduce(
          askSession("setAgentRole", { params: { id }, body: { role: asking } }),
          t(`team.roleSet.${asking}`, { name }),
        )
      }
      onClose={onClose}
    />
  );
}
