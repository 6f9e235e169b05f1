import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { askSession } from "../service/ask-session.ts";
import { signedIn } from "../service/me.ts";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { Field, TextInput } from "../ui/field.tsx";
import { FormProblem, useForm } from "../ui/form.tsx";
import { SignInFrame } from "./sign-in-frame.tsx";

/** The page of the link in the mail. Its token is behind the `#`, so no server and no log ever sees it. */
export function ResetPasswordPage() {
  const navigate = useNavigate();
  const [token] = useState(() => location.hash.slice(1));
  const form = useForm(async ({ password = "" }) => {
    const { email } = await askSession("confirmPasswordReset", { body: { token, password } });
    const answer = await askSession("signIn", { body: { email, password } });
    // Its second step is asked for on the sign-in page.
    if ("second_step" in answer) return navigate({ to: "/sign-in", replace: true });
    signedIn(answer);
    await navigate({ to: "/inbox", replace: true });
  });
  return (
    <SignInFrame title={t("reset.title")} text={t("reset.text")}>
      <form onSubmit={form.send} className="flex flex-col gap-4">
        <Field label={t("newPassword")} hint={t("passwordHint")} problem={form.problemOf("password")}>
          <TextInput name="password" type="password" autoComplete="new-password" required autoFocus />
        </Field>
        <FormProblem text={form.problem ?? form.problemOf("token")} />
        <Button type="submit" look="primary" size="large" disabled={form.busy}>
          {t("reset.submit")}
        </Button>
      </form>
    </SignInFrame>
  );
}
