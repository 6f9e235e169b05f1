/**
 * The programs that tests start and npm does not install: where they are, and how to install them on Debian. The server itself
 * needs none of them.
 */
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * @typedef {object} SystemProgram
 * @property {string} name
 * @property {() => string | undefined} find
 * @property {string[]} packages of Debian
 * @property {true} [optional] the few tests that use it are skipped without it, or use another one
 * @property {true} [deepOnly] `npm test` has no test that uses it
 * @property {true} [notEverywhere] some systems with apt-get have no such package
 * @property {string} [service] that Debian's package starts, at once and at boot; the tests never use it
 * @property {string} [unpackedTo] Debian does not install its package beside another one of these: its files alone are put into this folder
 */

const UNPACKED = "/var/cache/frontdesk-tests";
const EXIM = join(UNPACKED, "exim");

/** @type {SystemProgram[]} */
const NEEDED_BY_TESTS = [
  { name: "PostgreSQL", find: findPostgres, packages: ["postgresql", "postgresql-contrib"] },
  { name: "Redis", find: findRedis, packages: ["redis-server"], service: "redis-server" },
  { name: "Chromium", find: findChromium, packages: ["chromium"] },
  {
    name: "Chromium's headless shell",
    find: findHeadlessShell,
    packages: ["chromium-headless-shell"],
    optional: true,
    notEverywhere: true,
  },
  { name: "curl", find: () => findInPath("curl"), packages: ["curl", "ca-certificates"] },
  { name: "OpenSSL", find: () => findInPath("openssl"), packages: ["openssl"] },
  { name: "nginx", find: findNginx, packages: ["nginx"], service: "nginx" },
  { name: "Dovecot", find: findDovecot, packages: ["dovecot-imapd"], service: "dovecot" },
  { name: "dnsmasq", find: findDnsmasq, packages: ["dnsmasq-base"] },
  { name: "Postfix", find: findPostfix, packages: ["postfix"], optional: true, deepOnly: true, service: "postfix" },
  {
    name: "Exim",
    find: findExim,
    // With the libraries that a bare Debian lacks, and the one that lends it the user that its package creates.
    packages: ["exim4-daemon-light", "libidn12", "libgnutls-dane0", "libunbound8", "libnsl2", "libnss-wrapper"],
    ...{ optional: true, deepOnly: true, notEverywhere: true, unpackedTo: EXIM },
  },
  { name: "Python", find: findPython, packages: ["python3"], optional: true },
  { name: "PHP", find: findPhp, packages: ["php-cli"], optional: true },
  { name: "Ruby", find: findRuby, packages: ["ruby"], optional: true },
  // Without Go, one of the webhook guide's languages: 81 MB to download and 464 MB on disk. It is used where it is installed.
];

const CREATE_CLUSTER_CONF = "/etc/postgresql-common/createcluster.conf";
const SERVICE_POLICY = "/usr/sbin/policy-rc.d";

/**
 * Installs what the tests need and the machine lacks, if this process may: as root, with apt-get.
 *
 * @param {{ deep: boolean }} options whether it is for `npm run test:deep`
 * @throws {Error} when something is missing; the message names the packages
 */
export function ensureSystemPrograms({ deep }) {
  const missing = NEEDED_BY_TESTS.filter(({ find, deepOnly }) => (deep || !deepOnly) && !find());
  if (missing.length === 0) return;
  if (process.getuid?.() !== 0 || !findInPath("apt-get")) {
    const needed = missing.filter(({ optional }) => !optional);
    if (needed.length === 0) return;
    throw new Error(
      `The tests need ${namesOf(needed)}, which ${needed.length === 1 ? "is" : "are"} not installed. ` +
        `On Debian or Ubuntu, run: sudo apt-get install --no-install-recommends ${packagesOf(needed).join(" ")}`,
    );
  }
  const everywhere = missing.filter(({ notEverywhere }) => !notEverywhere);
  try {
    install(missing);
  } catch (error) {
    if (everywhere.length === missing.length) throw error;
    const left = missing.filter(({ notEverywhere }) => notEverywhere);
    console.log(`${namesOf(left)} cannot be installed here; the tests work without it.`);
    if (everywhere.length > 0) install(everywhere);
  }
}

