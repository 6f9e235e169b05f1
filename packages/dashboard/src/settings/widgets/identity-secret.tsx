import { useState } from "react";
import { t } from "../../texts/texts.ts";
import { CodeToCopy } from "../../ui/copy-button.tsx";
import { Field, Select } from "../../ui/field.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
import { IDENTIFY_SNIPPET, type Signer, signerNames, signers } from "./identity-signers.ts";

/** The secret, shown once, and how to use it. */
export function IdentitySecret({ secret, onClose }: { secret: string; onClose(): void }) {
  return (
    <SecretDialog
      open
      title={t("identity.title")}
      text={t("identity.secretText")}
      label={t("identity.secret")}
      value={secret}
      onClose={onClose}
    >
      <Snippets />
    </SecretDialog>
  );
}

/** Code to paste: the owner's server signs, the page passes it on. */
function Snippets() {
  const [signer, setSigner] = useState<Signer>("node");
  return (
    <>
      <div>
        <Field label={t("identity.server")} hint={t("identity.serverHint")}>
          <Select value={signer} onChange={({ target }) => setSigner(target.value as Signer)} className="max-w-48">
            {Object.entries(signerNames).map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <div className="mt-2">
          <CodeToCopy label={t("identity.server")} text={signers[signer].trimEnd()} />
        </div>
      </div>
      <div>
        <p className="mb-1.5 font-medium">{t("identity.page")}</p>
        <CodeToCopy label={t("identity.page")} text={IDENTIFY_SNIPPET} />
      </div>
    </>
  );
}
