import { useQuery } from "@tanstack/react-query";
import { askSession } from "../../service/ask-session.ts";
import { CodeInput } from "../../sign-in/code-input.tsx";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { ValueToCopy } from "../../ui/copy-button.tsx";
import { Field } from "../../ui/field.tsx";
import { FormProblem, useForm } from "../../ui/form.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { QrCode } from "./qr-code.tsx";

/** Shows a new secret for an authenticator app, and asks for a code to see that it works. */
export function AddApp({ onAdded }: { onAdded(recoveryCodes: readonly string[]): void }) {
  const { data, error } = useQuery({
    queryKey: ["new-app"],
    queryFn: () => askSession("beginApp"),
    // Another secret would replace the one that was scanned.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const form = useForm(async ({ code = "" }) => {
    const { recovery_codes } = await askSession("confirmApp", { body: { code } });
    onAdded(recovery_codes);
  });
  if (error) return <FormProblem text={problemText(error)} />;
  if (!data) return <div className="h-80" />;
  return (
    <form onSubmit={form.send} className="flex flex-col gap-4">
      <p>{t("app.scan")}</p>
      <QrCode text={data.uri} label={t("app.qr")} />
      <div className="text-meta text-muted">
        <p>{t("app.manual")}</p>
        <ValueToCopy value={data.secret} />
      </div>
      <Field label={t("second.code")} problem={form.problemOf("code")}>
        <CodeInput name="code" />
      </Field>
      <FormProblem text={form.problem} />
      <Button type="submit" look="primary" className="self-start" disabled={form.busy}>
        {t("factors.addApp")}
      </Button>
    </form>
  );
}
