import type { ChannelFinding } from "@frontdesk/core/contract/rest/channels";
import { CircleCheck, CircleX } from "lucide-react";
import { t } from "../../texts/texts.ts";
import { cx } from "../../ui/class-names.ts";
import { ServiceWords } from "./channel-state.tsx";

/** What can be checked of a mailbox; of a newer service there may be more. */
const checks = [
  "callback",
  "imap-connection",
  "imap-sign-in",
  "imap-folder",
  "outbound",
  "smtp-connection",
  "smtp-sign-in",
] as const;

/** What was found when an account was tried, each with what to do. */
export function CheckFindings({ findings }: { findings: readonly ChannelFinding[] }) {
  return (
    <ul aria-label={t("channels.findings")} className="flex flex-col gap-2">
      {findings.map(({ check, ok, message }) => {
        const Icon = ok ? CircleCheck : CircleX;
        const words = inWords(check, ok);
        return (
          <li key={check} className="flex items-start gap-2.5">
            <Icon size={16} className={cx("mt-0.5 shrink-0", ok ? "text-success" : "text-danger")} aria-hidden="true" />
            <p className="wrap-anywhere min-w-0">
              <span className="sr-only">{t(ok ? "channels.ok" : "channels.notOk")} </span>
              <ServiceWords text={words ?? message} details={words && !ok ? message : null} />
            </p>
          </li>
        );
      })}
    </ul>
  );
}

function inWords(check: string, ok: boolean): string | undefined {
  const known = checks.find((each) => each === check);
  return known && t(`channels.check.${known}.${ok ? "ok" : "failed"}`);
}
