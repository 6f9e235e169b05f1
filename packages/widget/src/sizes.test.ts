import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

/** The size of visitors' downloads, in bytes (gzip): the bounds of the widget. */
const MOST = { loader: 2_500, app: 15_000, style: 2_500, language: 1_500, all: 20_000 };

const dist = new URL("../dist/", import.meta.url);
const weight = (name: string) => gzipSync(readFileSync(new URL(name, dist)), { level: 9 }).length;
const { app } = JSON.parse(readFileSync(new URL("manifest.json", dist), "utf8")) as { app: string };
const languages = readdirSync(new URL("languages/", dist)).map((name) => weight(`languages/${name}`));

test("the loader, the application, its style and each language stay within what they may weigh", () => {
  expect(weight("widget.js")).toBeLessThanOrEqual(MOST.loader);
  expect(weight(app)).toBeLessThanOrEqual(MOST.app);
  expect(weight("frame.css")).toBeLessThanOrEqual(MOST.style);
  expect(languages).toHaveLength(10);
  expect(Math.max(...languages)).toBeLessThanOrEqual(MOST.language);
});

test("everything that an open chat has loaded is at most 20 kB", () => {
  const all = weight("widget.js") + weight(app) + weight("frame.css") + Math.max(...languages);
  // The test's premise: the files exist and are not empty.
  expect(all).toBeGreaterThan(5_000);
  expect(all).toBeLessThanOrEqual(MOST.all);
});
