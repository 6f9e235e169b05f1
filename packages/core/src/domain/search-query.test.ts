import { expect, test } from "vitest";
import { parseSearch, searchDay, wordsToMark } from "./search-query.ts";

test("operators stand in any order between the words", () => {
  expect(parseSearch("refund tag:vip status:open Delgado")).toEqual({
    text: "refund Delgado",
    words: ["delgado", "refund"],
    operators: [
      { operator: "tag", value: "vip" },
      { operator: "status", value: "open" },
    ],
  });
  expect(parseSearch('TAG:"big order" from：山田').operators).toEqual([
    { operator: "tag", value: "big order" },
    { operator: "from", value: "山田" },
  ]);
});

test("an operator without a value is still being typed, and what is no operator is a word", () => {
  expect(parseSearch("refund tag:")).toMatchObject({ words: ["refund"], operators: [] });
  expect(parseSearch('tag:"big')).toMatchObject({ operators: [{ operator: "tag", value: "big" }] });
  expect(parseSearch("http://tag:x re:tag")).toMatchObject({ words: ["http://tag:x", "re:tag"], operators: [] });
});

test("words in quotes are one", () => {
  expect(parseSearch('"Blue  Blanket" big').words).toEqual(["blue blanket", "big"]);
  expect(parseSearch("„Decke“ x").words).toEqual(["decke", "x"]);
  expect(parseSearch('say "hello').words).toEqual(["hello", "say"]);
  expect(parseSearch(" ").words).toEqual([]);
});

test("the words and what is looked for in the sender are marked", () => {
  expect(wordsToMark('refund from:"Ana Delgado" tag:vip')).toEqual(["delgado", "refund", "ana"]);
});

test.each([
  ["2026-11-23", { year: 2026, month: 11, day: 23 }],
  ["2026-1-2", { year: 2026, month: 1, day: 2 }],
  ["2026-11", { year: 2026, month: 11, day: 1 }],
  ["2026", { year: 2026, month: 1, day: 1 }],
  ["٢٠٢٦-١١", { year: 2026, month: 11, day: 1 }],
  ["2026-02-30", undefined],
  ["2026-13", undefined],
  ["0026-11", undefined],
  ["yesterday", undefined],
  ["23.11.2026", undefined],
])("%s is a day", (value, day) => {
  expect(searchDay(value)).toEqual(day);
});
