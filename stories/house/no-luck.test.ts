/**
 * A busy machine may take ten times as long for anything. Timeouts that only end a hang are in vitest.config.ts, so that no
 * test depends on a limit or a clock of its own (STYLE.md 28).
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./source-files.ts";

const files = execFileSync(
  "git",
  ["ls-files", "-co", "--exclude-standard", "packages/*.ts", "stories/*.ts", "scripts/*.ts"],
  {
    cwd: root,
    encoding: "utf8",
  },
)
  .split("\n")
  .filter((path) => /\.test\.ts$|-for-tests\.ts$|^packages\/(?:server\/test|testing)\/|^stories\//.test(path))
  .filter((path) => path !== "stories/house/no-luck.test.ts")
  .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));

/** Limits without influence on results: each ends a hanging program, or an attempt that may fail. */
const OTHER_LIMITS: Record<string, string> = {
  "packages/testing/src/patient.ts": "the one limit of vi.waitFor",
  "packages/client/src/shift-for-tests.ts": "the same, where the server's tests are not in reach",
  "packages/client/src/visit-for-tests.ts": "the same, where the server's tests are not in reach",
  "packages/server/test/attack/chat-while-cut.ts": "a click that may come to nothing",
  "packages/server/test/attack/flooder.ts": "a request of the flood that may come to nothing",
  "stories/dashboard-articles.test.ts": "a click that has to be possible",
  "stories/mcp-inspector.test.ts": "ends a program that hangs",
};

/** Places that read a clock to wait for a time, or to compare it with the server's. */
const CLOCKS: Record<string, string> = {
  "packages/server/src/outbox/claimed-ahead.test.ts": "waits until a claim is old enough",
  "stories/eval.test.ts": "gives a command the clock of the process",
  "stories/two-processes.test.ts": "compares Retry-After with what has passed",
};

test("no test has a limit of time of its own", () => {
  expect(files.length).toBeGreaterThan(400);
  const limited = files
    .filter(({ text }) => /\btimeout: [\d_]+|^\}, [\d_]{4,}\);$/m.test(text))
    .map(({ path }) => path);
  expect(limited.toSorted()).toEqual(Object.keys(OTHER_LIMITS).toSorted());
});

test("vi.waitFor and vi.waitUntil, which give up after a second, have a longer timeout", () => {
  const calls = files.flatMap(({ path, text }) => (/\bvi\.wait(For|Until)\(/.test(text) ? [{ path, text }] : []));
  expect(calls.length).toBeGreaterThan(5);
  for (const { path, text } of calls) {
    const asked = text.match(/\bvi\.wait(For|Until)\(/g)?.length ?? 0;
    const patient = text.match(/(, |\.\.\.|^ +)(PATIENT|PATIENCE)\b/gm)?.length ?? 0;
    expect({ path, asked, isPatient: patient >= asked }).toEqual({ path, asked, isPatient: true });
  }
});

test("no test judges by the time that something took", () => {
  const timed = files.filter(({ path, text }) => /\.test\.ts$/.test(path) && /\bperformance\.now\(\)/.test(text));
  expect(timed.map(({ path }) => path).toSorted()).toEqual(Object.keys(CLOCKS).toSorted());
});

/** What a page shows in answer to a click or a key is there some time later: read once, it may be too early. */
const ACTS =
  /\.(?:click|dblclick|press|hover|tap|dragTo|goBack|goForward|reload|fill|selectOption|check|uncheck)\(.*\);$/;
const READS =
  /\.(?:count|textContent|innerText|isVisible|isDisabled|isEnabled|isChecked|getAttribute|allTextContents|allInnerTexts|boundingBox|inputValue|evaluate(?:<[^(]+>)?)\(/;
/** Nothing was there before either. */
const OF_NOTHING = /\)\.to(?:Be\(0\)|Equal\(\[\]\)|Be\(""\))/;
/** A locator waits until a dialog is there, but it may still be the one before, or without what the action brings. */
const OF_DIALOG = /= await dialogOf\(/;

/** The functions of a file that read a page once: `const text = () => page.evaluate(…)`. */
function readersOf(text: string): Set<string> {
  const functions = text.matchAll(/^ *const (\w+) = (?:async )?\([^()]*\)(?:: [\w<>[\]. |]+)? =>\s([^;]*?);$/gm);
  return new Set([...functions].flatMap(([, name = "", body = ""]) => (isOneRead(body) ? [name] : [])));
}

const isOneRead = (code: string) => READS.test(code) && !/expect\b|waitFor/.test(code);

function readsOnce(line: string, readers: ReadonlySet<string>): boolean {
  if (OF_DIALOG.test(line)) return isOneRead(line);
  const read = /^\s*expect\(await (?:(\w+)\()?/.exec(line);
  if (!read || OF_NOTHING.test(line)) return false;
  return isOneRead(line.replace(/^\s*expect/, "")) || readers.has(read[1] ?? "");
}

/** The lines of a story that read a page once right after an action; comments and empty lines are nothing between them. */
function earlyReads(text: string): number[] {
  const readers = readersOf(text);
  const lines = text.split("\n").map((line, index) => ({ line, number: index + 1 }));
  const code = lines.filter(({ line }) => !/^\s*(\/\/.*)?$/.test(line));
  return code.flatMap(({ line, number }, index) =>
    readsOnce(line, readers) && ACTS.test(code[index - 1]?.line ?? "") ? [number] : [],
  );
}

test("no story reads a page once right after an action: it polls", () => {
  const early = files
    .filter(({ path }) => path.startsWith("stories/"))
    .flatMap(({ path, text }) => earlyReads(text).map((number) => `${path}:${number}`));
  expect(early).toEqual([]);
});

test("reads by a script, by a function of the story and of a dialog are seen; what polls, and what waits for nothing, is not", () => {
  const click = `  await page.getByRole("button").click();`;
  const early = [
    `  expect(await page.locator("h1").innerText()).toBe("Inbox");`,
    `  expect(await page.evaluate("document.title")).toBe("Inbox");`,
    `  expect(await page.evaluate<string>("document.title")).toBe("Inbox");`,
    `  expect(await title()).toBe("Inbox");`,
    `  const link = await dialogOf(page).locator("pre").innerText();`,
    `\n  // A comment.\n  expect(await title()).toBe("Inbox");`,
  ];
  const patient = [
    `  await expect.poll(title).toBe("Inbox");`,
    `  expect(await page.getByRole("alert").count()).toBe(0);`,
    `  expect(await shop.api.getChannel({ params: { id } })).toEqual({});`,
    `  await dialogOf(page).getByRole("button").click();`,
  ];
  const after = (line: string) =>
    earlyReads([`const title = () => page.evaluate("document.title");`, click, line].join("\n")).length;
  expect(early.map(after)).toEqual(early.map(() => 1));
  expect(patient.map(after)).toEqual(patient.map(() => 0));
  // Without an action before it.
  expect(earlyReads(early.join("\n"))).toEqual([]);
});
