import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

/** The size of visitors' downloads, in bytes (gzip): the bounds of the widget. */
const MOST = {
  loader: 2_600,
  app: 14_300,
  style: 2_200,
  language: 1_500,
  first: 20_000,
  onDemand: 4_400,
  all: 23_800,
  articles: 2_500,
  ai: 4_200,
};

const dist = new URL("../dist/", import.meta.url);
const weight = (name: string) => gzipSync(readFileSync(new URL(name, dist)), { level: 9 }).length;
const { app, onDemand, articles, ai } = JSON.parse(readFileSync(new URL("manifest.json", dist), "utf8")) as Record<
  string,
  string
>;
const languages = ["languages", "languages-without-mail"].flatMap((folder) =>
  readdirSync(new URL(`${folder}/`, dist)).map((name) => weight(`${folder}/${name}`)),
);
const first = weight("widget.js") + weight(String(app)) + weight("frame.css") + Math.max(...languages);

test("the loader, the scripts of the frame, its style and each language stay within what they may weigh", () => {
  expect(weight("widget.js")).toBeLessThanOrEqual(MOST.loader);
  expect(weight(String(app))).toBeLessThanOrEqual(MOST.app);
  expect(weight(String(onDemand))).toBeLessThanOrEqual(MOST.onDemand);
  expect(weight("frame.css")).toBeLessThanOrEqual(MOST.style);
  expect(languages).toHaveLength(20);
  expect(Math.max(...languages)).toBeLessThanOrEqual(MOST.language);
});

test("a chat that is opened for the first time has loaded at most 20 kB", () => {
  // The test's premise: the files exist and are not empty.
  expect(first).toBeGreaterThan(5_000);
  expect(first).toBeLessThanOrEqual(MOST.first);
});

test("everything that an open chat ever loads, but for articles and the AI, is at most 23.8 kB", () => {
  expect(first + weight(String(onDemand))).toBeLessThanOrEqual(MOST.all);
});

test("what a widget loads besides where it suggests articles is at most 2.5 kB, with its texts", () => {
  const texts = readdirSync(new URL("article-texts/", dist)).map((name) => weight(`article-texts/${name}`));
  expect(texts).toHaveLength(10);
  expect(weight(String(articles)) + Math.max(...texts)).toBeLessThanOrEqual(MOST.articles);
});

test("what a conversation with the AI loads besides is at most 4.2 kB, with its texts in all languages", () => {
  expect(weight(String(ai))).toBeLessThanOrEqual(MOST.ai);
});
