import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { askSession } from "../service/ask-session.ts";
import { signedIn } from "../service/me.ts";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { Field, TextInput } from "../ui/field.tsx";
import { FormProblem, useForm } from "../ui/form.tsx";
import { SignInFrame } from "./sign-in-frame.tsx";

export function SignInPage() {
  const navigate = useNavigate();
  const { next, ended } = useSearch({ from: "/sign-in" });
  const form = useForm(async ({ email = "", password = "" }) => {
    signedIn(await askSession("signIn", { body: { email, password } }));
    // The whole URL, with its query.
    await navigate({ to: "/", ...(next !== undefined && { href: next }), replace: true });
  });
  return (
    <SignInFrame title={t("signIn.title")}>
      <form onSubmit={form.send} className="flex flex-col gap-4">
        {ended === "deactivated" && (
          <p role="status" className="rounded-control bg-note px-3 py-2 text-note-ink">
            {t("signIn.deactivated")}
          </p>
        )}
        <Field label={t("email")} problem={form.problemOf("email")}>
          <TextInput name="email" type="email" autoComplete="username" required autoFocus />
        </Field>
        <Field label={t("password")} problem={form.problemOf("password")}>
          <TextInput name="password" type="password" autoComplete="current-password" required />
        </Field>
        <FormProblem text={form.problem} />
        <Button type="submit" look="primary" size="large" disabled={form.busy}>
          {t("signIn.submit")}
        </Button>
        <Link to="/forgot-password" className="text-center text-accent-text hover:underline">
          {t("signIn.forgot")}
        </Link>
      </form>
    </SignInFrame>
  );
}
