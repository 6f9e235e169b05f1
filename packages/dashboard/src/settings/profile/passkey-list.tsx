import type { OwnFactors } from "@frontdesk/core/contract/session-factors";
import { PASSKEY_NAME_MAX } from "@frontdesk/core/domain/factors";
import { useState } from "react";
import { askSession } from "../../service/ask-session.ts";
import { refreshFactors } from "../../service/factors.ts";
import { ago } from "../../texts/dates.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, TextInput } from "../../ui/field.tsx";
import { FormProblem, useForm } from "../../ui/form.tsx";
import { showToast } from "../../ui/toast.ts";
import { AddPasskey } from "./add-passkey.tsx";
import { FactorLine } from "./factor-line.tsx";

type Passkey = OwnFactors["passkeys"][number];

/** The agent's passkeys, and the way to another one. */
export function PasskeyList({
  factors: { passkeys, passkeys_possible },
  onAdded,
}: {
  factors: OwnFactors;
  onAdded(text: string, recoveryCodes: readonly string[]): void;
}) {
  const [adding, setAdding] = useState(false);
  const close = () => setAdding(false);
  return (
    <>
      <FactorLine title={t("passkeys.title")} text={t(passkeys_possible ? "passkeys.text" : "passkeys.impossible")}>
        {passkeys_possible && <Button onClick={() => setAdding(true)}>{t("passkeys.add")}</Button>}
        {adding && (
          <Dialog open onClose={close} title={t("passkeys.add")}>
            <AddPasskey
              onAdded={(codes) => {
                close();
                onAdded(t("passkeys.added"), codes);
              }}
            />
          </Dialog>
        )}
      </FactorLine>
      {passkeys.map((passkey) => (
        <OnePasskey key={passkey.id} passkey={passkey} />
      ))}
    </>
  );
}

function OnePasskey({ passkey: { id, name, last_used_at, is_synced } }: { passkey: Passkey }) {
  const [open, setOpen] = useState<"rename" | "remove">();
  const close = () => setOpen(undefined);
  const used = last_used_at ? t("factors.lastUsed", { when: ago(last_used_at) }) : t("factors.neverUsed");
  return (
    <FactorLine title={name} text={[used, is_synced && t("passkeys.synced")].filter(Boolean).join(" · ")}>
      <Button size="compact" aria-label={t("passkeys.renameOf", { name })} onClick={() => setOpen("rename")}>
        {t("passkeys.rename")}
      </Button>
      <Button size="compact" aria-label={t("passkeys.removeOf", { name })} onClick={() => setOpen("remove")}>
        {t("factors.remove")}
      </Button>
      {open === "rename" && <RenamePasskey id={id} name={name} onClose={close} />}
      {open === "remove" && (
        <ConfirmDialog
          title={t("passkeys.removeTitle", { name })}
          text={t("passkeys.removeText")}
          action={t("factors.remove")}
          onConfirm={async () => {
            await askSession("removeFactor", { params: { id } });
            await refreshFactors();
            showToast(t("passkeys.removed"));
          }}
          onClose={close}
        />
      )}
    </FactorLine>
  );
}

function RenamePasskey({ id, name: before, onClose }: { id: string; name: string; onClose(): void }) {
  const form = useForm(async ({ name = "" }) => {
    await askSession("renamePasskey", { params: { id }, body: { name } });
    await refreshFactors();
    onClose();
  });
  return (
    <Dialog open onClose={onClose} title={t("passkeys.renameTitle", { name: before })}>
      <form onSubmit={form.send} className="flex flex-col gap-4">
        <Field label={t("name")} problem={form.problemOf("name")}>
          <TextInput name="name" required maxLength={PASSKEY_NAME_MAX} dir="auto" autoFocus defaultValue={before} />
        </Field>
        <FormProblem text={form.problem} />
        <Button type="submit" look="primary" className="self-start" disabled={form.busy}>
          {t("saveChanges")}
        </Button>
      </form>
    </Dialog>
  );
}
