import { RETENTION_DAYS_MAX, type RetentionSettings } from "@frontdesk/core/domain/retention";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { numberOf } from "../../texts/dates.ts";
import { t } from "../../texts/texts.ts";
import { problemText } from "../../ui/problem-text.ts";
import { previewQuery } from "./privacy-queries.ts";

/** After the last key, before the numbers are asked for. */
const PAUSE_MS = 400;
/** The service counts no further. */
const COUNTED_MAX = 10_000;

/** What would be erased if these settings held now. */
export function RetentionPreview({ settings }: { settings: RetentionSettings }) {
  const asked = useSettled(settings);
  const { data, error } = useQuery({
    ...previewQuery(asked),
    enabled: isValid(asked),
    placeholderData: keepPreviousData,
  });
  const rows = data && [
    { label: t("privacy.conversations"), count: data.conversations },
    { label: t("privacy.contacts"), count: data.contacts },
    { label: t("privacy.filesCount"), count: data.files },
    { label: t("privacy.visitsCount"), count: data.page_visits },
    { label: t("privacy.ipCount"), count: data.ip_addresses },
  ];
  return (
    <div role="status" className="rounded-control border border-line p-3">
      <p className="font-medium">{t("privacy.preview")}</p>
      {error && <p className="text-danger">{problemText(error)}</p>}
      <dl className="numbers mt-2 flex min-h-11 flex-wrap gap-x-8 gap-y-2">
        {rows?.map(({ label, count }) => (
          <div key={label}>
            <dt className="text-meta text-muted">{label}</dt>
            <dd>{count < COUNTED_MAX ? numberOf(count) : t("privacy.atLeast", { number: count })}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** The settings once they have not changed for a moment. */
function useSettled(settings: RetentionSettings): RetentionSettings {
  const [settled, setSettled] = useState(settings);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(settings), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [settings]);
  return settled;
}

function isValid({ ip_after_days, page_visits_after_days, widgets, channels, ...team }: RetentionSettings): boolean {
  const days = [team, ...widgets, ...channels].flatMap((rules) => [rules.erase_after_days, rules.files_after_days]);
  const visits = widgets.map((rules) => rules.page_visits_after_days);
  return [ip_after_days, page_visits_after_days, ...days, ...visits].every(
    (each) => each == null || (Number.isInteger(each) && each >= 1 && each <= RETENTION_DAYS_MAX),
  );
}
