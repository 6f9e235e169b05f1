import fc from "fast-check";
import { expect, test } from "vitest";
import { contrast, inkOn, mix, readableOn } from "./readable-color.ts";

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);

test("black on white has the contrast that WCAG gives it", () => {
  expect(contrast("#000000", "#ffffff")).toBe(21);
  expect(contrast("#ffffff", "#ffffff")).toBe(1);
  expect(contrast("#767676", "#ffffff")).toBeCloseTo(4.54, 2);
});

test("the ink on any color can be read", () => {
  fc.assert(fc.property(color, (chosen) => contrast(inkOn(chosen), chosen) >= 4.2));
  expect(inkOn("#4f46e5")).toBe("#ffffff");
  expect(inkOn("#facc15")).toBe("#17181c");
});

test("any color becomes readable on a light and on a dark ground, and one that is readable stays", () => {
  for (const ground of ["#ffffff", "#15171b"]) {
    fc.assert(fc.property(color, (chosen) => contrast(readableOn(ground, chosen), ground) >= 4.5));
  }
  expect(readableOn("#ffffff", "#4338ca")).toBe("#4338ca");
});

test("a mix is between its two colors", () => {
  expect(mix("#000000", "#ffffff", 0.5)).toBe("#808080");
  expect(mix("#102030", "#ffffff", 0)).toBe("#102030");
});
