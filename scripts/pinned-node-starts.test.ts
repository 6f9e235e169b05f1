import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { ensurePinnedNodeStarts } from "./system-programs.mjs";

/** A program that fails like the system's loader. */
function brokenNode(words: string): string {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-node-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = join(folder, "node");
  writeFileSync(program, `#!/bin/sh\necho "${words}" >&2\nexit 127\n`);
  chmodSync(program, 0o755);
  return program;
}

test("a Node that starts is left alone", () => {
  expect(() => ensurePinnedNodeStarts(process.execPath)).not.toThrow();
});

test("a missing library is named, with the command that installs it", () => {
  const node = brokenNode("error while loading shared libraries: libatomic.so.1: cannot open shared object file");
  vi.stubEnv("PATH", "/nowhere");
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(() => ensurePinnedNodeStarts(node)).toThrow(/sudo apt-get install libatomic1/);
});

test("any other reason is reported unchanged", () => {
  expect(() => ensurePinnedNodeStarts(brokenNode("Exec format error"))).toThrow("does not start: Exec format error");
});
