import { askSession } from "../service/ask-session.ts";
import { HandOverField, useHandOver } from "../settings/team/hand-over-field.tsx";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { FormProblem, useForm } from "../ui/form.tsx";
import { showToast } from "../ui/toast.ts";
import { useTypedName } from "./typed-name.tsx";

/** Asks for the name, since it cannot be undone, and who gets the conversations that are still theirs. */
export function RemoveAgentDialog({
  id,
  name,
  onDone,
  onClose,
}: {
  id: string;
  name: string;
  onDone(): void;
  onClose(): void;
}) {
  const typedName = useTypedName(name);
  const handOver = useHandOver(id);
  const form = useForm(async ({ typed = "" }) => {
    if (!typedName.isTyped(typed)) return;
    await askSession("removeAgent", { params: { id }, body: { hand_over_to: handOver.to } });
    showToast(t("erase.agentDone"));
    onClose();
    onDone();
  });
  return (
    <Dialog open onClose={onClose} title={t("erase.agentTitle", { name })} text={t("erase.agentText")}>
      <form onSubmit={form.send} className="flex flex-col gap-4">
        <HandOverField agentId={id} handOver={handOver} problem={form.problemOf("hand_over_to")} />
        {typedName.field}
        <FormProblem text={form.problem ?? form.problemOf("agent") ?? handOver.problem} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button type="submit" look="danger" disabled={form.busy || !handOver.isKnown}>
            {t("erase.agentAction")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
