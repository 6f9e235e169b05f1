import { ChevronDown } from "lucide-react";
import { Suspense, useId, useState } from "react";
import { t } from "../../texts/texts.ts";
import { lazyPart } from "../../ui/lazy-part.ts";
import { Popover } from "../../ui/popover.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { clockOf, written } from "./time-zones.ts";

/** Loaded on hover or focus. */
const TimeZoneList = lazyPart(() => import("./time-zone-list.tsx"), "TimeZoneList");

/** The time zone of the hours, searched by city. */
export function TimeZonePicker({ value, onChange }: { value: string; onChange(timezone: string): void }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  return (
    <div className="flex flex-col gap-1.5">
      <span id={id} className="font-medium">
        {t("hours.timezone")}
      </span>
      <Popover
        label={t("hours.timezone")}
        open={open}
        onOpenChange={setOpen}
        align="start"
        className="w-80 max-w-[calc(100vw-2rem)]"
        trigger={
          <button
            type="button"
            onPointerEnter={TimeZoneList.preload}
            onFocus={TimeZoneList.preload}
            aria-labelledby={`${id} ${id}-value`}
            className="flex h-9 w-80 max-w-full items-center gap-2 rounded-control border border-control bg-surface px-3 text-start pointer-coarse:h-11"
          >
            <span id={`${id}-value`} className="min-w-0 flex-1 truncate">
              {written(value)} <span className="numbers text-subtle">{clockOf(value)}</span>
            </span>
            <ChevronDown size={14} className="shrink-0 text-subtle" aria-hidden="true" />
          </button>
        }
      >
        <Suspense fallback={<SkeletonRows rows={4} height={40} />}>
          <TimeZoneList
            value={value}
            onChoose={(zone) => {
              setOpen(false);
              onChange(zone);
            }}
          />
        </Suspense>
      </Popover>
    </div>
  );
}
