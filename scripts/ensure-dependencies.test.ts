import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { fingerprintOf, isInstalled } from "./ensure-dependencies.mjs";

const LOCKED = {
  "": { version: "1.0.0" },
  "packages/server": { version: "1.0.0" },
  "node_modules/server": { link: true },
  "node_modules/fastify": { version: "5.0.0" },
  "node_modules/vitest": { version: "5.0.0", dev: true },
  "node_modules/only-elsewhere": { version: "1.0.0", optional: true },
};
const PRODUCTION = { "node_modules/server": { link: true }, "node_modules/fastify": { version: "5.0.0" } };
const ALL = { ...PRODUCTION, "node_modules/vitest": { version: "5.0.0", dev: true } };

it("an installation without development packages is enough to start, not to test", () => {
  const root = project(PRODUCTION);
  expect(isInstalled(root, "production")).toBe(true);
  expect(isInstalled(root, "all")).toBe(false);
});

it("a full installation is enough for both, without the packages of other platforms", () => {
  const root = project(ALL);
  expect(isInstalled(root, "production")).toBe(true);
  expect(isInstalled(root, "all")).toBe(true);
});

it("another version, a removed folder and an installation cut short are noticed", () => {
  expect(isInstalled(project({ ...ALL, "node_modules/fastify": { version: "4.9.9" } }), "all")).toBe(false);
  expect(isInstalled(project(undefined), "production")).toBe(false);

  const root = project(ALL);
  rmSync(join(root, "node_modules/fastify"), { recursive: true });
  expect(isInstalled(root, "all")).toBe(false);
});

it("a changed lockfile and a changed workspace package change the fingerprint", () => {
  const root = project(ALL);
  const before = fingerprintOf(root);
  expect(fingerprintOf(root)).toBe(before);

  write(root, "packages/server/package.json", { name: "server", version: "1.0.1" });
  const after = fingerprintOf(root);
  expect(after).not.toBe(before);

  write(root, "package-lock.json", { packages: {} });
  expect(fingerprintOf(root)).not.toBe(after);
});

/** A project as installed by npm, with `installed` in npm's record; without a record when that is undefined. */
function project(installed: Record<string, object> | undefined): string {
  const root = mkdtempSync(join(tmpdir(), "frontdesk-dependencies-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  write(root, "package.json", { workspaces: ["packages/server"] });
  write(root, "packages/server/package.json", { name: "server", version: "1.0.0" });
  write(root, "package-lock.json", { packages: LOCKED });
  for (const path of Object.keys(installed ?? {})) mkdirSync(join(root, path), { recursive: true });
  if (installed) write(root, "node_modules/.package-lock.json", { packages: installed });
  return root;
}

function write(root: string, path: string, content: object): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), JSON.stringify(content));
}
