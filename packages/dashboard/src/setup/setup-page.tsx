import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { askSession } from "../service/ask-session.ts";
import { signedIn } from "../service/me.ts";
import { fieldReasonsIn } from "../service/service-error.ts";
import { SignInFrame } from "../sign-in/sign-in-frame.tsx";
import { loadRefusalTexts } from "../texts/refusal-text.ts";
import { t } from "../texts/texts.ts";
import { loadTextsOf } from "../texts/texts-of-screens.ts";
import { Button } from "../ui/button.tsx";
import { Field, TextInput } from "../ui/field.tsx";
import { FormProblem, useForm } from "../ui/form.tsx";
import { problemText } from "../ui/problem-text.ts";

// Part of loading the page.
await Promise.all([loadTextsOf("setup"), loadRefusalTexts()]);

/** The first team of an installation. The token of the link is behind the `#`, so no server and no log ever sees it. */
export function SetupPage() {
  const token = useToken();
  const found = useQuery({
    queryKey: ["setup", token],
    queryFn: () => askSession("getSetupState", { body: { token } }),
  });
  const state = found.data?.state;
  if (state === undefined) {
    return found.isError ? (
      <SignInFrame title={t("setup.title")}>
        <p role="alert">{problemText(found.error)}</p>
      </SignInFrame>
    ) : null;
  }
  if (state === "open") return <SetupForm token={token} onOver={() => void found.refetch()} />;
  if (state === "done") return <SetupDone />;
  return token === "" ? (
    <SignInFrame title={t("setup.notYet")} text={t("setup.notYetText")} />
  ) : (
    <SignInFrame title={t("setup.refused")} text={t("setup.refusedText")} />
  );
}

const tokenInAddress = () => location.hash.slice(1);

/** Follows a link that is pasted into the address of the open page, and no navigation: the form stays until that's done. */
function useToken(): string {
  const [token, setToken] = useState(tokenInAddress);
  useEffect(() => {
    const look = () => setToken(tokenInAddress());
    addEventListener("hashchange", look);
    return () => removeEventListener("hashchange", look);
  }, []);
  return token;
}

/** @param onOver called when the link has stopped working meanwhile */
function SetupForm({ token, onOver }: { token: string; onOver(): void }) {
  const navigate = useNavigate();
  const form = useForm(async ({ team_name = "", name = "", email = "", password = "" }) => {
    // The start page asks for the widget's own name.
    const body = { token, team_name, name, email, password, widget_name: t("start.website") };
    try {
      signedIn(await askSession("setUp", { body }));
    } catch (error) {
      if (fieldReasonsIn(error).token) onOver();
      throw error;
    }
    await navigate({ to: "/start", replace: true });
  });
  return (
    <SignInFrame title={t("setup.title")} text={t("setup.text")}>
      <form onSubmit={form.send} className="flex flex-col gap-4">
        <Field label={t("setup.team")} hint={t("team.nameHint")} problem={form.problemOf("team_name")}>
          <TextInput name="team_name" autoComplete="organization" required autoFocus />
        </Field>
        <Field label={t("yourName")} hint={t("yourNameHint")} problem={form.problemOf("name")}>
          <TextInput name="name" autoComplete="name" required />
        </Field>
        <Field label={t("email")} problem={form.problemOf("email")}>
          <TextInput name="email" type="email" autoComplete="username" required />
        </Field>
        <Field label={t("password")} hint={t("passwordHint")} problem={form.problemOf("password")}>
          <TextInput name="password" type="password" autoComplete="new-password" required />
        </Field>
        <FormProblem text={form.problem} />
        <Button type="submit" look="primary" size="large" disabled={form.busy}>
          {t("setup.submit")}
        </Button>
      </form>
    </SignInFrame>
  );
}

function SetupDone() {
  return (
    <SignInFrame title={t("setup.done")} text={t("setup.doneText")}>
      <Link to="/" className="text-accent-text hover:underline">
        {t("signIn.submit")}
      </Link>
    </SignInFrame>
  );
}
