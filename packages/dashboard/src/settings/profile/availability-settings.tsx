import { changePreferences, usePreferences } from "../../service/preferences.ts";
import { AWAY_AFTER_MINUTES, awayChoices } from "../../shell/away-status.ts";
import { daysOfWeek } from "../../texts/dates.ts";
import { locale, t } from "../../texts/texts.ts";
import { Field, Select, TextInput } from "../../ui/field.tsx";
import { Section } from "../../ui/page.tsx";
import { Switch } from "../../ui/switch.tsx";

const WORKDAYS = [1, 2, 3, 4, 5];
const HOURS = { here_from: "09:00", here_to: "17:00" };

const dayName = new Intl.DateTimeFormat(locale, { weekday: "short", timeZone: "UTC" });
/** 1970 began on a Thursday, the fourth after Sunday. */
const nameOfDay = (day: number) => dayName.format(Date.UTC(1970, 0, 4 + day));

/** When the agent is shown as away automatically. */
export function AvailabilitySettings() {
  const { away_after_minutes = AWAY_AFTER_MINUTES, here_days, here_from, here_to } = usePreferences();
  const days = here_days ?? [];
  const setDay = (day: number, on: boolean) =>
    changePreferences({ here_days: on ? [...days, day].sort() : days.filter((each) => each !== day) });
  return (
    <Section
      title={t("away.title")}
      text={
        <>
          {t("away.text")}
          <br />
          {t("savedAtOnce")}
        </>
      }
    >
      <div className="flex max-w-sm flex-col gap-4">
        <Field label={t("away.after")}>
          <Select
            value={away_after_minutes}
            onChange={({ target }) => changePreferences({ away_after_minutes: Number(target.value) })}
          >
            {awayChoices.map((minutes) => (
              <option key={minutes} value={minutes}>
                {minutes === 0 ? t("away.never") : t("away.minutes", { count: minutes })}
              </option>
            ))}
          </Select>
        </Field>
        <Switch
          label={t("away.hours")}
          hint={t("away.hoursHint")}
          checked={here_days !== undefined}
          onChange={(on) => changePreferences(on ? { here_days: WORKDAYS, ...HOURS } : NO_HOURS)}
        />
        {here_days !== undefined && (
          <>
            <fieldset>
              <legend className="mb-1.5 font-medium">{t("away.days")}</legend>
              <div className="flex flex-wrap gap-1">
                {daysOfWeek().map((day) => (
                  <label
                    key={day}
                    // Hidden labels must not make the page longer.
                    className="relative inline-flex h-8 cursor-default select-none items-center rounded-control border border-control px-2.5 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2 pointer-coarse:h-11"
                  >
                    <input
                      type="checkbox"
                      className="sr-only"
                      checked={days.includes(day)}
                      onChange={({ target }) => setDay(day, target.checked)}
                    />
                    {nameOfDay(day)}
                  </label>
                ))}
              </div>
            </fieldset>
            <fieldset className="flex items-end gap-3">
              <legend className="mb-1.5 font-medium">{t("away.times")}</legend>
              <Field label={t("notify.from")}>
                <TextInput
                  type="time"
                  value={here_from ?? ""}
                  onValueChange={(at) => changePreferences({ here_from: String(at) || null })}
                />
              </Field>
              <Field label={t("notify.to")}>
                <TextInput
                  type="time"
                  value={here_to ?? ""}
                  onValueChange={(at) => changePreferences({ here_to: String(at) || null })}
                />
              </Field>
            </fieldset>
          </>
        )}
      </div>
    </Section>
  );
}

const NO_HOURS = { here_days: undefined, here_from: null, here_to: null };
