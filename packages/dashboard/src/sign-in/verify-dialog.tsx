import { useEffect, useId } from "react";
import { askSession } from "../service/ask-session.ts";
import { useMe } from "../service/me.ts";
import { endAsking } from "../service/verify-again.ts";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field, TextInput } from "../ui/field.tsx";
import { FormProblem, useForm } from "../ui/form.tsx";

/** Asks the agent to prove who they are, for a request that waits for it. */
export function VerifyDialog() {
  const formId = useId();
  const { email } = useMe().agent;
  const form = useForm(async ({ password = "" }) => {
    await askSession("verifySession", { body: { password } });
    endAsking(true);
  });
  useEffect(() => () => endAsking(false), []);
  return (
    <Dialog
      open
      onClose={() => endAsking(false)}
      title={t("verify.title")}
      text={t("verify.text")}
      footer={
        <>
          <Button onClick={() => endAsking(false)}>{t("cancel")}</Button>
          <Button type="submit" form={formId} look="primary" disabled={form.busy}>
            {t("verify.submit")}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={form.send} className="flex flex-col gap-4">
        {/* For password managers. */}
        <input type="text" name="email" autoComplete="username" value={email} readOnly hidden />
        <Field label={t("password")} problem={form.problemOf("password")}>
          <TextInput name="password" type="password" autoComplete="current-password" required autoFocus />
        </Field>
        <FormProblem text={form.problem} />
      </form>
    </Dialog>
  );
}
