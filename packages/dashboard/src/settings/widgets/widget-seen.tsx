import type { WholeWidget } from "@frontdesk/core/contract";
import { Check, Radio } from "lucide-react";
import { ago } from "../../texts/dates.ts";
import { t } from "../../texts/texts.ts";
import { cx } from "../../ui/class-names.ts";

/** Whether a page has loaded the widget: polled until it has, then green. */
export function WidgetSeen({ widget }: { widget: WholeWidget }) {
  const { first_seen_at, last_seen_at, seen_on } = widget.attributes;
  const isSeen = first_seen_at !== null;
  return (
    <p
      role="status"
      className={cx(
        "mt-4 flex items-center gap-3 rounded-control border p-3",
        isSeen ? "border-success text-success" : "border-line text-muted",
      )}
    >
      {isSeen ? (
        <Check size={16} className="shrink-0" aria-hidden="true" />
      ) : (
        <Radio size={16} className="shrink-0 animate-pulse" aria-hidden="true" />
      )}
      <span className="wrap-anywhere min-w-0 flex-1">
        {isSeen ? seenWords(seen_on, last_seen_at) : t("seen.waiting")}
      </span>
    </p>
  );
}

function seenWords(site: string | null, at: string | null): string {
  const when = at === null ? "" : ago(at);
  const host = site === null ? undefined : URL.parse(site)?.host;
  return host ? t("seen.on", { site: host, when }) : t("seen.somewhere", { when });
}
