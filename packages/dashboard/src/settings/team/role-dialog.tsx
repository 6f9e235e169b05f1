import type { TeamAgent } from "@frontdesk/core/contract/session";
import type { AgentRole } from "@frontdesk/core/domain/agent";
import { t } from "../../texts/texts.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";

/** Asks before a role is changed: what the new one may do, and that the person is signed out. */
export function RoleDialog({
  agent,
  role,
  onConfirm,
  onClose,
}: {
  agent: TeamAgent;
  role: AgentRole;
  onConfirm(): Promise<unknown>;
  onClose(): void;
}) {
  const name = agent.name ?? agent.email;
  return (
    <ConfirmDialog
      look="primary"
      title={t(`team.roleTitle.${role}`, { name })}
      text={
        <>
          {t(`team.roleText.${role}`)} {agent.status === "active" && t("team.roleSignsOut", { name })}
        </>
      }
      action={t(`team.roleAction.${role}`)}
      onConfirm={onConfirm}
      onClose={onClose}
    />
  );
}
