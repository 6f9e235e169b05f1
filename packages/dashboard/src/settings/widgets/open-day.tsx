import { type OpenSpan, type Weekday, weekdays } from "@frontdesk/core/domain/business-hours";
import { Copy, Plus, X } from "lucide-react";
import { useId } from "react";
import { locale, t } from "../../texts/texts.ts";
import { IconButton } from "../../ui/button.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { Switch } from "../../ui/switch.tsx";
import { problemOfSpans } from "./hours-now.ts";

/** The service's limit. */
const SPANS_MAX = 4;
const MIDNIGHT = "00:00";
const END_OF_DAY = "24:00";
const INPUT =
  "numbers h-9 min-w-22 rounded-control border border-control bg-surface px-2 aria-invalid:border-danger pointer-coarse:h-11 pointer-coarse:text-[1rem] [&::-webkit-calendar-picker-indicator]:hidden";

const longDay = new Intl.DateTimeFormat(locale, { weekday: "long", timeZone: "UTC" });
/** The first of January 2024 was a Monday. */
export const nameOfDay = (day: Weekday): string => longDay.format(Date.UTC(2024, 0, 1 + weekdays.indexOf(day)));

/** One weekday: closed, or one or more opening times. */
export function OpenDay({
  day,
  spans,
  onChange,
  onCopyToWorkdays,
  onCopyToAll,
}: {
  day: Weekday;
  spans: readonly OpenSpan[];
  onChange(spans: OpenSpan[]): void;
  onCopyToWorkdays(): void;
  onCopyToAll(): void;
}) {
  const id = useId();
  const name = nameOfDay(day);
  const problem = problemOfSpans(spans);
  const put = (index: number, change: Partial<OpenSpan>) =>
    onChange(spans.map((span, at) => (at === index ? { ...span, ...change } : span)));
  return (
    <div className="flex flex-wrap gap-x-4 gap-y-2 border-line border-t py-2.5 first:border-t-0">
      <div className="flex w-34 items-start pt-1.5 max-md:w-full">
        <Switch
          label={name}
          checked={spans.length > 0}
          onChange={(open) => onChange(open ? [{ from: "09:00", to: "17:00" }] : [])}
        />
      </div>
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        {spans.length === 0 && <p className="pt-2 text-subtle">{t("hours.closed")}</p>}
        {spans.map((span, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a time has no other key than its position
          <div key={index} className="flex flex-wrap items-center gap-1.5">
            <TimeInput
              label={`${name}, ${t("notify.from")}`}
              value={span.from}
              problem={problem && `${id}-problem`}
              onChange={(from) => put(index, { from })}
            />
            <span aria-hidden="true">–</span>
            <TimeInput
              label={`${name}, ${t("notify.to")}`}
              value={span.to === END_OF_DAY ? MIDNIGHT : span.to}
              problem={problem && `${id}-problem`}
              onChange={(to) => put(index, { to: to === MIDNIGHT ? END_OF_DAY : to })}
            />
            {spans.length > 1 && (
              <IconButton
                label={t("removeData", { name: `${span.from}–${span.to}` })}
                onClick={() => onChange(spans.filter((_, at) => at !== index))}
              >
                <X size={14} />
              </IconButton>
            )}
            {index === 0 && (
              <Menu
                align="start"
                trigger={
                  <IconButton label={t("hours.copy", { day: name })}>
                    <Copy size={14} />
                  </IconButton>
                }
              >
                <MenuItem onSelect={onCopyToWorkdays}>{t("hours.copyWorkdays")}</MenuItem>
                <MenuItem onSelect={onCopyToAll}>{t("hours.copyAll")}</MenuItem>
              </Menu>
            )}
            {index === spans.length - 1 && spans.length < SPANS_MAX && (
              <IconButton
                label={t("hours.addTime", { day: name })}
                onClick={() => onChange([...spans, nextSpan(span)])}
              >
                <Plus size={14} />
              </IconButton>
            )}
          </div>
        ))}
        <p id={`${id}-problem`} role="status" className="text-danger text-meta empty:hidden">
          {problem && t(`hours.${problem}`)}
        </p>
      </div>
    </div>
  );
}

function TimeInput({
  label,
  value,
  problem,
  onChange,
}: {
  label: string;
  value: string;
  /** The id of the error message. */
  problem: string | undefined;
  onChange(value: string): void;
}) {
  return (
    <input
      type="time"
      aria-label={label}
      required
      value={value}
      aria-invalid={problem ? true : undefined}
      aria-describedby={problem}
      // An incomplete time is ignored.
      onChange={({ target }) => target.value && onChange(target.value)}
      className={INPUT}
    />
  );
}

/** One hour, starting an hour after the last, if the day is long enough. */
function nextSpan({ to }: OpenSpan): OpenSpan {
  const hour = Math.min(Number(to.slice(0, 2)) + 1, 23);
  const written = (of: number) => `${String(of).padStart(2, "0")}:00`;
  return { from: written(hour), to: hour === 23 ? END_OF_DAY : written(hour + 1) };
}
