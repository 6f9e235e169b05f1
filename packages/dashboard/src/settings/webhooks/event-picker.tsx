import type { EventName } from "@frontdesk/core/contract/events";
import { type ReactNode, useState } from "react";
import { t } from "../../texts/texts.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { matching } from "../../ui/matching.ts";
import { SearchField } from "../../ui/search-field.tsx";
import { eventMeaning, eventNames, eventSubjects, eventsAbout, subjectInWords } from "./webhook-events.ts";

/** Picks events: one by one, by subject, or all; with a search by name or meaning. */
export function EventPicker({
  value,
  problem,
  onChange,
}: {
  value: readonly EventName[];
  problem: string | undefined;
  onChange(value: EventName[]): void;
}) {
  const [typed, setTyped] = useState("");
  // In the order of the list, not of the clicks.
  const set = (some: readonly EventName[], on: boolean) =>
    onChange(eventNames.filter((name) => (some.includes(name) ? on : value.includes(name))));
  const shown = new Set(
    matching(
      eventNames.map((name) => ({ name, label: name, also: eventMeaning(name) })),
      typed,
    ).map(({ name }) => name),
  );
  const group = (names: readonly EventName[], label: string) => {
    const chosen = names.filter((name) => value.includes(name));
    return (
      <Ticked>
        <Checkbox
          label={label}
          checked={chosen.length === names.length}
          some={chosen.length > 0 && chosen.length < names.length}
          onChange={(on) => set(names, on)}
        />
        <span className="font-medium">{label}</span>
      </Ticked>
    );
  };
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 font-medium">{t("hooks.events")}</legend>
      <SearchField label={t("hooks.searchEvents")} value={typed} onChange={setTyped} />
      <div className="rounded-control border border-line">
        <div className="flex items-center justify-between gap-3 border-line border-b bg-app px-3">
          {group(eventNames, t("hooks.allEvents"))}
          <span className="numbers text-meta text-muted" aria-live="polite">
            {t("hooks.eventCount", { count: value.length })}
          </span>
        </div>
        <div className="grid gap-x-4 px-3 pb-2 md:grid-cols-2">
          {eventSubjects.map((subject) => {
            const names = eventsAbout(subject).filter((name) => shown.has(name));
            if (names.length === 0) return null;
            return (
              // biome-ignore lint/a11y/useSemanticElements: screen readers read a nested fieldset twice
              <div key={subject} role="group" aria-label={subjectInWords[subject]} className="pt-2">
                {group(names, subjectInWords[subject])}
                <ul className="ps-6.5">
                  {names.map((name) => (
                    <li key={name}>
                      <Ticked>
                        <Checkbox
                          label={`${name}: ${eventMeaning(name)}`}
                          checked={value.includes(name)}
                          onChange={(on) => set([name], on)}
                        />
                        <span className="min-w-0 py-1">
                          <code dir="ltr" className="font-mono text-meta">
                            {name}
                          </code>
                          <span className="block text-meta text-muted">{eventMeaning(name)}</span>
                        </span>
                      </Ticked>
                    </li>
                  ))}
                </ul>
              </div>
            );
          })}
          {shown.size === 0 && <p className="col-span-full pt-4 pb-2 text-center text-muted">{t("nothingFound")}</p>}
        </div>
      </div>
      <p role="alert" className="text-danger text-meta empty:hidden">
        {problem}
      </p>
    </fieldset>
  );
}

/** A checkbox with a clickable label. */
function Ticked({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children
    <label className="flex min-h-8 items-center gap-2.5 pointer-coarse:min-h-11">{children}</label>
  );
}
