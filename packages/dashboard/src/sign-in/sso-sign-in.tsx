import { useQuery } from "@tanstack/react-query";
import { Building2 } from "lucide-react";
import { useState } from "react";
import { askSession } from "../service/ask-session.ts";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { Field, TextInput } from "../ui/field.tsx";
import { FormProblem, useForm } from "../ui/form.tsx";

/** Signing in with a company's account: a button for each provider, or one that asks for the e-mail. */
export function SsoSignIn({ next }: { next: string | undefined }) {
  const { data } = useQuery({ queryKey: ["sign-in-options"], queryFn: () => askSession("getSignInOptions") });
  if (!data?.sso.by_email) return null;
  const { providers } = data.sso;
  return (
    <div className="mt-6 flex flex-col gap-3 border-line border-t pt-6">
      {providers.map(({ id, name }) => (
        <BeginSso key={id} label={t("sso.with", { name })} asked={{ provider: id }} next={next} />
      ))}
      {providers.length === 0 && <ByEmail next={next} />}
    </div>
  );
}

/** One button that goes to the provider. */
export function BeginSso({
  label,
  asked,
  next,
}: {
  label: string;
  asked: { provider: string } | { email: string };
  next?: string | undefined;
}) {
  const form = useForm(() => begin(asked, next));
  return (
    <form onSubmit={form.send} className="flex flex-col gap-2">
      <FormProblem text={form.problem} />
      <Button type="submit" size="large" disabled={form.busy}>
        <Building2 size={14} aria-hidden="true" />
        <span dir="auto">{label}</span>
      </Button>
    </form>
  );
}

function ByEmail({ next }: { next: string | undefined }) {
  const [isAsked, setAsked] = useState(false);
  const form = useForm(({ email = "" }) => begin({ email }, next));
  if (!isAsked) {
    return (
      <Button size="large" onClick={() => setAsked(true)}>
        <Building2 size={14} aria-hidden="true" />
        {t("sso.withCompany")}
      </Button>
    );
  }
  return (
    <form onSubmit={form.send} className="flex flex-col gap-3">
      <Field label={t("sso.companyEmail")}>
        <TextInput name="email" type="email" autoComplete="email" required autoFocus />
      </Field>
      <FormProblem text={form.problem} />
      <Button type="submit" size="large" disabled={form.busy}>
        {t("sso.goOn")}
      </Button>
    </form>
  );
}

async function begin(asked: { provider: string } | { email: string }, next: string | undefined): Promise<void> {
  const { url } = await askSession("beginSso", { body: { ...asked, ...(next !== undefined && { next }) } });
  location.assign(url);
}
