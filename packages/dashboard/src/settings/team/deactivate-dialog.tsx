import type { TeamAgent } from "@frontdesk/core/contract/session";
import { canAct } from "@frontdesk/core/domain/agent";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { agentsQuery } from "../../service/agents.ts";
import { askSession } from "../../service/ask-session.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Select } from "../../ui/field.tsx";
import { FormProblem, useForm } from "../../ui/form.tsx";
import { problemText } from "../../ui/problem-text.ts";

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
  const { data: agents = [] } = useQuery(agentsQuery);
  const { data: open, error } = useQuery({
    queryKey: ["open-conversations", id],
    queryFn: () => askSession("countOpenConversations", { params: { id } }),
    // Conversations come and go while the page is shown.
    staleTime: 0,
    gcTime: 0,
  });
  const [to, setTo] = useState("");
  const form = useForm(async () => {
    await onConfirm(to || null);
    onClose();
  });
  const teammates = agents.filter((one) => one.id !== id && canAct({ status: one.attributes.status ?? "" }));
  return (
    <Dialog open onClose={onClose} title={t("team.deactivateTitle", { name })} text={t("team.deactivateText")}>
      <form onSubmit={form.send} className="flex flex-col gap-4">
        {open && open.count > 0 && (
          <Field label={t("team.handOver", { count: open.count })} problem={form.problemOf("hand_over_to")}>
            <Select value={to} onChange={({ target }) => setTo(target.value)}>
              <option value="">{t("team.handOverNobody")}</option>
              {teammates.map(({ id: teammate, attributes }) => (
                <option key={teammate} value={teammate}>
                  {attributes.name ?? attributes.email}
                </option>
              ))}
            </Select>
          </Field>
        )}
        <FormProblem text={form.problem ?? form.problemOf("agent") ?? (error ? problemText(error) : undefined)} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button type="submit" look="danger" disabled={form.busy || !open}>
            {t("team.deactivate")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
