import { PASSKEY_NAME_MAX } from "@frontdesk/core/domain/factors";
import { useState } from "react";
import { ServiceError } from "../../service/service-error.ts";
import { createPasskey, passkeyProblem } from "../../sign-in/use-passkey.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Field, TextInput } from "../../ui/field.tsx";
import { FormProblem, useForm } from "../../ui/form.tsx";
import { browserName } from "./browser-name.ts";

/** Names a new passkey, and lets the browser create it. */
export function AddPasskey({ onAdded }: { onAdded(recoveryCodes: readonly string[]): void }) {
  const [cancelled, setCancelled] = useState<string>();
  const form = useForm(async ({ name = "" }) => {
    setCancelled(undefined);
    try {
      onAdded(await createPasskey(name));
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      setCancelled(passkeyProblem(error));
    }
  });
  return (
    <form onSubmit={form.send} className="flex flex-col gap-4">
      <p>{t("passkeys.addText")}</p>
      <Field label={t("name")} problem={form.problemOf("name")}>
        <TextInput
          name="name"
          required
          maxLength={PASSKEY_NAME_MAX}
          dir="auto"
          autoFocus
          defaultValue={browserName(navigator.userAgent)}
        />
      </Field>
      <FormProblem text={form.problem ?? cancelled} />
      <Button type="submit" look="primary" className="self-start" disabled={form.busy}>
        {t("passkeys.add")}
      </Button>
    </form>
  );
}
