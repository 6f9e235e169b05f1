import { useLocation } from "@tanstack/react-router";
import { Plus, Trash2 } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { t } from "../../texts/texts.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Field, Select } from "../../ui/field.tsx";
import { FormProblem } from "../../ui/form.tsx";
import { retentionAnchor } from "./retention-anchor.ts";
import { RuleFields, type ShownRules } from "./retention-fields.tsx";

/** A widget or a channel that can have rules of its own. */
export interface RetentionOwner {
  id: string;
  name: string;
}

/** The rules of one. What is left out is inherited. */
export interface OwnRules {
  id: string;
  rules: Partial<ShownRules>;
}

/** Widgets or channels with rules of their own. A new one begins with those that it inherits. */
export function OwnRetentions({
  title,
  hint,
  adding,
  owners,
  own,
  inheritedBy,
  nameOf,
  set,
  problemOf,
}: {
  title: string;
  hint?: string;
  adding: string;
  owners: readonly RetentionOwner[];
  own: readonly OwnRules[];
  inheritedBy(id: string): ShownRules;
  /** The name of one with rules; it may be gone. */
  nameOf(id: string): string;
  set(own: OwnRules[]): void;
  /** @param field undefined: the widget or channel itself */
  problemOf(index: number, field?: string): string | undefined;
}) {
  const hintId = useId();
  const select = useRef<HTMLSelectElement>(null);
  const [chosen, setChosen] = useState<string>();
  const [focused, setFocused] = useState<{ id?: string }>();
  const hash = useLocation({ select: (location) => location.hash });
  const asked = owners.find(({ id }) => hash === retentionAnchor(id))?.id;
  const others = owners.filter(({ id }) => !own.some((each) => each.id === id));
  const next = [chosen, asked].find((id) => others.some((each) => each.id === id)) ?? others[0]?.id;
  const replace = (id: string, rules: OwnRules[]) => set(own.flatMap((each) => (each.id === id ? rules : [each])));
  useEffect(() => {
    if (asked) setFocused({ id: asked });
  }, [asked]);
  // What was pressed may be gone once its act is drawn.
  useEffect(() => {
    if (!focused) return;
    const group = focused.id === undefined ? null : document.getElementById(retentionAnchor(focused.id));
    (group?.querySelector("input") ?? select.current)?.focus();
  }, [focused]);
  return (
    <fieldset aria-describedby={hint && hintId} className="flex min-w-0 flex-col gap-4">
      <legend className="mb-3 font-medium">{title}</legend>
      {hint && (
        <p id={hintId} className="-mt-3 text-meta text-muted">
          {hint}
        </p>
      )}
      {own.map(({ id, rules }, index) => (
        <fieldset key={id} id={retentionAnchor(id)} className="min-w-0 rounded-control border border-line p-4">
          <legend dir="auto" className="max-w-full break-words px-1 font-medium">
            {nameOf(id)}
          </legend>
          <FormProblem text={problemOf(index)} className="mb-4" />
          <div className="grid gap-5 md:grid-cols-2">
            <RuleFields
              rules={{ ...inheritedBy(id), ...rules }}
              set={(change) => replace(id, [{ id, rules: { ...rules, ...change } }])}
              problemOf={(field) => problemOf(index, field)}
            />
          </div>
          <IconButton
            label={t("removeData", { name: nameOf(id) })}
            className="mt-3"
            onClick={({ currentTarget }) => {
              // Where nothing can be added after it, the focus stays on Save.
              currentTarget.closest("form")?.querySelector<HTMLElement>("[type=submit]")?.focus();
              replace(id, []);
              setFocused({});
            }}
          >
            <Trash2 size={14} />
          </IconButton>
        </fieldset>
      ))}
      {next !== undefined && (
        <div className="flex flex-wrap items-end gap-3">
          <div className="w-96 min-w-0 max-w-full">
            <Field label={adding}>
              <Select ref={select} value={next} onChange={({ target }) => setChosen(target.value)}>
                {others.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </Select>
            </Field>
          </div>
          <Button
            size="large"
            onClick={() => {
              set([...own, { id: next, rules: inheritedBy(next) }]);
              setFocused({ id: next });
            }}
          >
            <Plus size={14} aria-hidden="true" />
            {t("add")}
          </Button>
        </div>
      )}
    </fieldset>
  );
}
