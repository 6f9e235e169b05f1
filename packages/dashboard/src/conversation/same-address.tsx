import type { LiveConversation } from "@frontdesk/core/contract/live";
import { Link } from "@tanstack/react-router";
import { ChevronDown, UsersRound } from "lucide-react";
import { useId, useState } from "react";
import { lastLine } from "../inbox/last-line.ts";
import { shortWhen } from "../texts/dates.ts";
import { t } from "../texts/texts.ts";
import { cx } from "../ui/class-names.ts";

/** Leads to the conversations of other contacts with the same address. They stay apart: an address proves nothing. */
export function SameAddress({ address, others }: { address: string; others: readonly LiveConversation[] }) {
  const [open, setOpen] = useState(false);
  const listId = useId();
  return (
    <section aria-label={t("sameAddress.title")} className="border-line border-b px-4 py-1.5 text-meta">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={listId}
        onClick={() => setOpen(!open)}
        className="-mx-1 flex min-h-6 max-w-full items-center gap-1.5 rounded-control px-1 text-start text-muted hover:bg-hover hover:text-ink pointer-coarse:min-h-11"
      >
        <UsersRound size={12} className="shrink-0" aria-hidden="true" />
        <span className="min-w-0 truncate">{t("sameAddress.count", { count: others.length })}</span>
        <ChevronDown size={12} aria-hidden="true" className={cx("shrink-0", open && "rotate-180")} />
      </button>
      <div id={listId} hidden={!open} className="max-h-48 overflow-y-auto pt-1">
        <p className="wrap-anywhere max-w-prose text-muted">{t("sameAddress.text", { address })}</p>
        <ul className="flex flex-col pt-1">
          {others.map((one) => (
            <li key={one.id}>
              <Link
                to="/inbox/$conversationId"
                params={{ conversationId: one.id }}
                search={true}
                className="-mx-2 flex min-h-7 items-center gap-2 rounded-control px-2 py-1 hover:bg-hover pointer-coarse:min-h-11"
              >
                <span className="shrink-0 text-subtle">
                  {t(one.channel === "email" ? "channel.email" : "channel.website")}
                </span>
                <span dir="auto" className="aligned min-w-0 flex-1 truncate text-ink">
                  {one.subject ?? lastLine(one) ?? t("noMessages")}
                </span>
                <span className="numbers shrink-0 text-subtle">{shortWhen(one.active_at)}</span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
