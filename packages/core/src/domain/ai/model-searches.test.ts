import { codePoint } from "@frontdesk/testing/code-point";
import fc from "fast-check";
import { expect, test } from "vitest";
import { MODEL_SEARCH_MAX, searchesIn } from "./model-searches.ts";
import { readModelAnswer } from "./reads-answer.ts";

test.each([
  ["SEARCH parcel delivery time", ["parcel delivery time"]],
  ["SEARCH: parcel delivery time", ["parcel delivery time"]],
  ["SEARCH\nparcel delivery time", ["parcel delivery time"]],
  ["**SEARCH** “parcel delivery time”", ["parcel delivery time"]],
  ['SEARCH("parcel delivery time")', ["parcel delivery time"]],
  ["SEARCH parcels\nSEARCH Pakete", ["parcels", "Pakete"]],
  ["SEARCH parcels\nSEARCH parcels", ["parcels"]],
  ["SEARCH parcels\n\nI will look for parcels.", ["parcels"]],
  ["SEARCH 配送 日数", ["配送 日数"]],
  ["SEARCH ...", []],
])("%j searches for %j", (written, searches) => {
  const { act, text } = readModelAnswer(written) ?? {};
  expect(act).toBe("search");
  expect(searchesIn(text ?? "")).toEqual(searches);
});

test.each(["SEARCH", "Search the articles for parcels.", "I will SEARCH parcels"])("%j is no search", (written) => {
  expect(readModelAnswer(written)?.act).not.toBe("search");
});

test("each search is one short line without invisible characters, whatever was written", () => {
  expect(searchesIn("par\u200bcels\u202e")).toEqual(["parcels"]);
  expect(searchesIn("w ".repeat(500_000))[0]?.length).toBeLessThanOrEqual(MODEL_SEARCH_MAX);
  fc.assert(
    fc.property(fc.string({ unit: codePoint, maxLength: 1_000 }), (written) => {
      for (const search of searchesIn(written)) {
        expect(search.length).toBeLessThanOrEqual(MODEL_SEARCH_MAX);
        expect(search).not.toMatch(/[\n\r\t\u2028\u2029\u200b\u202a-\u202e]/u);
        expect(search.isWellFormed()).toBe(true);
      }
    }),
  );
});
