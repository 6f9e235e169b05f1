import type { Privacy } from "@frontdesk/core/contract";
import type { RetentionSettings } from "@frontdesk/core/domain/retention";
import { useId, useState } from "react";
import { queries } from "../../service/queries.ts";
import { rest } from "../../service/rest.ts";
import { dateOf } from "../../texts/dates.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { FormProblem, useForm } from "../../ui/form.tsx";
import { showToast } from "../../ui/toast.ts";
import { UnsavedMark, useUnsaved } from "../../ui/unsaved.tsx";
import { ChannelRetentions } from "./channel-retentions.tsx";
import { bodyOf, privacyQuery } from "./privacy-queries.ts";
import { DaysField, RuleFields } from "./retention-fields.tsx";
import { RetentionPreview } from "./retention-preview.tsx";
import { WidgetRetentions } from "./widget-retentions.tsx";

/** How long each kind of data is kept, with what would be erased now. Nothing is stored until it is saved. */
export function RetentionForm({ privacy }: { privacy: Privacy["attributes"] }) {
  const { starts_at, changed_at: _, ...was } = privacy;
  const [settings, setSettings] = useState<RetentionSettings>(was);
  const noticeId = useId();
  const unsaved = useUnsaved(settings);
  const form = useForm(async () => {
    const { data } = await unsaved.saving(rest.updatePrivacy({ body: bodyOf(settings) }));
    queries.setQueryData(privacyQuery.queryKey, data.attributes);
    showToast(t("saved"));
  });
  const set = (change: Partial<RetentionSettings>) => setSettings((before) => ({ ...before, ...change }));
  return (
    <form {...unsaved.form} onSubmit={form.send} className="flex flex-col gap-5">
      {starts_at && (
        <p className="rounded-control border border-note-line bg-note px-3 py-2 text-note-ink">
          {t("privacy.startsAt", { date: dateOf(starts_at) })}
        </p>
      )}
      <div className="grid gap-5 md:grid-cols-2">
        <RuleFields rules={settings} set={set} problemOf={form.problemOf} />
        <DaysField
          label={t("privacy.ip")}
          hint={t("privacy.ipHint")}
          value={settings.ip_after_days}
          onChange={(ip_after_days) => set({ ip_after_days })}
          problem={form.problemOf("ip_after_days")}
        />
      </div>
      <WidgetRetentions settings={settings} set={set} problemOf={form.problemOf} />
      <ChannelRetentions settings={settings} set={set} problemOf={form.problemOf} />
      <RetentionPreview settings={settings} />
      <p id={noticeId} className="text-meta text-muted">
        {t("privacy.notice")}
      </p>
      <FormProblem text={form.problem} />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" look="primary" disabled={form.busy} aria-describedby={noticeId}>
          {t("saveChanges")}
        </Button>
        <UnsavedMark unsaved={unsaved} />
      </div>
      {unsaved.question}
    </form>
  );
}
