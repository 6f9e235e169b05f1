import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { Suspense } from "react";
import { askSession } from "../service/ask-session.ts";
import { signedIn } from "../service/me.ts";
import { loadRefusalTexts } from "../texts/refusal-text.ts";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { Field, TextInput } from "../ui/field.tsx";
import { FormProblem, useForm } from "../ui/form.tsx";
import { lazyPart } from "../ui/lazy-part.ts";
import { problemText } from "../ui/problem-text.ts";
import { SignInFrame } from "./sign-in-frame.tsx";

const JoinBySso = lazyPart(() => import("./join-by-sso.tsx"), "JoinBySso", "sso");

// Part of loading the page.
await loadRefusalTexts();

/** Accepts an invitation: asks for a name and a password, and signs in. */
export function JoinPage() {
  const navigate = useNavigate();
  const { token } = useParams({ from: "/join/$token" });
  const invitation = useQuery({
    queryKey: ["invitation", token],
    queryFn: () => askSession("getInvitation", { params: { token } }),
  });
  const form = useForm(async ({ name = "", password = "" }) => {
    const answer = await askSession("acceptInvitation", { params: { token }, body: { name, password } });
    // Who has just joined has no second factor; the sign-in page would ask for it.
    if ("second_step" in answer) return navigate({ to: "/sign-in", replace: true });
    signedIn(answer);
    await navigate({ to: "/inbox", replace: true });
  });
  if (!invitation.data) {
    return invitation.isError ? (
      <SignInFrame title={t("join.over")}>
        <p>{problemText(invitation.error)}</p>
      </SignInFrame>
    ) : null;
  }
  const { email, name, team_name, by_sso } = invitation.data;
  if (by_sso) {
    return (
      <SignInFrame title={t("join.title", { team: team_name })}>
        <Suspense>
          <JoinBySso email={email} />
        </Suspense>
      </SignInFrame>
    );
  }
  return (
    <SignInFrame title={t("join.title", { team: team_name })} text={t("join.text", { email })}>
      <form onSubmit={form.send} className="flex flex-col gap-4">
        <input type="hidden" name="username" autoComplete="username" defaultValue={email} />
        <Field label={t("yourName")} hint={t("yourNameHint")} problem={form.problemOf("name")}>
          <TextInput name="name" autoComplete="name" defaultValue={name ?? ""} required autoFocus />
        </Field>
        <Field label={t("password")} hint={t("passwordHint")} problem={form.problemOf("password")}>
          <TextInput name="password" type="password" autoComplete="new-password" required />
        </Field>
        <FormProblem text={form.problem} />
        <Button type="submit" look="primary" size="large" disabled={form.busy}>
          {t("join.submit")}
        </Button>
      </form>
    </SignInFrame>
  );
}
