import type { SecondStep as Asked, Me } from "@frontdesk/core/contract/session";
import { useState } from "react";
import { askSession } from "../service/ask-session.ts";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { CheckRow } from "../ui/check-row.tsx";
import { Field, TextInput } from "../ui/field.tsx";
import { FormProblem, useForm } from "../ui/form.tsx";
import { CodeInput } from "./code-input.tsx";
import { PasskeySignIn } from "./passkey-sign-in.tsx";
import { SignInFrame } from "./sign-in-frame.tsx";

type Kind = "code" | "recovery_code";

/** After the password: a code of the app, or a recovery code. */
export function SecondStep({
  asked: { app, passkey, recovery_codes, may_trust },
  onSignedIn,
  onBack,
}: {
  asked: Asked["second_step"];
  onSignedIn(me: Me): Promise<void>;
  onBack(): void;
}) {
  const [kind, setKind] = useState<Kind>(app ? "code" : "recovery_code");
  const [trust, setTrust] = useState(false);
  const form = useForm(async ({ typed = "" }) => {
    const body = { [kind]: typed, ...(may_trust && { trust_browser: trust }) };
    await onSignedIn(await askSession("finishSignIn", { body }));
  });
  const isCode = kind === "code";
  return (
    <SignInFrame
      title={t(isCode ? "second.title" : "second.recoveryTitle")}
      text={t(isCode ? "second.text" : "second.recoveryText")}
    >
      {/* Anew for the other kind: what was typed for one is no use for the other. */}
      <form key={kind} onSubmit={form.send} className="flex flex-col gap-4">
        <Field label={t(isCode ? "second.code" : "second.recoveryCode")} problem={form.problemOf(kind)}>
          {isCode ? (
            <CodeInput name="typed" autoFocus />
          ) : (
            <TextInput
              name="typed"
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              required
              autoFocus
            />
          )}
        </Field>
        {may_trust && <CheckRow label={t("second.trust")} checked={trust} onChange={setTrust} />}
        <FormProblem text={form.problem} />
        <Button type="submit" look="primary" size="large" disabled={form.busy}>
          {t("signIn.submit")}
        </Button>
        {passkey && <PasskeySignIn suggests={false} onSignedIn={onSignedIn} />}
        {isCode && recovery_codes && (
          <Button onClick={() => setKind("recovery_code")}>{t("second.useRecovery")}</Button>
        )}
        {!isCode && app && <Button onClick={() => setKind("code")}>{t("second.useCode")}</Button>}
        <Button look="quiet" onClick={onBack}>
          {t("forgot.back")}
        </Button>
        <p className="text-center text-meta text-muted">{t("second.lost")}</p>
      </form>
    </SignInFrame>
  );
}
