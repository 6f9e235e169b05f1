import type { Ai } from "@frontdesk/core/contract/rest/ai";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { meQuery } from "../../service/me.ts";
import { queries } from "../../service/queries.ts";
import { rest } from "../../service/rest.ts";
import { t } from "../../texts/texts.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { FormProblem, useForm } from "../../ui/form.tsx";
import { Section } from "../../ui/page.tsx";
import { Switch } from "../../ui/switch.tsx";
import { showToast } from "../../ui/toast.ts";
import { UnsavedMark, useUnsaved } from "../../ui/unsaved.tsx";
import { AiAnswersSection } from "./ai-answers-section.tsx";
import { AiHandoffRulesSection } from "./ai-handoff-rules-section.tsx";
import { AiLimitsSection } from "./ai-limits-section.tsx";
import { AiModelSection } from "./ai-model-section.tsx";
import { AiPrivacySection } from "./ai-privacy-section.tsx";
import { type AiDraft, aiQuery, changesOf, draftOf, isAsRefused } from "./ai-query.ts";
import { AiTeamSection } from "./ai-team-section.tsx";

const TONES = { off: "neutral", ready: "success", away: "warning" } as const;

/** Every setting of the AI. Nothing is stored until it is saved. */
export function AiForm({ ai, results }: { ai: Ai["attributes"]; results: ReactNode }) {
  const [draft, setDraft] = useState(() => draftOf(ai));
  const unsaved = useUnsaved(draft);
  const stored = useRef<AiDraft>(undefined);
  const sent = useRef<AiDraft>(undefined);
  const form = useForm(async () => {
    sent.current = draft;
    const body = changesOf(ai, draft);
    if (Object.keys(body).length > 0) {
      const { data } = await unsaved.saving(rest.updateAi({ body }));
      queries.setQueryData(aiQuery.queryKey, data.attributes);
      // It says what the copilot does.
      void queries.invalidateQueries({ queryKey: meQuery.queryKey });
      const next = draftOf(data.attributes);
      stored.current = next;
      // What was typed meanwhile stays.
      setDraft((now) => (now === draft ? next : now));
    }
    showToast(t("saved"));
  });
  // The key leaves the form once it is stored, and addresses and names are as the service has them: that is no change.
  const { saving } = unsaved;
  useEffect(() => {
    if (stored.current !== draft) return;
    stored.current = undefined;
    void saving(Promise.resolve());
  });
  const edit = {
    draft,
    set: (change: Partial<AiDraft>) => setDraft((before) => ({ ...before, ...change })),
    problemOf: (field: string) => (isAsRefused(sent.current, draft, field) ? form.problemOf(field) : undefined),
  };
  return (
    <form {...unsaved.form} onSubmit={form.send}>
      <Section
        title={t("settings.ai")}
        text={t("ai.intro")}
        actions={<Badge tone={TONES[ai.state]}>{t(`ai.state.${ai.state}`)}</Badge>}
      >
        <div className="flex flex-col gap-4">
          {ai.state_cause && (
            <p role="status" className="rounded-control border border-note-line bg-note px-3 py-2 text-note-ink">
              {t(`ai.cause.${ai.state_cause}`)}
            </p>
          )}
          <Switch
            label={t("ai.on")}
            hint={t("ai.onHint")}
            checked={draft.is_active}
            onChange={(is_active) => edit.set({ is_active })}
          />
        </div>
      </Section>
      {results}
      <AiModelSection {...edit} ai={ai} />
      <AiAnswersSection {...edit} />
      <AiHandoffRulesSection {...edit} />
      <AiTeamSection {...edit} />
      <AiLimitsSection {...edit} ai={ai} />
      <AiPrivacySection {...edit} />
      <div className="sticky bottom-0 z-10 -mx-4 flex flex-wrap items-center gap-3 border-line border-t bg-surface px-4 py-3">
        <Button type="submit" look="primary" size="large" disabled={form.busy}>
          {t("saveChanges")}
        </Button>
        <UnsavedMark unsaved={unsaved} />
        <FormProblem text={form.problem} />
        {unsaved.question}
      </div>
    </form>
  );
}
