import type { NamedFinding } from "@frontdesk/core/contract/session-channels";
import { CircleCheck, CircleX, TriangleAlert } from "lucide-react";
import { t } from "../../texts/texts.ts";
import { cx } from "../../ui/class-names.ts";
import { channelReason } from "./channel-reasons.ts";
import { EnglishSentence } from "./channel-state.tsx";

/** What its domain lacks keeps a mailbox from nothing: it is advice. */
const isAdvice = (check: string): boolean => check.startsWith("dns-");

/** Whether the account works as it is. */
export const isFine = (findings: readonly NamedFinding[]): boolean =>
  findings.every(({ check, ok }) => ok || isAdvice(check));

/** What was found when an account was tried, each with what to do. */
export function CheckFindings({ findings }: { findings: readonly NamedFinding[] }) {
  return (
    <ul aria-label={t("channels.findings")} className="flex flex-col gap-2">
      {findings.map(({ check, ok, message, named_reason }) => {
        const [Icon, tone] = ok
          ? [CircleCheck, "text-success"]
          : isAdvice(check)
            ? [TriangleAlert, "text-warning"]
            : [CircleX, "text-danger"];
        return (
          <li key={check} className="flex items-start gap-2.5">
            <Icon size={16} className={cx("mt-0.5 shrink-0", tone)} aria-hidden="true" />
            <p className="wrap-anywhere min-w-0">
              <span className="sr-only">{t(ok ? "channels.ok" : "channels.notOk")} </span>
              {channelReason(named_reason) ?? <EnglishSentence text={message} />}
            </p>
          </li>
        );
      })}
    </ul>
  );
}
