import { type AiTime, aiBounds, aiTimes } from "@frontdesk/core/domain/ai/ai-settings";
import { useQuery } from "@tanstack/react-query";
import { t } from "../../texts/texts.ts";
import { CheckRow } from "../../ui/check-row.tsx";
import { Field, Select, TextArea, TextInput } from "../../ui/field.tsx";
import { Section } from "../../ui/page.tsx";
import { Switch } from "../../ui/switch.tsx";
import { widgetsQuery } from "../widgets/widgets-query.ts";
import type { AiEdit } from "./ai-query.ts";
import { WholeNumberField } from "./whole-number-field.tsx";

/** Who it is, where and when it answers, and whether it resolves. */
export function AiAnswersSection({ draft, set, problemOf }: AiEdit) {
  const { data: widgets = [] } = useQuery(widgetsQuery);
  const { widgets: chosen } = draft;
  return (
    <Section title={t("ai.where")} text={t("ai.whereText")}>
      <div className="flex flex-col gap-4">
        <Field label={t("ai.name")} hint={t("ai.nameHint")} problem={problemOf("name")}>
          <TextInput
            required
            maxLength={aiBounds.NAME_MAX}
            value={draft.name}
            onValueChange={(next) => set({ name: String(next) })}
          />
        </Field>
        <Field label={t("ai.instructions")} hint={t("ai.instructionsHint")} problem={problemOf("instructions")}>
          <TextArea
            dir="auto"
            rows={5}
            maxLength={aiBounds.INSTRUCTIONS_MAX}
            value={draft.instructions}
            onChange={({ target }) => set({ instructions: target.value })}
          />
        </Field>
        <div className="grid gap-4 md:grid-cols-2">
          <div>
            <Field label={t("settings.widgets")} problem={problemOf("widgets")}>
              <Select
                value={chosen === "all" ? "all" : "some"}
                onChange={({ target }) => set({ widgets: target.value === "all" ? "all" : [] })}
              >
                <option value="all">{t("ai.widgets.all")}</option>
                <option value="some">{t("ai.widgets.some")}</option>
              </Select>
            </Field>
            {chosen !== "all" && (
              <fieldset className="mt-1.5 flex min-w-0 flex-wrap gap-x-4">
                <legend className="sr-only">{t("settings.widgets")}</legend>
                {widgets.map(({ id, attributes: { name } }) => (
                  <CheckRow
                    key={id}
                    label={name ?? id}
                    checked={chosen.includes(id)}
                    onChange={(on) => set({ widgets: on ? [...chosen, id] : chosen.filter((each) => each !== id) })}
                  />
                ))}
              </fieldset>
            )}
            {chosen.length === 0 && <p className="text-meta text-warning">{t("ai.widgets.noneChosen")}</p>}
          </div>
          <Field label={t("ai.when")} problem={problemOf("when")}>
            <Select value={draft.when} onChange={({ target }) => set({ when: target.value as AiTime })}>
              {aiTimes.map((time) => (
                <option key={time} value={time}>
                  {t(`ai.when.${time}`)}
                </option>
              ))}
            </Select>
          </Field>
        </div>
        <Switch
          label={t("ai.streamed")}
          hint={t("ai.streamedHint")}
          checked={draft.streamed}
          onChange={(streamed) => set({ streamed })}
        />
        <Switch
          label={t("ai.resolves")}
          hint={t("ai.resolvesHint")}
          checked={draft.resolves}
          onChange={(resolves) => set({ resolves })}
        />
        {draft.resolves && (
          <WholeNumberField
            label={t("ai.silence")}
            hint={t("ai.silenceHint")}
            min={aiBounds.RESOLVE_AFTER_MINUTES_MIN}
            max={aiBounds.RESOLVE_AFTER_MINUTES_MAX}
            value={draft.resolve_after_minutes}
            onChange={(resolve_after_minutes) => set({ resolve_after_minutes })}
            problem={problemOf("resolve_after_minutes")}
          />
        )}
      </div>
    </Section>
  );
}
