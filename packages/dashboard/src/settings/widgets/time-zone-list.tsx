import { useState } from "react";
import { t } from "../../texts/texts.ts";
import { type Choice, Picker } from "../../ui/picker.tsx";
import { cityOf, clockOf, regionOf, written, zones } from "./time-zones.ts";

/** About 400 time zones, each with its current time. */
export function TimeZoneList({ value, onChoose }: { value: string; onChoose(zone: string): void }) {
  const [shown] = useState(() => zones(value).map((zone) => ({ zone, clock: clockOf(zone) })));
  const choices = shown.map(
    ({ zone, clock }): Choice => ({
      id: zone,
      label: cityOf(zone),
      also: written(zone),
      hint: [regionOf(zone), clock].filter(Boolean).join(" · "),
      checked: zone === value,
      onSelect: () => onChoose(zone),
    }),
  );
  return <Picker label={t("hours.findZone")} choices={choices} />;
}
