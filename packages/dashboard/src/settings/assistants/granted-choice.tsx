import { t } from "../../texts/texts.ts";
import { CheckRow } from "../../ui/check-row.tsx";
import { Field, Select } from "../../ui/field.tsx";

/** All of a kind, including future ones, or some. */
export function GrantedChoice<Id extends string>({
  label,
  all,
  among,
  value,
  onChange,
}: {
  label: string;
  /** "All …" */
  all: string;
  among: readonly { id: Id; name: string }[];
  value: "all" | readonly Id[];
  onChange(value: "all" | readonly Id[]): void;
}) {
  return (
    <div>
      <Field label={label}>
        <Select
          value={value === "all" ? "all" : "some"}
          onChange={({ target }) => onChange(target.value === "all" ? "all" : [])}
        >
          <option value="all">{all}</option>
          <option value="some">{t("assistants.onlyThese")}</option>
        </Select>
      </Field>
      {value !== "all" && (
        <fieldset className="mt-1.5 flex min-w-0 flex-wrap gap-x-4">
          <legend className="sr-only">{label}</legend>
          {among.map(({ id, name }) => (
            <CheckRow
              key={id}
              label={name}
              checked={value.includes(id)}
              onChange={(on) => onChange(on ? [...value, id] : value.filter((each) => each !== id))}
            />
          ))}
        </fieldset>
      )}
    </div>
  );
}
