import type { ReactNode } from "react";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field, TextInput } from "../ui/field.tsx";
import { FormProblem, useForm } from "../ui/form.tsx";
import { useTypedName } from "./typed-name.tsx";

const REASON_MAX = 500;

/**
 * Asks for a name before what cannot be undone, and for a reason. Its texts are those of `erasing`.
 *
 * @param mayConfirm false: it cannot be done, or it is not known yet; `children` say why
 */
export function TypedConfirmation({
  title,
  text,
  name,
  action,
  mayConfirm = true,
  children,
  onConfirm,
  onClose,
}: {
  title: string;
  text: string;
  name: string;
  action: string;
  mayConfirm?: boolean;
  children?: ReactNode;
  onConfirm(reason: string | null): Promise<unknown>;
  onClose(): void;
}) {
  const typedName = useTypedName(name);
  const form = useForm(async ({ typed = "", reason = "" }) => {
    if (!typedName.isTyped(typed)) return;
    await onConfirm(reason.trim() || null);
  });
  return (
    <Dialog open onClose={onClose} title={title} text={text}>
      <form onSubmit={form.send} className="flex flex-col gap-4">
        {children}
        {typedName.field}
        <Field label={t("erase.reason")} hint={t("erase.reasonHint")} problem={form.problemOf("reason")}>
          <TextInput name="reason" autoComplete="off" maxLength={REASON_MAX} dir="auto" />
        </Field>
        <FormProblem text={form.problem} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button type="submit" look="danger" disabled={form.busy || !mayConfirm}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
