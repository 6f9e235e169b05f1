import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useId, useState } from "react";
import { askSession } from "../service/ask-session.ts";
import { factorsQuery } from "../service/factors.ts";
import { useMe } from "../service/me.ts";
import { endAsking } from "../service/verify-again.ts";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field, TextInput } from "../ui/field.tsx";
import { FormProblem, useForm } from "../ui/form.tsx";
import { lazyPart } from "../ui/lazy-part.ts";
import { CodeInput } from "./code-input.tsx";
import { askForSignature, hasPasskeys, passkeyProblem, sign } from "./use-passkey.ts";

const SsoProof = lazyPart(() => import("./sso-proof.tsx"), "SsoProof", "sso");

type Kind = "code" | "password";

/** Asks the agent to prove who they are, for a request that waits for it. */
export function VerifyDialog() {
  const formId = useId();
  const { data: factors, isPending } = useQuery(factorsQuery);
  const [chosen, setChosen] = useState<Kind>();
  const kind = chosen ?? (factors?.app ? "code" : "password");
  const form = useForm(async ({ typed = "" }) => {
    await askSession("verifySession", { body: { [kind]: typed } });
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
      <form key={kind} id={formId} onSubmit={form.send} className="flex flex-col gap-4">
        {isPending ? (
          // What can be shown is not known yet.
          <div className="h-16" />
        ) : kind === "code" ? (
          <Field label={t("factors.app")} hint={t("second.text")} problem={form.problemOf("code")}>
            <CodeInput name="typed" autoFocus />
          </Field>
        ) : (
          <PasswordField problem={form.problemOf("password")} />
        )}
        <FormProblem text={form.problem} />
        {factors && factors.passkeys.length > 0 && hasPasskeys() && <ByPasskey />}
        {factors?.app && (
          <Button look="quiet" className="self-start" onClick={() => setChosen(kind === "code" ? "password" : "code")}>
            {t(kind === "code" ? "verify.byPassword" : "second.useCode")}
          </Button>
        )}
        <Suspense>
          <SsoProof />
        </Suspense>
      </form>
    </Dialog>
  );
}

function ByPasskey() {
  const [problem, setProblem] = useState<string>();
  const verify = async () => {
    setProblem(undefined);
    try {
      const asked = await askForSignature();
      if (!asked) return;
      await askSession("verifySession", { body: { passkey: await sign(asked) } });
      endAsking(true);
    } catch (error) {
      setProblem(passkeyProblem(error));
    }
  };
  return (
    <>
      <Button className="self-start" onClick={() => void verify()}>
        {t("passkeys.use")}
      </Button>
      <FormProblem text={problem} />
    </>
  );
}

function PasswordField({ problem }: { problem: string | undefined }) {
  const { email } = useMe().agent;
  return (
    <>
      {/* For password managers. */}
      <input type="text" name="email" autoComplete="username" value={email} readOnly hidden />
      <Field label={t("password")} problem={problem}>
        <TextInput name="typed" type="password" autoComplete="current-password" required autoFocus />
      </Field>
    </>
  );
}
