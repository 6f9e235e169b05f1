import { expect, test } from "vitest";
import { canonicalId } from "./id.ts";

const id = "01980c61-13aa-7e02-b3f5-27d9a6c41e03";

test("an id is the same in upper and in lower case", () => {
  expect(canonicalId(id)).toBe(id);
  expect(canonicalId(id.toUpperCase())).toBe(id);
});

test.each([
  null,
  undefined,
  "",
  "7",
  "vera",
  ` ${id}`,
  `${id}\n`,
  `{${id}}`,
  id.replaceAll("-", ""),
  id.slice(0, -1),
  `${id}0`,
  id.replace("0", "g"),
  id.replace("0", "０"),
])("what is no UUID names nothing: %j", (text) => {
  expect(canonicalId(text)).toBeUndefined();
});
