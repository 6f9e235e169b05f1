import type { ChannelFinding } from "@frontdesk/core/contract/rest/channels";
import { CircleCheck, CircleX, TriangleAlert } from "lucide-react";
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
  "dns-mx",
  "dns-spf",
  "dns-dmarc",
] as const;

/** What its domain lacks keeps a mailbox from nothing: it is advice. */
const isAdvice = (check: string): boolean => check.startsWith("dns-");

/** Whether the account works as it is. */
export const isFine = (findings: readonly ChannelFinding[]): boolean =>
  findings.every(({ check, ok }) => ok || isAdvice(check));

/** What was found when an account was tried, each with what to do. */
export function CheckFindings({ findings }: { findings: readonly ChannelFinding[] }) {
  return (
    <ul aria-label={t("channels.findings")} className="flex flex-col gap-2">
      {findings.map(({ check, ok, message }) => {
        const [Icon, tone] = ok
          ? [CircleCheck, "text-success"]
          : isAdvice(check)
            ? [TriangleAlert, "text-warning"]
            : [CircleX, "text-danger"];
        const words = inWords(check, ok);
        return (
          <li key={check} className="flex items-start gap-2.5">
            <Icon size={16} className={cx("mt-0.5 shrink-0", tone)} aria-hidden="true" />
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
