/** The row height of lists. Also stored in this browser, so that the first painting is right. */
import type { Preferences } from "@frontdesk/core/contract/inbox";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { readLocal, writeLocal } from "../local-storage.ts";
import { changePreferences, preferencesQuery } from "../service/preferences.ts";

export type Density = NonNullable<Preferences["density"]>;
export const densities = ["comfortable", "compact"] as const satisfies Density[];

/** Height of a conversation row, in px. */
export const ROW_HEIGHTS = { comfortable: 72, compact: 52 } as const satisfies Record<Density, number>;

export function useDensity(): Density {
  const { data } = useQuery(preferencesQuery);
  const chosen = data && (data.density ?? "comfortable");
  // It may have been changed in another browser.
  useEffect(() => {
    if (chosen) writeLocal("density", chosen);
  }, [chosen]);
  return chosen ?? readLocal<Density>("density") ?? "comfortable";
}

export function setDensity(density: Density): void {
  writeLocal("density", density);
  changePreferences({ density });
}
