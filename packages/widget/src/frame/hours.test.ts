import { expect, test } from "vitest";
import { hoursAt } from "./hours.ts";

test("a frame that stays open knows when the team is back, without asking", () => {
  const hours = { open: false, changes: [100, 200, 300] };
  expect(hoursAt({ hours }, 99)).toEqual({ open: false, next: 100 });
  expect(hoursAt({ hours }, 100)).toEqual({ open: true, next: 200 });
  expect(hoursAt({ hours }, 250)).toEqual({ open: false, next: 300 });
  expect(hoursAt({ hours }, 300)).toEqual({ open: true, next: undefined });
});

test("where no hours are set, the team may be there at any time", () => {
  expect(hoursAt({ hours: null }, 99)).toEqual({ open: true, next: undefined });
});
