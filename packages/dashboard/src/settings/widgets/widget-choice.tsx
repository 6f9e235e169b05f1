import { t } from "../../texts/texts.ts";
import { Field, Select } from "../../ui/field.tsx";

/** A choice of a few options, each with its text. */
export function WidgetChoice<
  Value extends "end" | "start" | "auto" | "light" | "dark" | "no" | "optional" | "required",
>({
  label,
  hint,
  value,
  among,
  onChange,
}: {
  label: string;
  hint?: string;
  value: Value;
  among: readonly Value[];
  onChange(value: Value): void;
}) {
  return (
    <Field label={label} hint={hint}>
      <Select value={value} onChange={({ target }) => onChange(target.value as Value)}>
        {among.map((each) => (
          <option key={each} value={each}>
            {t(`widget.choice.${each}`)}
          </option>
        ))}
      </Select>
    </Field>
  );
}
