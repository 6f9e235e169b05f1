/**
 * Brings `node_modules` in line with `package-lock.json`, by npm and only when it has to.
 *
 * The quick answer is a stamp inside `node_modules`. Without a fitting stamp (somebody ran npm by hand) npm's own record
 * of what it installed is compared with the lockfile before anything is thrown away.
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

/** The folder that holds the root `package.json`, with a separator at its end. */
export const PROJECT_ROOT = fileURLToPath(new URL("..", import.meta.url));

const STAMP = "node_modules/.frontdesk-installed.json";

/**
 * What is installed: all packages, or those that a server needs to run.
 *
 * @typedef {"production" | "all"} Mode
 */

/**
 * An entry of a lockfile's `packages`, as far as it is read here.
 *
 * @typedef {{ version?: string, link?: boolean, dev?: boolean, optional?: boolean, devOptional?: boolean }} LockedPackage
 */

/**
 * Installs what is missing. A fuller installation than asked for is kept.
 *
 * @param {Mode} mode
 * @throws {Error} when npm fails; what it said is on the screen by then
 */
export async function ensureDependencies(mode) {
  const fingerprint = fingerprintOf(PROJECT_ROOT);
  if (isStamped(PROJECT_ROOT, fingerprint, mode)) return;
  if (!isInstalled(PROJECT_ROOT, mode) || pinnedNodeIsMissing()) await install(mode);
  ensurePinnedNodeStarts(findPinnedNode());
  // Without our own Node (a download that failed) the stamp is withheld, so that the next start tries again.
  if (!pinnedNodeIsMissing()) writeFileSync(join(PROJECT_ROOT, STAMP), JSON.stringify({ fingerprint, mode }));
}

/**
 * A digest of everything that decides what npm installs.
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
 * Whether everything that the lockfile asks for is in npm's record of what it installed. Optional packages are left
 * out: most are for other platforms. npm writes the record last, so an installation cut short has none.
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
  console.error(`Installing dependencies (npm ci${mode === "production" ? " --omit=dev" : ""}) …`);
  const { command, args } = npm();
  const options = [
    "ci",
    // Said aloud, because NODE_ENV or a setting of the user's may say otherwise; our own Node is an optional package.
    mode === "production" ? "--omit=dev" : "--include=dev",
    "--include=optional",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    // Hides the warning that a package wants a newer Node than the one npm runs on: it will get it.
    "--loglevel=error",
  ];
  const child = spawn(command, [...args, ...options], {
    cwd: PROJECT_ROOT,
    // Nothing but the server itself writes to standard output: somebody may be reading it.
    stdio: ["ignore", process.stderr, "inherit"],
    env: { ...process.env, PATH: pathOfTheMachine() },
    shell: command === "npm" && process.platform === "win32",
  });
  const stopForwarding = forwardSignals(child, { interrupts: false });
  const code = await exitCodeOf(child).finally(stopForwarding);
  if (code !== 0) throw new Error(`npm could not install the dependencies (exit code ${code}).`);
}

/** The npm that called us, on the Node that it ran on, else the one in PATH. */
function npm() {
  const { npm_execpath: cli, npm_node_execpath: node } = process.env;
  const isNpm = cli !== undefined && /npm-cli\.c?js$/.test(cli);
  if (isNpm && node && existsSync(cli) && existsSync(node)) return { command: node, args: [cli] };
  return { command: "npm", args: [] };
}

/** PATH as it was before npm put `node_modules/.bin` in front: npm cannot run on the Node that it is about to replace. */
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
