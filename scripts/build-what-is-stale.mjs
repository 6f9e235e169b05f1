/** Builds the parts that do not run from their sources, each only when a source is newer than what was built from it. */
import { spawn } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { exitCodeOf, findPinnedNode } from "../packages/server/bin/pinned-node.mjs";
import { PROJECT_ROOT } from "./ensure-dependencies.mjs";

/**
 * A part to build. Paths are relative to the root of the project. Its tools have to be `dependencies`: a start installs
 * no `devDependencies`.
 *
 * @typedef {object} Build
 * @property {string} name shown while it is built
 * @property {string[]} inputs files and folders that it is made of
 * @property {string} output a file that every build writes anew
 * @property {string[]} command a script for Node, and its arguments
 */

/**
 * In the order in which they are built.
 *
 * @type {Build[]}
 */
const BUILDS = [
  {
    name: "the widget",
    inputs: ["packages/widget/src", "packages/widget/build-widget.ts", "packages/client/src", "package-lock.json"],
    output: "packages/widget/dist/manifest.json",
    command: ["packages/widget/build-widget.ts"],
  },
  {
    name: "the dashboard",
    inputs: [
      "packages/dashboard/src",
      "packages/dashboard/index.html",
      "packages/dashboard/vite.config.ts",
      "packages/dashboard/preload-font.ts",
      "packages/client/src",
      "packages/core/src/domain",
      "package-lock.json",
    ],
    output: "packages/dashboard/dist/manifest.json",
    command: ["packages/dashboard/build-dashboard.ts"],
  },
];

/**
 * @param {Build[]} [builds]
 * @param {string} [root] folder that their paths start from
 * @returns {Promise<string[]>} names of what was built
 * @throws {Error} when a build fails; what it said is on the screen by then
 */
export async function buildWhatIsStale(builds = BUILDS, root = PROJECT_ROOT) {
  const stale = builds.filter((build) => isStale(build, root));
  for (const build of stale) {
    console.error(`Building ${build.name} …`);
    const child = spawn(findPinnedNode(), build.command, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
    const code = await exitCodeOf(child);
    if (code !== 0) throw new Error(`Building ${build.name} failed (exit code ${code}).`);
  }
  return stale.map((build) => build.name);
}

/**
 * @param {Build} build
 * @param {string} root
 */
function isStale(build, root) {
  const built = statSync(join(root, build.output), { throwIfNoEntry: false });
  if (!built) return true;
  return build.inputs.some((input) => newestChange(join(root, input)) > built.mtimeMs);
}

/**
 * The folders' own times count too: they tell of a file that was removed.
 *
 * @param {string} path
 * @returns {number} milliseconds since the epoch
 */
function newestChange(path) {
  const entry = statSync(path);
  if (!entry.isDirectory()) return entry.mtimeMs;
  return readdirSync(path)
    .filter((name) => name !== "node_modules")
    .reduce((newest, name) => Math.max(newest, newestChange(join(path, name))), entry.mtimeMs);
}
