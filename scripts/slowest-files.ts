/**
 * A reporter for Vitest: the 20 slowest test files, loading included, at the end of a run. With `TEST_DURATIONS_FILE` in the
 * environment it also writes the durations for `longest-first.ts` into that file.
 */
import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";
import { PROJECT_ROOT } from "./ensure-dependencies.mjs";

const SHOWN = 20;
/** Faster files need no order. */
const SHORTEST_KEPT_S = 2;

export default class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map(timeOf).sort((a, b) => b.seconds - a.seconds);
    const durationsFile = process.env.TEST_DURATIONS_FILE;
    if (durationsFile) writeFileSync(durationsFile, durationsOf(files));
    if (files.length <= SHOWN) return;
    console.log(`\nThe ${SHOWN} slowest of ${files.length} files (seconds, loading included):`);
    for (const { name, seconds } of files.slice(0, SHOWN)) console.log(`${seconds.toFixed(1).padStart(7)}  ${name}`);
  }
}

interface FileTime {
  /** Project and path, the key in `longest-first.ts`. */
  name: string;
  seconds: number;
}

function timeOf(module: TestModule): FileTime {
  const { collectDuration, prepareDuration, duration } = module.diagnostic();
  const name = nameOfFile(module.project.name, module.moduleId);
  return { name, seconds: (collectDuration + prepareDuration + duration) / 1_000 };
}

export function nameOfFile(project: string, path: string): string {
  return `${project}: ${relative(PROJECT_ROOT, path)}`;
}

function durationsOf(files: FileTime[]): string {
  const long = files.filter(({ seconds }) => seconds >= SHORTEST_KEPT_S);
  return `${JSON.stringify(Object.fromEntries(long.map(({ name, seconds }) => [name, Math.round(seconds)])), null, 2)}\n`;
}
