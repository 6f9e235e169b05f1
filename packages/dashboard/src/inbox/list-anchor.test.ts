import { expect, test } from "vitest";
import { movedAbove } from "./list-anchor.ts";

/** Rows by their names; a name is the same row in every list. */
const known = new Map<string, { id: string }>();
function row(id: string): { id: string } {
  const same = known.get(id) ?? { id };
  known.set(id, same);
  return same;
}
const rows = (names: string) => [...names].map(row);
const changed = (list: { id: string }[], id: string) => list.map((each) => (each.id === id ? { id } : each));

test("the open row stays in place when others come in above it, also at the top of the list", () => {
  const before = { rows: rows("abcdef"), from: 0, to: 3 };
  expect(movedAbove(before, rows("xyzabcdef"), "b")).toEqual({ by: 3, came: ["x", "y", "z"] });
});

test("without an open row in sight, the top of the list shows what is new, and below it the visible rows stay", () => {
  expect(movedAbove({ rows: rows("abcdef"), from: 0, to: 3 }, rows("xabcdef"), "e")).toEqual({ by: 0, came: [] });
  expect(movedAbove({ rows: rows("abcdef"), from: 2, to: 3 }, rows("xabcdef"), "f")).toEqual({ by: 1, came: ["x"] });
});

test("a row from below that moves to the top counts as one that came", () => {
  expect(movedAbove({ rows: rows("abcdef"), from: 1, to: 3 }, rows("fabcde"), "b")).toEqual({ by: 1, came: ["f"] });
});

test("when the open row moves itself, the rows around it stay", () => {
  const before = { rows: rows("abcdef"), from: 2, to: 4 };
  expect(movedAbove(before, changed(rows("dabcef"), "d"), "d")).toEqual({ by: 1, came: [] });
  // At the top of the list it is in sight where it goes.
  expect(movedAbove({ rows: rows("abcdef"), from: 0, to: 4 }, changed(rows("dabcef"), "d"), "d").by).toBe(0);
});

test("an open row that has changed where it is, as by being read, stays with the others", () => {
  const before = { rows: rows("abcdef"), from: 0, to: 4 };
  expect(movedAbove(before, changed(rows("xabcdef"), "d"), "d")).toEqual({ by: 1, came: ["x"] });
});

test("rows that leave above are made up for; where a visible one leaves, those below move up", () => {
  const before = { rows: rows("abcdef"), from: 2, to: 4 };
  expect(movedAbove(before, rows("acdef"), "d")).toEqual({ by: -1, came: [] });
  expect(movedAbove(before, rows("abdef"), "c")).toEqual({ by: 0, came: [] });
});

test("a list that was fetched anew keeps the open row, and one without any row of before begins anew", () => {
  const before = { rows: rows("abcdef"), from: 2, to: 4 };
  const fetched = rows("xabcdef").map(({ id }) => ({ id }));
  expect(movedAbove(before, fetched, "d")).toEqual({ by: 1, came: ["x"] });
  expect(movedAbove(before, rows("uvw"), "d")).toEqual({ by: 0, came: [] });
  expect(movedAbove(before, before.rows, "d")).toEqual({ by: 0, came: [] });
});
