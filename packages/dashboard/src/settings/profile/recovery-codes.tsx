import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";

/** New recovery codes, shown once. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose(): void }) {
  return (
    <SecretDialog
      open
      title={t("factors.codesTitle")}
      text={t("factors.codesText")}
      label={t("factors.recovery")}
      value={codes.join("\n")}
      onClose={onClose}
    >
      <Button className="self-start" onClick={() => download(codes)}>
        {t("factors.download")}
      </Button>
    </SecretDialog>
  );
}

function download(codes: readonly string[]): void {
  const url = URL.createObjectURL(new Blob([`${codes.join("\n")}\n`], { type: "text/plain" }));
  const link = Object.assign(document.createElement("a"), { href: url, download: "frontdesk-recovery-codes.txt" });
  link.click();
  URL.revokeObjectURL(url);
}
