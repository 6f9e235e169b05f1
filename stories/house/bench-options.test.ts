/** The benchmarks say what they can be started with, and refuse the rest. */
import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { helpOf, parseOptions } from "../../bench/options.ts";

const CALL = /readOptions\(\[(.*?)\](?:, \{([\s\S]*?)\})?\);/;
const benchmarks = globSync("bench/*.ts")
  .map((file) => ({ file, source: readFileSync(file, "utf8") }))
  .filter(({ source }) => source.includes("= readOptions("));

const sorted = (found: Iterable<RegExpMatchArray>) => [...found].map(([, name]) => name).sort();

test("the comment of each benchmark names each of its options, and no other", () => {
  expect(benchmarks.length).toBeGreaterThan(10);
  for (const { file, source } of benchmarks) {
    const [, names = "", own = ""] = CALL.exec(source) ?? [];
    const taken = sorted([...names.matchAll(/"(\S+?)"/g), ...own.matchAll(/"?([\w-]+)"?: \{/g)]);
    expect(sorted(helpOf(source).matchAll(/^--(\S+)/gm)), file).toEqual(taken);
  }
});

test("an unknown option, another engine and what is no number are refused", () => {
  const own = { runs: { type: "string", default: "15" } } as const;
  const parse = (...args: string[]) => parseOptions(args, ["quick", "engine"], own);
  expect(parse("--quick", "--runs", "3")).toMatchObject({ quick: true, runs: "3" });
  expect(() => parse("--only", "a")).toThrow("--only");
  expect(() => parse("a")).toThrow("'a'");
  expect(() => parse("--engine", "mysql")).toThrow("--engine is sqlite or postgres.");
  expect(() => parse("--runs", "many")).toThrow("--runs is a whole number, such as 15.");
});

test("--help prints them and measures nothing", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["bench/memory.ts", "--help"]);
  expect(stdout).toContain("`npm run bench:memory`: ");
  expect(stdout).toContain("\n--requests  how many instead of 200,000");
  expect(stdout).not.toContain("*");
});
