import { rest } from "../service/rest.ts";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field, TextInput } from "../ui/field.tsx";
import { FormProblem, useForm } from "../ui/form.tsx";
import { showToast } from "../ui/toast.ts";

const REASON_MAX = 500;

/** Puts a contact on hold, until the end of a day or until it is released. */
export function HoldDialog({
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
  const form = useForm(async ({ reason = "", until = "" }) => {
    const body = { reason: reason.trim(), until: until ? new Date(`${until}T23:59:59`).toISOString() : null };
    await rest.holdContact({ params: { id }, body });
    showToast(t("hold.done"));
    onClose();
    onDone();
  });
  return (
    <Dialog open onClose={onClose} title={t("hold.dialogTitle", { name })} text={t("hold.dialogText")}>
      <form onSubmit={form.send} className="flex flex-col gap-4">
        <Field label={t("hold.reason")} hint={t("hold.reasonHint")} problem={form.problemOf("reason")}>
          <TextInput name="reason" required autoComplete="off" maxLength={REASON_MAX} dir="auto" />
        </Field>
        <Field label={t("hold.untilDay")} hint={t("hold.untilHint")} problem={form.problemOf("until")}>
          <TextInput name="until" type="date" min={today()} />
        </Field>
        <FormProblem text={form.problem} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button type="submit" look="primary" disabled={form.busy}>
            {t("hold.action")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** As a date field has it, in the agent's time zone. */
function today(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}
