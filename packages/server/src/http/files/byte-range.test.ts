import { expect, test } from "vitest";
import { readRange } from "./byte-range.ts";

test.each([
  ["bytes=0-0", { first: 0, last: 0 }],
  ["bytes=2-5", { first: 2, last: 5 }],
  ["bytes=2-", { first: 2, last: 9 }],
  ["bytes=2-500", { first: 2, last: 9 }],
  ["bytes=-3", { first: 7, last: 9 }],
  ["bytes=-500", { first: 0, last: 9 }],
  ["bytes=10-", "none"],
  ["bytes=10-20", "none"],
  ["bytes=-0", "none"],
  ["bytes=5-2", undefined],
  ["bytes=-", undefined],
  ["bytes=0-1,4-5", undefined],
  ["items=0-1", undefined],
  ["bytes=a-b", undefined],
  ["bytes=0-1; x", undefined],
  [undefined, undefined],
])("of 10 bytes, %s is %j", (header, range) => {
  expect(readRange(header, 10)).toEqual(range);
});
