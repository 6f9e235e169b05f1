import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { askSession } from "../service/ask-session.ts";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { Field, TextInput } from "../ui/field.tsx";
import { FormProblem, useForm } from "../ui/form.tsx";
import { SignInFrame } from "./sign-in-frame.tsx";

/** Sends a link for a forgotten password, or says who can create one where the server sends no mail. */
export function ForgotPasswordPage() {
  const options = useQuery({ queryKey: ["sign-in-options"], queryFn: () => askSession("getSignInOptions") });
  const back = (
    <Link to="/sign-in" className="mt-4 block text-center text-accent-text hover:underline">
      {t("forgot.back")}
    </Link>
  );
  if (options.isPending) return <SignInFrame title={t("forgot.title")}>{back}</SignInFrame>;
  if (options.data?.sends_mail === false) {
    return (
      <SignInFrame title={t("forgot.title")} text={t("forgot.noMail")}>
        <p>{t("forgot.noMailNoAdmin")}</p>
        {back}
      </SignInFrame>
    );
  }
  return <ByMail back={back} />;
}

/** It never says whether an agent has the e-mail address. */
function ByMail({ back }: { back: ReactNode }) {
  const [isSent, setSent] = useState(false);
  const form = useForm(async ({ email = "" }) => {
    await askSession("requestPasswordReset", { body: { email } });
    setSent(true);
  });
  return (
    <SignInFrame title={t("forgot.title")} text={isSent ? undefined : t("forgot.text")}>
      {isSent ? (
        <p role="status">{t("forgot.sent")}</p>
      ) : (
        <form onSubmit={form.send} className="flex flex-col gap-4">
          <Field label={t("email")} problem={form.problemOf("email")}>
            <TextInput name="email" type="email" autoComplete="username" required autoFocus />
          </Field>
          <FormProblem text={form.problem} />
          <Button type="submit" look="primary" size="large" disabled={form.busy}>
            {t("forgot.submit")}
          </Button>
        </form>
      )}
      {back}
    </SignInFrame>
  );
}