/**
 * @param {SystemProgram[]} programs
 * @throws {Error} when one cannot be installed
 */
function install(programs) {
  const packages = packagesOf(programs);
  console.log(`Installing ${namesOf(programs)} (${packages.join(" ")}, by apt-get)…`);
  if (programs.some((program) => program.find === findPostgres)) forbidDebiansOwnCluster();
  aptGet(["update"]);
  const installed = packagesOf(programs.filter(({ unpackedTo }) => !unpackedTo));
  if (installed.length > 0) {
    startingNoServices(() =>
      aptGet(["install", "-y", "--no-install-recommends", "-o", "Dpkg::Options::=--force-confold", ...installed]),
    );
  }
  for (const program of programs) if (program.unpackedTo) unpack(program.packages, program.unpackedTo);
  const services = programs.flatMap(({ service }) => service ?? []);
  if (services.length > 0 && findInPath("systemctl")) spawnSync("systemctl", ["disable", ...services]);
  const stillMissing = programs.filter((program) => !program.find());
  if (stillMissing.length > 0) {
    throw new Error(`apt-get installed ${packages.join(", ")}, but ${namesOf(stillMissing)} cannot be found.`);
  }
}

/**
 * @param {string[]} packages
 * @param {string} folder
 */
function unpack(packages, folder) {
  mkdirSync(folder, { recursive: true });
  aptGet(["download", ...packages], folder);
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".deb"))) {
    spawnSync("dpkg", ["-x", file, "."], { cwd: folder });
    rmSync(join(folder, file));
  }
}

/** @param {SystemProgram[]} programs */
function namesOf(programs) {
  return programs.map(({ name }) => name).join(" and ");
}

/** @param {SystemProgram[]} programs */
function packagesOf(programs) {
  return programs.flatMap(({ packages }) => packages);
}

/**
 * Ensures that the project's Node starts: it needs one library that a bare Debian lacks. Installs it if this process may: as
 * root, with apt-get.
 *
 * @param {string} node path of the program
 * @throws {Error} when it does not start; the message says what to do
 */
export function ensurePinnedNodeStarts(node) {
  const tried = spawnSync(node, ["--version"], { encoding: "utf8" });
  if (tried.status === 0) return;
  const reason = (tried.stderr || tried.error?.message || "no reason was given").trim();
  if (!reason.includes("libatomic")) throw new Error(`Frontdesk's own Node does not start: ${reason}`);
  if (process.getuid?.() !== 0 || !findInPath("apt-get")) {
    throw new Error(
      "Frontdesk's own Node needs the library libatomic, which is not installed. " +
        "On Debian or Ubuntu, run: sudo apt-get install libatomic1 (elsewhere: libatomic), then try again.",
    );
  }
  console.error("Installing libatomic1 (apt-get), which Frontdesk's own Node needs…");
  aptGet(["update"]);
  aptGet(["install", "-y", "--no-install-recommends", "libatomic1"]);
}

/**
 * The folder with the server programs of PostgreSQL (`initdb`, `postgres`): the first in PATH, else Debian's newest.
 *
 * @returns {string | undefined}
 */
export function findPostgres() {
  const versions = existsSync("/usr/lib/postgresql") ? readdirSync("/usr/lib/postgresql") : [];
  const newestFirst = versions.sort((a, b) => Number.parseFloat(b) - Number.parseFloat(a));
  const folders = [...foldersInPath(), ...newestFirst.map((version) => `/usr/lib/postgresql/${version}/bin`)];
  return folders.find((folder) => isProgram(join(folder, "initdb")) && isProgram(join(folder, "postgres")));
}

/**
 * The Redis for tests; Valkey counts as well.
 *
 * @returns {string | undefined} path of the program
 */
