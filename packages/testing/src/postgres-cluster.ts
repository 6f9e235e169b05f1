/**
 * A real PostgreSQL for tests: a temporary cluster on its own port, removed with the process that started it.
 *
 * As Vitest's `globalSetup` it starts one cluster for the run and passes its address to tests (`inject("postgresUrl")`,
 * `TEST_POSTGRES_URL`); `startPostgres` is for a test with its own cluster.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, closeSync, existsSync, mkdtempSync, openSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { TestProject } from "vitest/node";
import { findPostgres } from "../../../scripts/system-programs.mjs";
import { freePort } from "./free-port.ts";
import { createTemplate } from "./test-database.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Address of the run's PostgreSQL, its maintenance database: create a separate database beside it. */
    postgresUrl: string;
  }
}

/** A running PostgreSQL of our own. */
export interface PostgresCluster {
  /** `postgres://postgres@127.0.0.1:PORT/postgres`; without a password. */
  readonly url: string;
  readonly dataDir: string;
  readonly port: number;
  /** The postmaster's process id; changes with `restart`. */
  readonly pid: number;
  /** Stops it and removes its files. May be called again. */
  stop(): Promise<void>;
  /** Ends it like a power cut: no checkpoint, every connection cut. Its files stay. */
  kill(): Promise<void>;
  /** Starts it again on the same port and files, after `kill`. */
  restart(): Promise<void>;
}

export interface PostgresOptions {
  /** Whether a commit waits for the disk, as in production. Off by default: a test has no power cuts. */
  fsync?: boolean;
  /** Further settings, by their names in postgresql.conf. */
  settings?: Readonly<Record<string, string>>;
}

interface User {
  uid: number;
  gid: number;
}

const START_TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 20;

/** Removes the cluster when its standard input closes, which happens even when this process is killed. */
const CLEANUP_SCRIPT = `
cat >/dev/null
lock="$1/data/postmaster.pid"
pid=$(head -n 1 "$lock" 2>/dev/null)
if [ -n "$pid" ]; then
  kill -QUIT "$pid" 2>/dev/null
  while [ -e "$lock" ] && kill -0 "$pid" 2>/dev/null; do sleep 0.02; done
fi
rm -rf "$1"
`;

/** One cluster serves all projects of a run; Vitest calls the setup for each, and may load this file for each. */
const shared = globalThis as typeof globalThis & {
  frontdeskTestPostgres?: { cluster: Promise<PostgresCluster>; users: number };
};

/** Vitest's `globalSetup`, called only for projects that have tests to run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.frontdeskTestPostgres ??= { cluster: startWithTemplate(), users: 0 };
  const run = shared.frontdeskTestPostgres;
  run.users += 1;
  const { url } = await run.cluster;
  project.provide("postgresUrl", url);
  process.env.TEST_POSTGRES_URL = url;
  return async () => {
    run.users -= 1;
    if (run.users > 0) return;
    delete shared.frontdeskTestPostgres;
    await (await run.cluster).stop();
  };
}

async function startWithTemplate(): Promise<PostgresCluster> {
  const cluster = await startPostgres();
  await createTemplate(cluster.url);
  return cluster;
}

/**
 * Starts a cluster that listens on 127.0.0.1 only.
 *
 * @throws when PostgreSQL is not installed or does not start, with the end of its log
 */
export async function startPostgres({ fsync = false, settings = {} }: PostgresOptions = {}): Promise<PostgresCluster> {
  const programs = findPostgres();
  if (!programs) throw new Error("PostgreSQL is not installed (initdb and postgres). `npm test` says how to get it.");

  const folder = mkdtempSync(join(tmpdir(), "frontdesk-test-postgres-"));
  const dataDir = join(folder, "data");
  const logFile = join(folder, "server.log");
  const user = unprivilegedUser();
  if (user) chownSync(folder, user.uid, user.gid);
  const cleanup = startCleanup(folder);

  try {
    initialise(join(programs, "initdb"), dataDir, user);
    const port = await freePort();
    const args = serverArguments({ dataDir, socketDir: folder, port, fsync, settings });
    const start = () => startServer(join(programs, "postgres"), args, { dataDir, logFile, user });
    let server = await start();

    return {
      url: `postgres://postgres@127.0.0.1:${port}/postgres`,
      dataDir,
      port,
      get pid() {
        return pidOf(server);
      },
      stop: () => endCleanup(cleanup),
      async kill() {
        if (hasEnded(server)) return;
        const end = once(server, "exit");
        server.ref();
        server.kill("SIGQUIT");
        await end;
      },
      async restart() {
        if (!hasEnded(server)) throw new Error("PostgreSQL is still running: kill it first.");
        server = await start();
      },
    };
  } catch (error) {
    await endCleanup(cleanup);
    throw error;
  }
}

