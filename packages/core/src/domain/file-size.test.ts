import { expect, test } from "vitest";
import { fileSizeText } from "./file-size.ts";

test("a file has whole kilobytes, and from one megabyte on a tenth", () => {
  const sizes = [1, 200, 1_024, 1_025, 200_000, 1_048_575, 1_048_576, 1_500_000, 26_214_400];
  expect(sizes.map((bytes) => fileSizeText(bytes, "en"))).toEqual([
    "1 kB",
    "1 kB",
    "1 kB",
    "2 kB",
    "196 kB",
    "1 MB",
    "1 MB",
    "1.5 MB",
    "25 MB",
  ]);
});

test("one byte over a limit is more than the limit", () => {
  expect(fileSizeText(26_214_401, "en")).toBe("25.1 MB");
});

test("the unit and the number are those of the language", () => {
  expect(fileSizeText(1_500_000, "de")).toBe("1,5 MB");
  expect(fileSizeText(200_000, "fr")).toBe("196\u202fko");
});
