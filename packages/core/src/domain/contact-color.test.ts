import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { contactColor } from "./contact-color.ts";

const colors = new Set(Array.from({ length: 2_000 }, () => contactColor(randomUUID())));

test("a contact keeps its colour", () => {
  const id = randomUUID();
  expect(contactColor(id)).toBe(contactColor(id));
});

test("contacts are distinguished by several colours", () => {
  expect(colors.size).toBeGreaterThanOrEqual(8);
});

test("white text on every colour has a contrast of at least 4.5", () => {
  for (const color of colors) {
    expect(color).toMatch(/^#[0-9a-f]{6}$/);
    expect(contrastWithWhite(color), color).toBeGreaterThanOrEqual(4.5);
  }
});

/** WCAG 2, "contrast ratio" and "relative luminance". */
function contrastWithWhite(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}
