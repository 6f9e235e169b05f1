import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { newProcessInstallation } from "@frontdesk/testing/installation";
import { expect, test } from "vitest";
import { root } from "./house/source-files.ts";

/** Values that differ in every run: ids, keys, set-up tokens, times. */
const CHANGING =
  /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}|fd_key_\w+|(?<=setup#)[\w-]+|\d{4}-\d\d-\d\dT[\d:.]+Z/g;

test("every command in the README prints what the README says", async () => {
  const frontdesk = await newProcessInstallation("sqlite");
  const started = await frontdesk.start();
  /** A text of the README, and its value in this run. */
  const actual = new Map<string, string>([["http://127.0.0.1:8080", frontdesk.origin]]);
  const assignments: string[] = [];

  const steps = readSteps(readFileSync(join(root, "README.md"), "utf8"));
  expect(steps.length).toBeGreaterThan(8);
  for (const { command, output } of steps) {
    const run = inThisRun(command);
    if (/^[A-Z]+=/.test(run)) {
      assignments.push(run);
      continue;
    }
    const printed =
      command === "npm start"
        ? `Frontdesk is listening on ${started.url}\nSet up your team with this one-time link: ${started.setup_url}`
        : await bash([...assignments, run].join("\n"));
    const found = [...printed.matchAll(CHANGING)].map(([text]) => text);
    const written = [...output.matchAll(CHANGING)].map(([text]) => text);
    for (const [index, text] of written.entries()) if (!actual.has(text)) actual.set(text, found[index] ?? "");
    expect(printed.trim(), command).toBe(inThisRun(output).trim());
  }

  function inThisRun(text: string): string {
    return [...actual].reduce((changed, [written, found]) => changed.replaceAll(written, found), text);
  }

  async function bash(script: string): Promise<string> {
    const { stdout } = await promisify(execFile)("bash", ["-c", script], { cwd: root, env: frontdesk.env });
    return stdout;
  }
});

/** The commands of the console blocks, each with its printed lines. */
function readSteps(text: string): { command: string; output: string }[] {
  return [...text.matchAll(/```console\n([\s\S]*?)```/g)]
    .flatMap(([, block = ""]) => block.split(/^\$ /m).slice(1))
    .map((step) => {
      const [command = "", ...output] = step.trimEnd().split("\n");
      return { command, output: output.join("\n") };
    });
}
