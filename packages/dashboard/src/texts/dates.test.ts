import { expect, test } from "vitest";
import { daysOfWeek, timeThere } from "./dates.ts";

/** Noon in London, in winter. */
const NOON = Date.UTC(2026, 10, 22, 12, 0);

test("the time in another zone is told with its distance from UTC", () => {
  expect(timeThere("Asia/Kolkata", NOON)).toMatch(/5:30\sPM GMT\+5:30$/);
  expect(timeThere("America/New_York", NOON)).toMatch(/7:00\sAM GMT-5$/);
});

test("its weekday stands before it when it is another day there", () => {
  const own = new Date(NOON).getDate();
  for (const timezone of ["Pacific/Kiritimati", "Pacific/Niue", "Europe/London"]) {
    const there = Number(new Intl.DateTimeFormat("en", { day: "numeric", timeZone: timezone }).format(NOON));
    expect(/^(Sat|Sun|Mon)/.test(timeThere(timezone, NOON) ?? ""), timezone).toBe(there !== own);
  }
});

test("of a text that is no time zone there is no time", () => {
  for (const text of ["", "Europe/Bonn", "<b>", "x".repeat(255)]) expect(timeThere(text, NOON)).toBeUndefined();
});

test("a week has each day once", () => {
  expect(daysOfWeek().toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6]);
});
