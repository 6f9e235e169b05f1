import {
  type ErasedPart,
  erasedParts,
  RETENTION_DAYS_MAX,
  type RetentionRules,
} from "@frontdesk/core/domain/retention";
import { t } from "../../texts/texts.ts";
import { Field, Select, TextInput } from "../../ui/field.tsx";

/** A channel has no page visits, and no contacts without a conversation. */
export type ShownRules = Omit<RetentionRules, "page_visits_after_days"> &
  Partial<Pick<RetentionRules, "page_visits_after_days">>;

/** The rules of a team, a widget or a channel. */
export function RuleFields({
  rules,
  set,
  problemOf,
}: {
  rules: ShownRules;
  set(change: Partial<RetentionRules>): void;
  problemOf(field: string): string | undefined;
}) {
  const { page_visits_after_days: visits } = rules;
  return (
    <>
      <DaysField
        label={t("privacy.erase")}
        hint={t(visits === undefined ? "privacy.eraseHintOfChannel" : "privacy.eraseHint")}
        value={rules.erase_after_days}
        onChange={(erase_after_days) => set({ erase_after_days })}
        problem={problemOf("erase_after_days")}
      />
      <Field label={t("privacy.what")} problem={problemOf("erase_what")}>
        <Select
          value={rules.erase_what}
          disabled={rules.erase_after_days === null}
          onChange={({ target }) => set({ erase_what: target.value as ErasedPart })}
        >
          {erasedParts.map((part) => (
            <option key={part} value={part}>
              {t(`privacy.what.${part}`)}
            </option>
          ))}
        </Select>
      </Field>
      <DaysField
        label={t("privacy.files")}
        hint={t("privacy.filesHint")}
        value={rules.files_after_days}
        onChange={(files_after_days) => set({ files_after_days })}
        problem={problemOf("files_after_days")}
      />
      {visits !== undefined && (
        <DaysField
          label={t("privacy.visits")}
          hint={t("privacy.visitsHint")}
          value={visits}
          onChange={(page_visits_after_days) => set({ page_visits_after_days })}
          problem={problemOf("page_visits_after_days")}
        />
      )}
    </>
  );
}

/** Whole days; empty is never. */
export function DaysField({
  label,
  hint,
  value,
  onChange,
  problem,
}: {
  label: string;
  hint: string;
  value: number | null;
  onChange(days: number | null): void;
  problem: string | undefined;
}) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      <TextInput
        type="number"
        inputMode="numeric"
        min={1}
        max={RETENTION_DAYS_MAX}
        step={1}
        placeholder={t("privacy.keepForever")}
        value={value ?? ""}
        onValueChange={(given) => onChange(given === "" ? null : Number(given))}
        className="numbers max-w-40"
      />
    </Field>
  );
}
