import type { InboxContact } from "@frontdesk/core/contract/inbox";
import { BadgeCheck, CircleHelp } from "lucide-react";
import { t } from "../texts/texts.ts";
import { cx } from "../ui/class-names.ts";
import { VerifiedMark } from "./verified-mark.tsx";

export type ShownSource = InboxContact["detail_sources"]["email"];

/** What agents read beside a detail. Nothing beside what the team gave, or what came by another channel. */
export function sourceText(source: ShownSource | undefined): string | undefined {
  return source === undefined || source === null || source === "team" ? undefined : t(`verified.${source}`);
}

/** Whether a visitor may have typed another person's. */
export const isUnverified = (source: ShownSource | undefined): boolean => source === "visitor" || source === "unknown";

/** Who gave a detail, in words below it. */
export function SourceNote({ source }: { source: ShownSource }) {
  const text = sourceText(source);
  if (!text) return null;
  const isVerified = source === "identity";
  return (
    <span className={cx("flex items-center gap-1 text-meta", isVerified ? "text-info" : "text-subtle")}>
      {isVerified && <BadgeCheck size={12} className="shrink-0" aria-hidden="true" />}
      {text}
    </span>
  );
}

/** The same as a mark, where there is no room for words. */
export function SourceMark({ source }: { source: ShownSource | undefined }) {
  const text = sourceText(source);
  if (!text) return null;
  if (source === "identity") return <VerifiedMark />;
  return (
    <span role="img" aria-label={text} title={text} className="shrink-0 text-subtle">
      <CircleHelp size={14} />
    </span>
  );
}
