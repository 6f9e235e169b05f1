/**
 * Whether the signed-in agent is away: no recent activity in any tab, or outside of their hours. Sent to the service, which
 * shows them as away when none of their browsers reports activity.
 */
import type { Preferences } from "@frontdesk/core/contract/inbox";
import { useEffect } from "react";
import { theInbox } from "../inbox/live-inbox.ts";
import { readLocal, writeLocal } from "../local-storage.ts";
import { usePreferences } from "../service/preferences.ts";

/** The default idle time. */
export const AWAY_AFTER_MINUTES = 30;
/** The choices, in minutes; 0 is never. */
export const awayChoices = [0, 5, 15, 30] as const;

const MINUTE_MS = 60_000;
/** Activity is stored for the other tabs at most this often. */
const TOUCH_STEP_MS = 5_000;
const LOOK_EVERY_MS = 15_000;
const TOUCHED = "touched-at";
const TOUCHES = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart", "focus"] as const;

type Chosen = {
  [Name in "away_after_minutes" | "here_days" | "here_from" | "here_to"]?: Preferences[Name] | undefined;
};

export function AwayStatus(): null {
  const { away_after_minutes, here_days, here_from, here_to } = usePreferences();
  useEffect(() => {
    const chosen: Chosen = { away_after_minutes, here_days, here_from, here_to };
    const look = () => theInbox().away(isAway(chosen, readLocal<number>(TOUCHED) ?? 0, new Date()));
    let touchedAt = 0;
    const touch = () => {
      const now = Date.now();
      if (now - touchedAt < TOUCH_STEP_MS) return;
      touchedAt = now;
      writeLocal(TOUCHED, now);
      look();
    };
    // Opening the dashboard counts as activity.
    touch();
    const looking = setInterval(look, LOOK_EVERY_MS);
    for (const event of TOUCHES) addEventListener(event, touch, { passive: true });
    // Stored by another tab.
    addEventListener("storage", look);
    return () => {
      clearInterval(looking);
      for (const event of TOUCHES) removeEventListener(event, touch);
      removeEventListener("storage", look);
    };
  }, [away_after_minutes, here_days, here_from, here_to]);
  return null;
}

/**
 * @param touchedAt the last activity in any tab of this browser, ms since 1970
 */
export function isAway(
  { away_after_minutes = AWAY_AFTER_MINUTES, here_days, here_from, here_to }: Chosen,
  touchedAt: number,
  now: Date,
): boolean {
  if (!isOnDuty(here_days, here_from, here_to, now)) return true;
  return away_after_minutes > 0 && now.getTime() - touchedAt >= away_after_minutes * MINUTE_MS;
}

/**
 * In the agent's local time. Without times the whole day counts; a night that begins on one of the days continues into the
 * next.
 */
function isOnDuty(
  days: Chosen["here_days"],
  from: string | null | undefined,
  to: string | null | undefined,
  now: Date,
): boolean {
  if (!days) return true;
  const today = days.includes(now.getDay());
  if (!from || !to || from === to) return today;
  const time = `${String(now.getHours()).padStart(2, "0")}:${String(now.getMinutes()).padStart(2, "0")}`;
  if (from < to) return today && from <= time && time < to;
  return (today && time >= from) || (days.includes((now.getDay() + 6) % 7) && time < to);
}
