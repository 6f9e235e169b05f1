/** Builds the parts that do not run from their sources, each only when a source is newer than its output. */
import { spawn } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { exitCodeOf, findPinnedNode } from "../packages/server/bin/pinned-node.mjs";
import { PROJECT_ROOT } from "./ensure-dependencies.mjs";

/**
 * A part to build. Paths are relative to the root of the project. Its tools have to be `dependencies`: `npm start` installs no
 * `devDependencies`.
 *
 * @typedef {object} Build
 * @property {string} name shown during the build
 * @property {string[]} inputs source files and folders; a package is named as a whole, so that its new files count
 * @property {string} output a file that every build writes
 * @property {string[]} command a script for Node, and its arguments
 */

/**
 * In build order.
 *
 * @type {Build[]}
 */
export const BUILDS = [
  {
    name: "the widget",
    inputs: ["packages/widget", "packages/client", "package-lock.json"],
    output: "packages/widget/dist/manifest.json",
    command: ["packages/widget/build-widget.ts"],
  },
  {
    name: "the dashboard",
    inputs: ["packages/dashboard", "packages/client", "packages/core/src", "package-lock.json"],
    output: "packages/dashboard/dist/manifest.json",
    command: ["packages/dashboard/build-dashboard.ts"],
  },
];

/**
 * @param {Build[]} [builds]
 * @param {string} [root] folder that the paths are relative to
 * @returns {Promise<string[]>} names of what was built
 * @throws {Error} when a build fails; its output is on the screen by then
 */
export async function buildWhatIsStale(builds = BUILDS, root = PROJECT_ROOT) {
  const stale = builds.filter((build) => isStale(build, root));
  for (const build of stale) {
    console.error(`Building ${build.name}…`);
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

/** Installed packages, and what a build writes or renames: `dist`, `dist-next`, `dist-last`. */
const NO_SOURCE = /^(node_modules|dist(-\w+)?)$/;

/**
 * Includes the modification times of folders, which change when a file is removed, but also when a build writes into them.
 *
 * @param {string} path
 * @returns {number} milliseconds since the epoch
 */
function newestChange(path) {
  const entry = statSync(path);
  if (!entry.isDirectory()) return entry.mtimeMs;
  const names = readdirSync(path);
  return names
    .filter((name) => !NO_SOURCE.test(name))
    .reduce(
      (newest, name) => Math.max(newest, newestChange(join(path, name))),
      names.includes("dist") ? 0 : entry.mtimeMs,
    );
}
