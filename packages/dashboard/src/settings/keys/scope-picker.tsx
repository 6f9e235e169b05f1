import type { ApiKeyScope } from "@frontdesk/core/domain/policy";
import { t } from "../../texts/texts.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { keySubjects, keyVerbs, subjectInWords } from "./key-scopes.ts";

/** A key's scopes: everything that its creator may do, or some subjects, each to read or change. */
export function ScopePicker({
  all,
  value,
  problem,
  onChange,
}: {
  /** The scopes that may be granted. */
  all: readonly ApiKeyScope[];
  value: readonly ApiKeyScope[];
  problem: string | undefined;
  onChange(value: ApiKeyScope[]): void;
}) {
  const set = (scopes: readonly ApiKeyScope[], on: boolean) =>
    onChange(all.filter((scope) => (scopes.includes(scope) ? on : value.includes(scope))));
  const box = (label: string, scopes: readonly ApiKeyScope[], shown = label) => {
    const chosen = scopes.filter((scope) => value.includes(scope));
    return (
      // biome-ignore lint/a11y/noLabelWithoutControl: the control is the checkbox in it
      <label className="flex min-h-9 items-center gap-2.5 pointer-coarse:min-h-11">
        <Checkbox
          label={label}
          checked={chosen.length === scopes.length}
          some={chosen.length > 0 && chosen.length < scopes.length}
          onChange={(on) => set(scopes, on)}
        />
        <span>{shown}</span>
      </label>
    );
  };
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">{t("apiKeys.scopes")}</legend>
      <div className="rounded-control border border-line">
        <div className="border-line border-b bg-app px-3">{box(t("apiKeys.everything"), all)}</div>
        <ul className="px-3">
          {keySubjects.map((subject) => (
            <li
              key={subject}
              className="flex flex-wrap items-center justify-between gap-x-4 border-line border-b last:border-b-0"
            >
              <span className="flex-1">{subjectInWords[subject]}</span>
              <span className="flex gap-6">
                {keyVerbs.map((verb) => {
                  const scope = all.find((one) => one === `${subject}:${verb}`);
                  const shown = t(`apiKeys.verb.${verb}`);
                  return scope && <span key={verb}>{box(`${subjectInWords[subject]}: ${shown}`, [scope], shown)}</span>;
                })}
              </span>
            </li>
          ))}
        </ul>
      </div>
      <p role="alert" className="mt-1.5 text-danger text-meta empty:hidden">
        {problem}
      </p>
    </fieldset>
  );
}
