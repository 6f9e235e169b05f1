/**
 * Installs what `package-lock.json` requires in `node_modules`, by npm and only when necessary.
 *
 * The fast check is a stamp inside `node_modules`. Without a matching stamp (npm was run by hand), npm's own record of the
 * installed packages is compared with the lockfile before anything is reinstalled.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  exitCodeOf,
  findPinnedNode,
  forwardSignals,
  pinnedNodeIsMissing,
} from "../packages/server/bin/pinned-node.mjs";
import { ensurePinnedNodeStarts } from "./system-programs.mjs";

/** The folder of the root `package.json`, with a trailing separator. */
export const PROJECT_ROOT = fileURLToPath(new URL("..", import.meta.url));

const STAMP = "node_modules/.frontdesk-installed.json";

/**
 * What is installed: all packages, or those that a server needs.
 *
 * @typedef {"production" | "all"} Mode
 */

/**
 * An entry of a lockfile's `packages`, the fields that are used here.
 *
 * @typedef {{ version?: string, link?: boolean, dev?: boolean, optional?: boolean, devOptional?: boolean }} LockedPackage
 */

/**
 * Installs what is missing. A fuller installation than required stays.
 *
 * @param {Mode} mode
 * @throws {Error} when npm fails; its output is on the screen by then
 */
export async function ensureDependencies(mode) {
  const fingerprint = fingerprintOf(PROJECT_ROOT);
  if (isStamped(PROJECT_ROOT, fingerprint, mode)) return;
  if (!isInstalled(PROJECT_ROOT, mode) || pinnedNodeIsMissing()) await install(mode);
  ensurePinnedNodeStarts(findPinnedNode());
  // Without our own Node (a failed download) no stamp is written, so that the next start tries again.
  if (!pinnedNodeIsMissing()) writeFileSync(join(PROJECT_ROOT, STAMP), JSON.stringify({ fingerprint, mode }));
}

/**
 * A digest of everything that determines what npm installs.
 *
 * @param {string} root
 */
export function fingerprintOf(root) {
  const digest = createHash("sha256");
  const { workspaces } = readJson(join(root, "package.json"));
  const files = [
    "package-lock.json",
    "package.json",
    ...workspaces.map((/** @type {string} */ w) => `${w}/package.json`),
  ];
  for (const file of files) digest.update(`${file}\0`).update(readFileSync(join(root, file)));
  return digest.digest("hex");
}

/**
 * Whether npm's record contains everything that the lockfile requires. Optional packages are ignored: most are for other
 * platforms. npm writes the record last, so an interrupted installation has none.
 *
 * @param {string} root
 * @param {Mode} mode
 */
export function isInstalled(root, mode) {
  const recordFile = join(root, "node_modules/.package-lock.json");
  if (!existsSync(recordFile)) return false;
  /** @type {Record<string, LockedPackage>} */
  const wanted = readJson(join(root, "package-lock.json")).packages;
  /** @type {Record<string, LockedPackage>} */
  const installed = readJson(recordFile).packages;
  return Object.entries(wanted).every(([path, locked]) => {
    if (!path.includes("node_modules/") || locked.optional || locked.devOptional) return true;
    if (locked.dev && mode === "production") return true;
    const found = installed[path];
    return found !== undefined && found.version === locked.version && existsSync(join(root, path));
  });
}

/**
 * @param {string} root
 * @param {string} fingerprint
 * @param {Mode} mode
 */
function isStamped(root, fingerprint, mode) {
  const file = join(root, STAMP);
  if (!existsSync(file)) return false;
  const stamp = readJson(file);
  return stamp.fingerprint === fingerprint && (stamp.mode === "all" || stamp.mode === mode);
}

/** @param {Mode} mode */
async function install(mode) {
  console.error(`Installing dependencies (npm ci${mode === "production" ? " --omit=dev" : ""})…`);
  const { command, args } = npm();
  const options = [
    "ci",
    // Explicitly, because NODE_ENV or the user's npm settings may differ; our own Node is an optional package.
    mode === "production" ? "--omit=dev" : "--include=dev",
    "--include=optional",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    // Hides the warning that a package needs a newer Node than npm's own: it will run on the project's Node.
    "--loglevel=error",
  ];
  const child = spawn(command, [...args, ...options], {
    cwd: PROJECT_ROOT,
    // Standard output is only for the server itself: another program may read it.
    stdio: ["ignore", process.stderr, "inherit"],
    env: { ...process.env, PATH: pathOfTheMachine() },
    shell: command === "npm" && process.platform === "win32",
  });
  const stopForwarding = forwardSignals(child, { interrupts: false });
  const code = await exitCodeOf(child).finally(stopForwarding);
  if (code !== 0) throw new Error(`npm failed to install the dependencies (exit code ${code}).`);
}

/** The npm that started us, on its Node, else the one in PATH. */
function npm() {
  const { npm_execpath: cli, npm_node_execpath: node } = process.env;
  const isNpm = cli !== undefined && /npm-cli\.c?js$/.test(cli);
  if (isNpm && node && existsSync(cli) && existsSync(node)) return { command: node, args: [cli] };
  return { command: "npm", args: [] };
}

/** PATH without `node_modules/.bin`, which npm has prepended: npm cannot run on the Node that it may replace. */
function pathOfTheMachine() {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder))
    .join(delimiter);
}

/** @param {string} file */
function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}
