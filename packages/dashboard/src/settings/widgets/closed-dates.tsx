import { X } from "lucide-react";
import { useRef, useState } from "react";
import { locale, t } from "../../texts/texts.ts";
import { Button, IconButton } from "../../ui/button.tsx";

const date = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" });
/** The service's limit. */
const CLOSED_MAX = 100;

/** Dates on which the team is away, whatever the weekly hours. */
export function ClosedDates({ dates, onChange }: { dates: readonly string[]; onChange(dates: string[]): void }) {
  const [chosen, setChosen] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const add = () => {
    if (chosen && !dates.includes(chosen)) onChange([...dates, chosen].toSorted());
    setChosen("");
    input.current?.focus();
  };
  return (
    <fieldset>
      <legend className="font-medium">{t("hours.closedDates")}</legend>
      <p className="mb-2 text-meta text-muted">{t("hours.closedHint")}</p>
      <ul className="mb-2 flex flex-wrap gap-2 empty:hidden">
        {dates.map((day) => {
          const name = date.format(Date.parse(day));
          return (
            <li
              key={day}
              className="numbers inline-flex h-8 items-center rounded-control border border-line ps-2.5 pointer-coarse:h-11"
            >
              {name}
              <IconButton
                label={t("removeData", { name })}
                onClick={() => {
                  onChange(dates.filter((each) => each !== day));
                  input.current?.focus();
                }}
              >
                <X size={14} />
              </IconButton>
            </li>
          );
        })}
      </ul>
      <div className="flex flex-wrap items-center gap-2">
        <input
          ref={input}
          type="date"
          aria-label={t("hours.date")}
          value={chosen}
          onChange={({ target }) => setChosen(target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            // Enter adds the date instead of submitting the form.
            event.preventDefault();
            add();
          }}
          className="numbers h-9 w-40 rounded-control border border-control bg-surface px-2 pointer-coarse:h-11 pointer-coarse:text-[1rem]"
        />
        <Button size="large" disabled={!chosen || dates.length >= CLOSED_MAX} onClick={add}>
          {t("add")}
        </Button>
      </div>
    </fieldset>
  );
}
