import type { Me, SecondStep as SecondStepAsked } from "@frontdesk/core/contract/session";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { askSession } from "../service/ask-session.ts";
import { signedIn } from "../service/me.ts";
import { passwordTyped } from "../service/passkey-offer.ts";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { Field, TextInput } from "../ui/field.tsx";
import { FormProblem, useForm } from "../ui/form.tsx";
import { lazyPart } from "../ui/lazy-part.ts";
import { SignInFrame } from "./sign-in-frame.tsx";

const PasskeySignIn = lazyPart(() => import("./passkey-sign-in.tsx"), "PasskeySignIn", "security");
const SecondStep = lazyPart(() => import("./second-step.tsx"), "SecondStep", "security");
const SsoSignIn = lazyPart(() => import("./sso-sign-in.tsx"), "SsoSignIn", "sso");

export function SignInPage() {
  const navigate = useNavigate();
  const { next, ended } = useSearch({ from: "/sign-in" });
  const [secondStep, setSecondStep] = useState<SecondStepAsked["second_step"]>();
  const enter = async (me: Me) => {
    signedIn(me);
    // The whole URL, with its query.
    await navigate({ to: "/", ...(next !== undefined && { href: next }), replace: true });
  };
  const form = useForm(async ({ email = "", password = "" }) => {
    const answer = await askSession("signIn", { body: { email, password } });
    passwordTyped();
    if ("second_step" in answer) setSecondStep(answer.second_step);
    else await enter(answer);
  });
  if (secondStep) {
    return (
      <Suspense>
        <SecondStep asked={secondStep} onSignedIn={enter} onBack={() => setSecondStep(undefined)} />
      </Suspense>
    );
  }
  return (
    <SignInFrame title={t("signIn.title")}>
      <form onSubmit={form.send} className="flex flex-col gap-4">
        {ended === "deactivated" && (
          <p role="status" className="rounded-control bg-note px-3 py-2 text-note-ink">
            {t("signIn.deactivated")}
          </p>
        )}
        <Field label={t("email")} problem={form.problemOf("email")}>
          <TextInput name="email" type="email" autoComplete="username webauthn" required autoFocus />
        </Field>
        <Field label={t("password")} problem={form.problemOf("password")}>
          <TextInput name="password" type="password" autoComplete="current-password" required />
        </Field>
        <FormProblem text={form.problem} />
        <Button type="submit" look="primary" size="large" disabled={form.busy}>
          {t("signIn.submit")}
        </Button>
        <Suspense>
          <PasskeySignIn suggests onSignedIn={enter} />
        </Suspense>
        <Link to="/forgot-password" className="text-center text-accent-text hover:underline">
          {t("signIn.forgot")}
        </Link>
      </form>
      <Suspense>
        <SsoSignIn next={next} />
      </Suspense>
    </SignInFrame>
  );
}
