/** Reference row 50, as far as it can be seen without a registry; `npm run soak -- audit` asks for known holes. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

interface Locked {
  link?: boolean;
  integrity?: string;
  resolved?: string;
  hasInstallScript?: boolean;
  dev?: boolean;
  optional?: boolean;
}

const root = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
const lock = JSON.parse(readFileSync(root("package-lock.json"), "utf8")) as { packages: Record<string, Locked> };
const installed = Object.entries(lock.packages).filter(([path, { link }]) => path.includes("node_modules/") && !link);

/** Each was argued for in docs/decisions; one more is a decision, and changes this list with it. */
const CHOSEN = readChosen(["core", "server", "client", "widget", "dashboard"]);
/** With all that the chosen ones bring along, 25 of them for IMAP and MIME, 2 for LMTP, 1 for OAuth, 1 for OpenID Connect, 26 for passkeys and their QR code, 42 for pages and files that become articles, 1 for streams of a model; a third build the dashboard, and are not loaded by the service. */
const MOST_RUNTIME_PACKAGES = 268;

function readChosen(packages: string[]): string[] {
  const names = packages.flatMap((name) => {
    const text = readFileSync(root(`packages/${name}/package.json`), "utf8");
    return Object.keys((JSON.parse(text) as { dependencies?: object }).dependencies ?? {});
  });
  return [...new Set(names)].filter((name) => !name.startsWith("@frontdesk/")).toSorted();
}

test("every package is locked by its content", () => {
  expect(installed.length).toBeGreaterThan(100);
  const open = installed.filter(([, { integrity }]) => !integrity?.startsWith("sha512-"));
  expect(open.map(([path]) => path)).toEqual([]);
});

/**
 * Builds the widget before the service starts, and is not loaded by it. Its script only replaces a small starter by the
 * program itself; it is switched off like all of them (`.npmrc`, `npm ci --ignore-scripts`), and nothing is missed.
 */
const BUILD_TOOL = "node_modules/esbuild";

test("no package that the service runs on has an install script", () => {
  const scripts = installed.filter(([, { hasInstallScript, dev, optional }]) => hasInstallScript && !dev && !optional);
  expect(scripts.map(([path]) => path)).toEqual([BUILD_TOOL]);
  expect(readFileSync(root(".npmrc"), "utf8")).toContain("ignore-scripts=true");
});

test("versions are pinned, so that the lockfile says nothing else than the packages", () => {
  for (const name of ["core", "server", "client", "widget", "dashboard"]) {
    const { dependencies = {} } = JSON.parse(readFileSync(root(`packages/${name}/package.json`), "utf8")) as {
      dependencies?: Record<string, string>;
    };
    for (const [dependency, version] of Object.entries(dependencies)) {
      expect(`${dependency} ${version}`).toMatch(/ \d+\.\d+\.\d+(-[\w.]+)?$/);
    }
  }
});

test("the service runs on few packages", () => {
  const runtime = installed.filter(([, { dev, optional }]) => !dev && !optional).map(([path]) => path);
  console.log(`${CHOSEN.length} chosen (${CHOSEN.join(", ")}), ${runtime.length} in all`);
  expect(runtime.length).toBeLessThanOrEqual(MOST_RUNTIME_PACKAGES);
});
