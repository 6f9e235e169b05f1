import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { BUILDS, buildWhatIsStale } from "./build-what-is-stale.mjs";
import { PROJECT_ROOT } from "./ensure-dependencies.mjs";

const PAST = new Date("2026-01-01T00:00:00Z");
const WIDGET = {
  name: "widget",
  inputs: ["src"],
  output: "dist/widget.js",
  command: ["-e", 'fs.mkdirSync("dist", { recursive: true }); fs.writeFileSync("dist/widget.js", "")'],
};

it("a part is built when it is missing, when a source changed, and when a source was removed", async () => {
  const root = project();
  expect(await buildWhatIsStale([WIDGET], root)).toEqual(["widget"]);
  expect(await buildWhatIsStale([WIDGET], root)).toEqual([]);

  ageOutput(root);
  writeFileSync(join(root, "src/frame/chat.ts"), "changed");
  expect(await buildWhatIsStale([WIDGET], root)).toEqual(["widget"]);

  ageSources(root);
  ageOutput(root, new Date("2026-01-02T00:00:00Z"));
  expect(await buildWhatIsStale([WIDGET], root)).toEqual([]);
  rmSync(join(root, "src/frame/chat.ts"));
  expect(await buildWhatIsStale([WIDGET], root)).toEqual(["widget"]);
});

it("a package that is named as a whole is built again for a new file of any name, and not for what its build wrote", async () => {
  const root = project();
  const whole = { ...WIDGET, inputs: ["."] };
  expect(await buildWhatIsStale([whole], root)).toEqual(["widget"]);
  writeFileSync(join(root, "dist/widget.css"), "");
  expect(await buildWhatIsStale([whole], root)).toEqual([]);

  ageOutput(root);
  ageSources(root);
  writeFileSync(join(root, "preload.ts"), "");
  expect(await buildWhatIsStale([whole], root)).toEqual(["widget"]);
});

it("every input of a build exists: one that is missing fails the second start", () => {
  for (const { name, inputs } of BUILDS) {
    for (const input of inputs) expect(existsSync(join(PROJECT_ROOT, input)), `${input} of ${name}`).toBe(true);
  }
});

it("a build that fails ends the start with its name", async () => {
  const failing = { ...WIDGET, command: ["-e", "process.exit(3)"] };
  await expect(buildWhatIsStale([failing], project())).rejects.toThrow("Building widget failed (exit code 3).");
});

/** A project with one source, older than anything built now. */
function project(): string {
  const root = mkdtempSync(join(tmpdir(), "frontdesk-builds-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, "src/frame"), { recursive: true });
  writeFileSync(join(root, "src/frame/chat.ts"), "");
  ageSources(root);
  return root;
}

function ageSources(root: string): void {
  for (const path of ["src/frame/chat.ts", "src/frame", "src"]) utimesSync(join(root, path), PAST, PAST);
}

function ageOutput(root: string, time = PAST): void {
  utimesSync(join(root, "dist/widget.js"), time, time);
}
