import { expect, test } from "vitest";
import { withLiveVisits } from "./visited-pages.ts";

const visit = (page: string, minute: number) => ({ page, date: `2026-11-23T10:0${minute}:00.000Z` });

test("a page that the visitor opens follows the stored ones at once, and is not there twice", () => {
  const stored = [visit("/", 0), visit("/pricing", 1)];
  // The details were opened while the visitor was on the last stored page.
  expect(withLiveVisits(stored, [visit("/pricing", 2)])).toEqual(stored);
  expect(withLiveVisits(stored, [visit("/pricing", 2), visit("/cart", 3)])).toEqual([...stored, visit("/cart", 3)]);
  // Fetched again, the details have it.
  const fetched = [...stored, visit("/cart", 3)];
  expect(withLiveVisits(fetched, [visit("/pricing", 2), visit("/cart", 3)])).toEqual(fetched);
  expect(withLiveVisits([], [visit("/", 0)])).toEqual([visit("/", 0)]);
});
