/**
 * `npm test`: installs what is missing, then checks types, style and behaviour. The last line is the number of passed checks.
 * `npm run test:deep` is the same with slow tests. `run-options.mjs` has the options; everything else is passed to Vitest (`npm
 * test -- some.test.ts`, `npm test -- -t "a name"`), and then only Vitest runs. Runs on any Node from 20 on; the checks run on
 * the project's own Node.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { exitCodeOf, findPinnedNode, forwardSignals } from "../packages/server/bin/pinned-node.mjs";
import { buildWhatIsStale } from "./build-what-is-stale.mjs";
import { keepCoresBusy } from "./busy-cores.mjs";
import { countTests } from "./count-tests.mjs";
import { ensureDependencies, PROJECT_ROOT } from "./ensure-dependencies.mjs";
import { memoryFolder } from "./memory-folder.mjs";
import { readRunOptions } from "./run-options.mjs";
import { ensureSystemPrograms } from "./system-programs.mjs";

/** @typedef {import("./count-tests.mjs").Count} Count */

const CHECKS = [
  { heading: "Types", command: ["node_modules/typescript/bin/tsc", "-p", "."] },
  { heading: "Types of the widget", command: ["node_modules/typescript/bin/tsc", "-p", "packages/widget"] },
  { heading: "Types of the dashboard", command: ["node_modules/typescript/bin/tsc", "-p", "packages/dashboard"] },
  { heading: "Lint", command: ["node_modules/@biomejs/biome/bin/biome", "check", "."] },
];
const DURATIONS_FILE = join(PROJECT_ROOT, "scripts/test-durations.json");

/** @type {Count} */
const total = { passed: 0, failed: 0, skipped: 0 };
/** @type {Record<string, string | undefined>} */
const testEnvironment = {};

try {
  const options = readRunOptions(process.argv.slice(2));
  await ensureDependencies("all");
  ensureSystemPrograms(options);
  await buildWhatIsStale();
  testEnvironment.TMPDIR = memoryFolder() ?? process.env.TMPDIR;
  if (options.deep) testEnvironment.FRONTDESK_TEST_DEEP = "1";
  if (options.writeDurations) testEnvironment.TEST_DURATIONS_FILE = DURATIONS_FILE;
  const endBusyCores = options.busy ? keepCoresBusy() : () => {};
  for (let run = 1; run <= options.repeat; run += 1) {
    if (options.repeat > 1) console.log(`\n== Run ${run} of ${options.repeat}`);
    if (options.vitest.length === 0) for (const each of CHECKS) add(await check(each));
    add(await runVitest(options.vitest));
  }
  endBusyCores();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  add({ passed: 0, failed: 1, skipped: 0 });
}

process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
console.log(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ""}`);

/** @param {Count} count */
function add(count) {
  total.passed += count.passed;
  total.failed += count.failed;
  total.skipped += count.skipped;
}

/**
 * A check that passes or fails as a whole.
 *
 * @param {typeof CHECKS[number]} check
 * @returns {Promise<Count>}
 */
async function check({ heading, command }) {
  console.log(`\n== ${heading}`);
  const code = await run(command);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

/**
 * @param {string[]} args
 * @returns {Promise<Count>}
 */
async function runVitest(args) {
  console.log("\n== Tests");
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-test-report-"));
  const report = join(folder, "report.json");
  try {
    const reporters = ["default", "json", "./scripts/slowest-files.ts"].map((name) => `--reporter=${name}`);
    const code = await run([
      "node_modules/vitest/vitest.mjs",
      "run",
      ...reporters,
      `--outputFile.json=${report}`,
      ...args,
    ]);
    return countTests(report, code);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string[]} command a script for Node, and its arguments
 * @returns {Promise<number>} exit code
 */
async function run(command) {
  const bin = join(PROJECT_ROOT, "node_modules/.bin");
  const child = spawn(findPinnedNode(), command, {
    cwd: PROJECT_ROOT,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...testEnvironment, PATH: `${bin}${delimiter}${process.env.PATH ?? ""}` },
  });
  const stopForwarding = forwardSignals(child, { interrupts: false });
  return exitCodeOf(child).finally(stopForwarding);
}
