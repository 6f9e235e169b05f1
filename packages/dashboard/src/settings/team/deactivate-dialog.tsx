import type { TeamAgent } from "@frontdesk/core/contract/session";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormProblem, useForm } from "../../ui/form.tsx";
import { HandOverField, useHandOver } from "./hand-over-field.tsx";

/**
 * Asks before an agent is deactivated, and who gets their open conversations.
 *
 * @param onConfirm gets the new agent's id, null for no one
 */
export function DeactivateDialog({
  agent,
  onConfirm,
  onClose,
}: {
  agent: TeamAgent;
  onConfirm(handOverTo: string | null): Promise<unknown>;
  onClose(): void;
}) {
  const { id } = agent;
  const name = agent.name ?? agent.email;
  const handOver = useHandOver(id);
  const form = useForm(async () => {
    await onConfirm(handOver.to);
    onClose();
  });
  return (
    <Dialog open onClose={onClose} title={t("team.deactivateTitle", { name })} text={t("team.deactivateText")}>
      <form onSubmit={form.send} className="flex flex-col gap-4">
        <HandOverField agentId={id} handOver={handOver} problem={form.problemOf("hand_over_to")} />
        <FormProblem text={form.problem ?? form.problemOf("agent") ?? handOver.problem} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button type="submit" look="danger" disabled={form.busy || !handOver.isKnown}>
            {t("team.deactivate")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
