import { expect, test } from "vitest";
import { readTagNumbers } from "./read-tag-numbers.ts";

test.each([
  ["2\n1", [1, 0]],
  ["2. billing\n[3]\n 1) refund ", [1, 2, 0]],
  ["3\n3\n3", [2]],
  ["1\n2\n3\n4", [0, 1, 2]],
  ["NONE", []],
  ["", []],
  ["I choose 2 and 3.", []],
  ["0\n5\n99999\n-1", []],
  ["2x", []],
])("%j of four tags are %j", (text, indexes) => {
  expect(readTagNumbers(text, 4)).toEqual(indexes);
});
