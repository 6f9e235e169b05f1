import { expect, test } from "vitest";
import { widgetLanguages } from "../widget-settings.ts";
import { summaryNote } from "./handoff-summary.ts";

const sources = [
  { title: "Shipping", url: "https://acme.test/shipping" },
  { title: "Returns", url: null },
];

test("the note is plain text with a heading and the sources", () => {
  expect(summaryNote({ written: "**Vera** wants a refund.", sources, language: "en-GB" })).toBe(
    "Summary by AI:\nVera wants a refund.\n\nSources:\n- Shipping (https://acme.test/shipping)\n- Returns",
  );
  expect(summaryNote({ written: "Vera wants a refund.", sources: [], language: "xx" })).toBe(
    "Summary by AI:\nVera wants a refund.",
  );
});

test("each language of the widget has headings of its own", () => {
  const notes = widgetLanguages.map((language) => summaryNote({ written: "x", sources, language }));
  expect(new Set(notes).size).toBe(widgetLanguages.length);
});

test("no markup and no address of the model is kept, and nothing is no note", () => {
  const written = "Open [the form](https://evil.test/x) <img src=x onerror=alert(1)> or www.evil.test/login now.";
  const note = summaryNote({ written, sources: [], language: "en" });
  expect(note).not.toMatch(/evil|<|onerror/);
  expect(note).toContain("Open the form");
  expect(summaryNote({ written: "  \n<b></b>", sources, language: "en" })).toBeNull();
});
