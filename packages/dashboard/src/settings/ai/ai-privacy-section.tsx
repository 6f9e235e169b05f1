import { t } from "../../texts/texts.ts";
import { Section } from "../../ui/page.tsx";
import { Switch } from "../../ui/switch.tsx";
import type { AiEdit } from "./ai-query.ts";

const SENT = ["conversation", "visitor", "articles", "instructions"] as const;

/** What the model gets, and what is kept of it. */
export function AiPrivacySection({ draft, set }: AiEdit) {
  return (
    <Section title={t("settings.privacy")}>
      <div className="flex flex-col gap-4">
        <Switch
          label={t("ai.redacts")}
          hint={t("ai.redactsHint")}
          checked={draft.redacts}
          onChange={(redacts) => set({ redacts })}
        />
        <Switch
          label={t("ai.keepsRuns")}
          hint={t("ai.keepsRunsHint")}
          checked={draft.keeps_runs}
          onChange={(keeps_runs) => set({ keeps_runs })}
        />
        <div className="rounded-control border border-line bg-app p-3">
          <h3 className="font-medium">{t("ai.sent")}</h3>
          <p className="text-meta text-muted">{t("ai.sentText")}</p>
          <ul className="mt-2 list-disc ps-5">
            {SENT.map((what) => (
              <li key={what}>{t(`ai.sent.${what}`)}</li>
            ))}
          </ul>
          <p className="mt-2">{t("ai.sent.never")}</p>
        </div>
      </div>
    </Section>
  );
}