/** PostgreSQL refuses to run as root: then it runs as the `postgres` user of its package, or another that owns no files. */
function unprivilegedUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const [, , uid, gid] = ["postgres", "nobody"].map(accountOf).find((account) => account !== undefined) ?? [];
  if (!uid || !gid) throw new Error("PostgreSQL does not run as root, and there is no user postgres or nobody.");
  return { uid: Number(uid), gid: Number(gid) };
}

function accountOf(name: string): string[] | undefined {
  return readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
    .find((fields) => fields[0] === name);
}

function startCleanup(folder: string): ChildProcess {
  // In its own session, or the Ctrl-C that ends this process would end it before the clean-up.
  const cleanup = spawn("sh", ["-c", CLEANUP_SCRIPT, "sh", folder], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  cleanup.unref();
  return cleanup;
}

async function endCleanup(cleanup: ChildProcess): Promise<void> {
  if (hasEnded(cleanup)) return;
  const end = once(cleanup, "exit");
  cleanup.ref();
  cleanup.stdin?.end();
  await end;
}

function initialise(initdb: string, dataDir: string, user: User | undefined): void {
  const args = ["--pgdata", dataDir, "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8"];
  execFileSync(initdb, [...args, "--no-sync"], {
    ...user,
    env: environment(),
    cwd: "/",
    stdio: ["ignore", "ignore", "pipe"],
  });
}

function serverArguments(options: {
  dataDir: string;
  socketDir: string;
  port: number;
  fsync: boolean;
  settings: Readonly<Record<string, string>>;
}): string[] {
  const durable = options.fsync ? "on" : "off";
  const settings: Record<string, string> = {
    listen_addresses: "127.0.0.1",
    port: String(options.port),
    unix_socket_directories: options.socketDir,
    max_connections: "300",
    fsync: durable,
    synchronous_commit: durable,
    full_page_writes: durable,
    ...options.settings,
  };
  return ["-D", options.dataDir, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
}

async function startServer(
  postgres: string,
  args: string[],
  { dataDir, logFile, user }: { dataDir: string; logFile: string; user: User | undefined },
): Promise<ChildProcess> {
  const log = openSync(logFile, "a");
  const server = spawn(postgres, args, {
    ...user,
    env: environment(),
    cwd: "/",
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  server.unref();
  await once(server, "spawn");

  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!isReady(dataDir, pidOf(server))) {
    if (hasEnded(server)) throw new Error(`PostgreSQL did not start:\n${endOf(logFile)}`);
    if (Date.now() > deadline) {
      server.kill("SIGQUIT");
      throw new Error(`PostgreSQL was not ready within ${START_TIMEOUT_MS / 1000} seconds:\n${endOf(logFile)}`);
    }
    await delay(POLL_INTERVAL_MS);
  }
  return server;
}

/** The postmaster writes its state to the 8th line of its pid file; `pg_ctl` waits for the same word. */
function isReady(dataDir: string, pid: number): boolean {
  const file = join(dataDir, "postmaster.pid");
  if (!existsSync(file)) return false;
  const lines = readFileSync(file, "utf8").split("\n");
  return lines[0] === String(pid) && lines[7]?.trim() === "ready";
}

/** Only what PostgreSQL needs: the developer's variables such as PGDATA or PGPORT must not affect it. */
function environment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: "C.UTF-8", TZ: "UTC" };
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error("The process has no id.");
  return child.pid;
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function endOf(logFile: string): string {
  return readFileSync(logFile, "utf8").trim().split("\n").slice(-20).join("\n");
}
