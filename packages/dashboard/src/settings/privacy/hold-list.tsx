import type { Hold } from "@frontdesk/core/contract/session-privacy";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useMe } from "../../service/me.ts";
import { queries } from "../../service/queries.ts";
import { rest } from "../../service/rest.ts";
import { agentName } from "../../texts/agent-name.ts";
import { dateOf } from "../../texts/dates.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Section } from "../../ui/page.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { showToast } from "../../ui/toast.ts";
import { holdsQuery } from "./privacy-queries.ts";

const nameOf = ({ contact }: Hold): string => contact.name ?? contact.email ?? t("privacy.noName");

/** The contacts who can't be erased for the time being. */
export function HoldList() {
  const { may } = useMe();
  const { data: holds, error } = useQuery(holdsQuery);
  const [releasing, setReleasing] = useState<Hold>();
  return (
    <Section title={t("privacy.holds")} text={t("privacy.holdsText")}>
      {error && <p className="text-danger">{problemText(error)}</p>}
      {holds?.length === 0 && <p className="text-muted">{t("privacy.holdsNone")}</p>}
      <ul aria-label={t("privacy.holds")}>
        {holds?.map((hold) => (
          <li key={hold.contact.id} className="flex items-start gap-3 border-line border-t py-2.5 first:border-t-0">
            <div className="min-w-0 flex-1">
              <Link
                to="/contacts/$contactId"
                params={{ contactId: hold.contact.id }}
                dir="auto"
                className="inline-flex min-h-6 items-center font-medium text-accent-text hover:underline"
              >
                {nameOf(hold)}
              </Link>
              <p dir="auto" className="aligned break-words">
                {hold.reason}
              </p>
              <p className="numbers text-meta text-subtle">
                {t("privacy.heldBy", { name: agentName({ name: hold.held_by }) || "…", date: dateOf(hold.held_at) })}
                {" · "}
                {hold.until ? t("privacy.until", { date: dateOf(hold.until) }) : t("privacy.untilReleased")}
              </p>
            </div>
            {may.includes("release-contact") && (
              <Button aria-label={t("privacy.releaseName", { name: nameOf(hold) })} onClick={() => setReleasing(hold)}>
                {t("privacy.release")}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {releasing && (
        <ConfirmDialog
          title={t("privacy.releaseName", { name: nameOf(releasing) })}
          text={t("privacy.releaseText")}
          action={t("privacy.release")}
          look="primary"
          onConfirm={async () => {
            await rest.releaseContact({ params: { id: releasing.contact.id } });
            await queries.invalidateQueries({ queryKey: holdsQuery.queryKey });
            await queries.invalidateQueries({ queryKey: ["privacy-preview"] });
            showToast(t("privacy.released"));
          }}
          onClose={() => setReleasing(undefined)}
        />
      )}
    </Section>
  );
}
