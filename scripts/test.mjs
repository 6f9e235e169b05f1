/**
 * `npm test`: brings what is missing, then checks types, style and behaviour. The last line says how many checks passed.
 * With arguments (`npm test -- some.test.ts`, `npm test -- -t "a name"`) they go to Vitest and only Vitest runs.
 * Runs on any Node from 20 on; what it starts runs on the project's own Node.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { exitCodeOf, findPinnedNode, forwardSignals } from "../packages/server/bin/pinned-node.mjs";
import { buildWhatIsStale } from "./build-what-is-stale.mjs";
import { countTests } from "./count-tests.mjs";
import { ensureDependencies, PROJECT_ROOT } from "./ensure-dependencies.mjs";
import { ensureSystemPrograms } from "./system-programs.mjs";

/** @typedef {import("./count-tests.mjs").Count} Count */

const vitestArgs = process.argv.slice(2);
/** @type {Count} */
const total = { passed: 0, failed: 0, skipped: 0 };

try {
  await ensureDependencies("all");
  ensureSystemPrograms();
  await buildWhatIsStale();
  if (vitestArgs.length === 0) {
    add(await check("Types", ["node_modules/typescript/bin/tsc", "-p", "."]));
    add(await check("Types of the widget", ["node_modules/typescript/bin/tsc", "-p", "packages/widget"]));
    add(await check("Types of the dashboard", ["node_modules/typescript/bin/tsc", "-p", "packages/dashboard"]));
    add(await check("Lint", ["node_modules/@biomejs/biome/bin/biome", "check", "."]));
  }
  add(await runVitest(vitestArgs));
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
 * @param {string} heading
 * @param {string[]} command
 * @returns {Promise<Count>}
 */
async function check(heading, command) {
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
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    const code = await run(["node_modules/vitest/vitest.mjs", "run", ...reporters, ...args]);
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
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ""}` },
  });
  const stopForwarding = forwardSignals(child, { interrupts: false });
  return exitCodeOf(child).finally(stopForwarding);
}
