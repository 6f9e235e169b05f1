import type { ListedErasure } from "@frontdesk/core/contract/session-privacy";
import { useQuery } from "@tanstack/react-query";
import { momentOf, numberOf } from "../../texts/dates.ts";
import { t } from "../../texts/texts.ts";
import { Badge } from "../../ui/badge.tsx";
import { Section } from "../../ui/page.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { erasuresQuery } from "./privacy-queries.ts";

/** The latest erasures: what, when, how much, and how far they have come. */
export function ErasureList() {
  const { data: erasures, error } = useQuery(erasuresQuery);
  return (
    <Section title={t("privacy.erasures")}>
      {error && <p className="text-danger">{problemText(error)}</p>}
      {erasures?.length === 0 && <p className="text-muted">{t("privacy.erasuresNone")}</p>}
      <ul aria-label={t("privacy.erasures")}>
        {erasures?.map((erasure) => (
          <li key={erasure.id} className="flex items-start gap-3 border-line border-t py-2.5 first:border-t-0">
            <div className="min-w-0 flex-1">
              <p className="font-medium">{t(`privacy.of.${erasure.what}`)}</p>
              <p className="numbers text-meta text-subtle">
                <bdi>
                  <time dateTime={erasure.requested_at}>{momentOf(erasure.requested_at)}</time>
                </bdi>
                {countsOf(erasure).map(({ label, count }) => (
                  <span key={label} className="whitespace-nowrap">
                    {" · "}
                    <bdi>
                      {label}: {numberOf(count)}
                    </bdi>
                  </span>
                ))}
              </p>
            </div>
            <Badge tone={erasure.state === "done" ? "success" : "accent"}>{t(`privacy.${erasure.state}`)}</Badge>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function countsOf({ erased }: ListedErasure): { label: string; count: number }[] {
  return [
    { label: t("privacy.contacts"), count: erased.contacts },
    { label: t("privacy.conversations"), count: erased.conversations },
    { label: t("privacy.messages"), count: erased.messages },
    { label: t("privacy.filesCount"), count: erased.files },
    { label: t("privacy.visitsCount"), count: erased.page_visits },
    { label: t("privacy.ipCount"), count: erased.ip_addresses },
  ].filter(({ count }) => count > 0);
}
