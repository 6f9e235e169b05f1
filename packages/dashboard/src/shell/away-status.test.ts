import { expect, test } from "vitest";
import { isAway } from "./away-status.ts";

const MINUTE_MS = 60_000;
/** A Wednesday. */
const at = (time: string, day = 18) => new Date(`2026-11-${day}T${time}:00`);

test("an agent who has not touched a tab for as long as they have chosen is away, and not a moment sooner", () => {
  const now = at("12:00");
  const touched = (minutes: number) => now.getTime() - minutes * MINUTE_MS;
  expect(isAway({ away_after_minutes: 5 }, touched(4.9), now)).toBe(false);
  expect(isAway({ away_after_minutes: 5 }, touched(5), now)).toBe(true);
  expect(isAway({}, touched(29), now)).toBe(false);
  expect(isAway({}, touched(30), now)).toBe(true);
  expect(isAway({ away_after_minutes: 0 }, 0, now)).toBe(false);
});

test("outside of their hours an agent is away, whatever they touch", () => {
  const office = { here_days: [1, 2, 3, 4, 5], here_from: "09:00", here_to: "17:30" };
  const away = (time: string, day?: number) => isAway(office, at(time, day).getTime(), at(time, day));
  expect(["08:59", "09:00", "17:29", "17:30"].map((time) => away(time))).toEqual([true, false, false, true]);
  expect(away("12:00", 21)).toBe(true);
});

test("a night that begins on a day of theirs goes on into the next", () => {
  const nights = { here_days: [3], here_from: "22:00", here_to: "06:00" };
  const away = (time: string, day: number) => isAway(nights, at(time, day).getTime(), at(time, day));
  expect([away("23:00", 18), away("05:59", 19), away("06:00", 19), away("05:00", 18)]).toEqual([
    false,
    false,
    true,
    true,
  ]);
});
