import { MailX } from "lucide-react";
import { useMe } from "../service/me.ts";
import { t } from "../texts/texts.ts";

/** On a server that sends no mail: what that means here, and how to set mail up. */
export function MailOff({ text }: { text: string }) {
  if (useMe().sends_mail) return null;
  return (
    <div
      role="note"
      aria-label={t("mail.off")}
      className="mb-6 flex gap-3 rounded-control border border-note-line bg-note px-3 py-2 text-note-ink"
    >
      <MailX size={16} className="mt-0.5 shrink-0" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{t("mail.off")}</p>
        <p>
          {text} {t("mail.offHow", { setting: "SMTP_URL", guide: "docs/guide/settings.md" })}
        </p>
      </div>
    </div>
  );
}
