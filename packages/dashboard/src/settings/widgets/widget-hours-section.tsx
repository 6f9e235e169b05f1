import { type BusinessHours, type OpenSpan, type Weekday, weekdays } from "@frontdesk/core/domain/business-hours";
import { daysOfWeek } from "../../texts/dates.ts";
import { t } from "../../texts/texts.ts";
import { Section } from "../../ui/page.tsx";
import { Switch } from "../../ui/switch.tsx";
import { ClosedDates } from "./closed-dates.tsx";
import { OpenDay } from "./open-day.tsx";
import { TimeZonePicker } from "./time-zone-picker.tsx";
import type { SettingsEdit } from "./widget-settings-edit.ts";

const WORKDAYS = weekdays.slice(0, 5);
const OFFICE: OpenSpan[] = [{ from: "09:00", to: "17:00" }];

/** The opening hours. Visitors see when the team is back, in their own time zone. */
export function WidgetHoursSection({ settings: { hours }, set, problemOf }: SettingsEdit) {
  const change = (part: Partial<BusinessHours>) => hours && set({ hours: { ...hours, ...part } });
  const copy = (from: Weekday, to: readonly Weekday[]) => {
    const spans = hours?.week[from] ?? [];
    change({ week: { ...hours?.week, ...Object.fromEntries(to.map((day) => [day, spans])) } });
  };
  const problem = problemOf("hours");
  return (
    <Section title={t("hours.title")} text={t("hours.text")}>
      <div className="flex flex-col gap-5">
        <Switch
          label={t("hours.on")}
          checked={hours !== null}
          onChange={(on) => set({ hours: on ? officeHours() : null })}
        />
        {hours && (
          <>
            <TimeZonePicker value={hours.timezone} onChange={(timezone) => change({ timezone })} />
            <div className="flex flex-col">
              {weekInOrder().map((day) => (
                <OpenDay
                  key={day}
                  day={day}
                  spans={hours.week[day] ?? []}
                  onChange={(spans) => change({ week: { ...hours.week, [day]: spans } })}
                  onCopyToWorkdays={() => copy(day, WORKDAYS)}
                  onCopyToAll={() => copy(day, weekdays)}
                />
              ))}
            </div>
            <ClosedDates dates={hours.closed} onChange={(closed) => change({ closed })} />
          </>
        )}
        {problem && (
          <p role="alert" className="text-danger">
            {problem}
          </p>
        )}
      </div>
    </Section>
  );
}

/** From the first day of the agent's region. */
function weekInOrder(): Weekday[] {
  return daysOfWeek().map((day) => weekdays[(day + 6) % 7] as Weekday);
}

/** The default: the browser's time zone, from Monday to Friday. */
function officeHours(): BusinessHours {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return { timezone: timeZone, week: Object.fromEntries(WORKDAYS.map((day) => [day, OFFICE])), closed: [] };
}
