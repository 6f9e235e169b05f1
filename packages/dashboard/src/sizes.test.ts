import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

/** The size of the dashboard's downloads, in bytes (gzip): the bounds of docs/decisions/0027-dashboard.md. */
const MOST = { initial: 230_000, style: 25_000, lazy: 44_000, language: 17_000 };

interface Chunk {
  file: string;
  imports?: string[];
  dynamicImports?: string[];
  isEntry?: boolean;
}

const dist = new URL("../dist/", import.meta.url);
const chunks = JSON.parse(readFileSync(new URL("manifest.json", dist), "utf8")) as Record<string, Chunk>;
const weight = (file: string) => gzipSync(readFileSync(new URL(file, dist)), { level: 9 }).length;
const total = (files: Iterable<string>) => [...files].reduce((sum, file) => sum + weight(file), 0);

/** A chunk with all its static imports. */
function withImports(name: string, found = new Set<string>()): Set<string> {
  const chunk = chunks[name];
  if (!chunk || found.has(chunk.file)) return found;
  found.add(chunk.file);
  for (const each of chunk.imports ?? []) withImports(each, found);
  return found;
}

/** What the page itself requests: everything until the inbox is shown, except texts. */
const page = readFileSync(new URL("index.html", dist), "utf8");
const inbox = new Set([...page.matchAll(/"\.\/(assets\/[^"]+\.js)"/g)].map(([, file]) => file as string));

test("the inbox is shown after at most 230 kB of script", () => {
  expect(total(inbox)).toBeGreaterThan(100_000);
  expect(total(inbox)).toBeLessThanOrEqual(MOST.initial);
  // The test's premise: none of it is loaded dynamically.
  expect(Object.keys(chunks).filter((name) => /inbox-page|signed-in|src\/app/.test(name))).toEqual([]);
});

test("every other screen adds at most 44 kB", () => {
  const screens = Object.keys(chunks).filter((name) => /-(page|part)\.tsx$/.test(name));
  expect(screens.length).toBeGreaterThan(5);
  for (const name of screens) {
    const added = [...withImports(name)].filter((file) => !inbox.has(file));
    expect(total(added), name).toBeLessThanOrEqual(MOST.lazy);
  }
});

test("all styles together are at most 25 kB, and a language 17 kB", () => {
  const files = readdirSync(new URL("assets/", dist));
  expect(total(files.filter((name) => name.endsWith(".css")).map((name) => `assets/${name}`))).toBeLessThanOrEqual(
    MOST.style,
  );
  const languages = Object.entries(chunks).filter(([name]) => name.startsWith("src/languages/"));
  expect(languages.length).toBeGreaterThan(0);
  for (const [name, { file }] of languages) expect(weight(file), name).toBeLessThanOrEqual(MOST.language);
});
