import { t } from "../../texts/texts.ts";
import { Field, TextInput } from "../../ui/field.tsx";

/** A number that can be left empty, as null. */
export function WholeNumberField({
  label,
  hint,
  min,
  max,
  value,
  onChange,
  problem,
}: {
  label: string;
  hint: string;
  min: number;
  max: number;
  value: number | null;
  onChange(value: number | null): void;
  problem: string | undefined;
}) {
  return (
    <Field label={label} hint={hint} problem={problem}>
      <TextInput
        type="number"
        inputMode="numeric"
        placeholder={t("ai.none")}
        {...{ min, max }}
        step={1}
        value={value === null ? "" : String(value)}
        onValueChange={(next) => onChange(String(next) === "" ? null : Number(next))}
      />
    </Field>
  );
}