export function findRedis() {
  return findInPath("redis-server") ?? findInPath("valkey-server");
}

/**
 * The Chromium for stories.
 *
 * @returns {string | undefined} path of the program
 */
export function findChromium() {
  return findInPath("chromium") ?? (isProgram("/usr/bin/chromium") ? "/usr/bin/chromium" : undefined);
}

/**
 * The same engine as Chromium's, without the pages and the windows of a browser: quicker where no test needs them.
 *
 * @returns {string | undefined} path of the program
 */
export function findHeadlessShell() {
  return findInPath("chromium-headless-shell");
}

/**
 * The reverse proxy of production. Its folder is not in every user's PATH.
 *
 * @returns {string | undefined} path of the program
 */
export function findNginx() {
  return findInPath("nginx") ?? (isProgram("/usr/sbin/nginx") ? "/usr/sbin/nginx" : undefined);
}

/**
 * The mail server whose mailboxes tests read. Its folder is not in every user's PATH.
 *
 * @returns {string | undefined} path of the program
 */
export function findDovecot() {
  return findInPath("dovecot") ?? (isProgram("/usr/sbin/dovecot") ? "/usr/sbin/dovecot" : undefined);
}

/**
 * The name server of tests about records of domains. Its folder is not in every user's PATH.
 *
 * @returns {string | undefined} path of the program
 */
export function findDnsmasq() {
  return findInPath("dnsmasq") ?? (isProgram("/usr/sbin/dnsmasq") ? "/usr/sbin/dnsmasq" : undefined);
}

/**
 * The mail server that hands mails over in tests. Its folder is not in every user's PATH.
 *
 * @returns {string | undefined} path of the program
 */
export function findPostfix() {
  return findInPath("postfix") ?? (isProgram("/usr/sbin/postfix") ? "/usr/sbin/postfix" : undefined);
}

/**
 * The other mail server that hands mails over in tests.
 *
 * @returns {string | undefined} the folder that its packages were unpacked to
 */
export function findExim() {
  return isProgram(join(EXIM, "usr/sbin/exim4")) ? EXIM : undefined;
}

/** The languages of the examples in the guide on webhooks. */
export function findPython() {
  return findInPath("python3");
}

export function findPhp() {
  return findInPath("php");
}

export function findRuby() {
  return findInPath("ruby");
}

export function findGo() {
  return findInPath("go");
}

/** Debian starts a server with the package; the tests never use it, and its port may be taken. */
function forbidDebiansOwnCluster() {
  if (existsSync(CREATE_CLUSTER_CONF)) return;
  mkdirSync("/etc/postgresql-common", { recursive: true });
  writeFileSync(CREATE_CLUSTER_CONF, "create_main_cluster = false\n");
}

/**
 * Keeps Debian from starting what it installs; the tests start their own, and the port may be taken. 101 is Debian's code for
 * "not allowed".
 *
 * @param {() => void} install
 */
function startingNoServices(install) {
  if (existsSync(SERVICE_POLICY)) return install();
  writeFileSync(SERVICE_POLICY, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  try {
    install();
  } finally {
    rmSync(SERVICE_POLICY);
  }
}

/**
 * @param {string[]} args
 * @param {string} [cwd]
 */
function aptGet(args, cwd) {
  const result = spawnSync("apt-get", ["-qq", ...args], {
    ...(cwd && { cwd }),
    encoding: "utf8",
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 64 * 1024 * 1024,
  });
  if (result.status === 0) return;
  const tail = `${result.stdout ?? ""}\n${result.stderr ?? ""}`.trim().split("\n").slice(-20).join("\n");
  throw new Error(`apt-get ${args.join(" ")} failed:\n${tail || result.error?.message}`);
}

/** @param {string} name */
function findInPath(name) {
  return foldersInPath()
    .map((folder) => join(folder, name))
    .find(isProgram);
}

function foldersInPath() {
  return (process.env.PATH ?? "").split(delimiter).filter(Boolean);
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
