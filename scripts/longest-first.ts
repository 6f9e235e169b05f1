import { readFileSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { nameOfFile } from "./slowest-files.ts";

/** Seconds per file, written by `npm test -- --write-durations`: a fresh clone has no record of earlier runs. */
const durations: Record<string, number> = JSON.parse(
  readFileSync(new URL("./test-durations.json", import.meta.url), "utf8"),
);

/** Runs the longest files of a project first, so that no worker is left with one at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    const projects = [...new Set(usual.map(({ project }) => project))];
    return projects.flatMap((project) =>
      usual.filter((file) => file.project === project).sort((a, b) => secondsOf(b) - secondsOf(a)),
    );
  }
}

function secondsOf({ project, moduleId }: TestSpecification): number {
  return durations[nameOfFile(project.name, moduleId)] ?? 0;
}
