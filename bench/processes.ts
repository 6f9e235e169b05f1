/** The processes of a benchmark: the service, the floor, and the load. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { freePort } from "@frontdesk/testing/free-port";
import { startPostgres } from "@frontdesk/testing/postgres-cluster";
import { createDatabase } from "@frontdesk/testing/test-database";
import type { LoadResult, LoadSpec } from "./load.ts";
import type { MailFloorSpec } from "./mail-floor.ts";
import { type Commands, startWorkerProcess, type WorkerProcess } from "./worker-process.ts";

export type Env = Record<string, string>;

/** This checkout; a benchmark may measure another one beside it. */
const HERE = resolve(import.meta.dirname, "..");
const binOf = (folder: string) => resolve(folder, "packages/server/bin/frontdesk.mjs");
const running = new Set<ChildProcess>();
/** The process of each server, by its port. */
const pids = new Map<number, number>();

/** Start options of every server of a benchmark, with raised rate limits. */
function serverEnv(dataDir: string, databaseUrl: string | undefined): Env {
  return {
    PATH: String(process.env.PATH),
    LOG_LEVEL: "warn",
    REST_RATE_LIMIT: "1000000",
    TOOL_RATE_LIMIT: "1000000",
    DATA_DIR: dataDir,
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  };
}

/** The data of a benchmark while it runs. */
export interface Place {
  engine: string;
  /** Settings of servers on an empty database of this engine. */
  newEnv(): Promise<Env>;
}

/** Runs `measure` on each engine (or on `only`), and removes its servers and data afterwards. */
export async function onEachEngine(only: string | undefined, measure: (place: Place) => Promise<void>): Promise<void> {
  for (const engine of ["sqlite", "postgres"].filter((name) => !only || name === only)) {
    const folder = mkdtempSync(join(tmpdir(), "frontdesk-bench-"));
    const cluster = engine === "postgres" ? await startPostgres({ fsync: true }) : undefined;
    let databases = 0;
    const newEnv = async () => {
      databases += 1;
      return serverEnv(join(folder, String(databases)), cluster && (await createDatabase(cluster.url)));
    };
    try {
      await measure({ engine, newEnv });
    } finally {
      await stopAll();
      await cluster?.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

export interface Team {
  apiKey: string;
  teamId: string;
  agentId: string;
  widgetId: string;
  assistantToken: string;
}

/** Creates a team with the command line. */
export async function setUpTeam(env: Env, email = "ada@acme.test", folder = HERE): Promise<Team> {
  const args = [
    ...["setup", "--team", "Acme", "--name", "Ada", "--email", email, "--password", "correct horse"],
    ...["--widget", "Website", "--api-key", "main", "--assistant", "main", "--json"],
  ];
  const child = spawn(process.execPath, [binOf(folder), ...args], { env, stdio: ["ignore", "pipe", "inherit"] });
  const made = JSON.parse(await text(child.stdout));
  return {
    apiKey: made.api_key,
    teamId: made.team_id,
    agentId: made.agent_id,
    widgetId: made.widget_id,
    assistantToken: made.assistant_token,
  };
}

/** Creates a further API key of the only team; resolves to it. */
export async function makeKey(env: Env, name: string): Promise<string> {
  const args = ["key", "create", "--name", name, "--json"];
  const child = spawn(process.execPath, [binOf(HERE), ...args], { env, stdio: ["ignore", "pipe", "inherit"] });
  return JSON.parse(await text(child.stdout)).api_key;
}

/** Starts the service; resolves to its port. */
export async function startOurs(env: Env, folder = HERE): Promise<number> {
  const port = await freePort();
  await start([binOf(folder), "serve"], { ...env, PORT: String(port) }, /listening/, port);
  return port;
}

/** The id of the process that serves this port. */
export function pidOf(port: number): number {
  const pid = pids.get(port);
  if (pid === undefined) throw new Error(`Nothing was started on port ${port}.`);
  return pid;
}

/** Starts the service on a database without a set-up. */
export async function startEmpty(env: Env): Promise<{ origin: string; setupUrl: string }> {
  const port = await freePort();
  const line = await start([binOf(HERE), "serve", "--json"], { ...env, PORT: String(port) }, /^\{"url"/);
  return { origin: `http://127.0.0.1:${port}`, setupUrl: JSON.parse(line).setup_url };
}

/** Starts the floor on the same kind of database; resolves to its port. */
export async function startFloor(env: Env): Promise<number> {
  const port = await freePort();
  const file = join(String(env.DATA_DIR), "frontdesk.db");
  const program = resolve(import.meta.dirname, "floor-server.ts");
  await start([program], { ...env, FLOOR_PORT: String(port), FLOOR_FILE: file }, /ready/);
  return port;
}

/** Runs the floor of the import of mails, on an empty database; resolves to the seconds that it took. */
export async function mailFloor(env: Env, mailbox: Omit<MailFloorSpec, "folder">): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-mail-floor-"));
  const program = resolve(import.meta.dirname, "mail-floor.ts");
  const child = spawn(process.execPath, [program], { env, stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify({ ...mailbox, folder } satisfies MailFloorSpec));
  const seconds = Number(await text(child.stdout));
  rmSync(folder, { recursive: true, force: true });
  if (!(seconds > 0)) throw new Error("The floor has failed.");
  return seconds;
}

/** Starts the floor of the live stream; resolves to its port. */
export async function startLiveFloor({ PATH = "" }: Env): Promise<number> {
  const port = await freePort();
  await start([resolve(import.meta.dirname, "live-floor.ts")], { PATH, FLOOR_PORT: String(port) }, /ready/);
  return port;
}

/** Starts the floor of a turn of the AI; resolves to its port. */
export async function startAiFloor({ PATH = "" }: Env, modelPort: number): Promise<number> {
  const port = await freePort();
  const env = { PATH, FLOOR_PORT: String(port), MODEL_PORT: String(modelPort) };
  await start([resolve(import.meta.dirname, "ai-floor.ts")], env, /ready/);
  return port;
}

/** Stops the server on this port. */
export async function stopOn(port: number): Promise<void> {
  const child = [...running].find(({ pid }) => pid === pidOf(port));
  if (!child) return;
  running.delete(child);
  child.kill("SIGTERM");
  if (child.exitCode === null) await once(child, "exit");
}

/** Resolves to the line that reports readiness. */
async function start(args: string[], env: Record<string, string>, ready: RegExp, port?: number): Promise<string> {
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  running.add(child);
  if (port !== undefined && child.pid !== undefined) pids.set(port, child.pid);
  for await (const line of createInterface(child.stdout)) if (ready.test(line)) return line;
  throw new Error(`${args.join(" ")} did not start.`);
}

/** Starts a worker that is stopped with the servers. */
export function startBeside<C extends Commands<C>>(program: string): WorkerProcess<C> {
  const worker = startWorkerProcess<C>(program);
  running.add(worker.child);
  return worker;
}

/** Stops every server and worker that was started. */
export async function stopAll(): Promise<void> {
  for (const child of running) {
    child.kill("SIGTERM");
    if (child.exitCode === null) await once(child, "exit");
  }
  running.clear();
}

/** Puts a load on a server from another process. */
export async function load(spec: LoadSpec): Promise<LoadResult> {
  const program = resolve(import.meta.dirname, "load.ts");
  const child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(JSON.stringify(spec));
  const result: LoadResult = JSON.parse(await text(child.stdout));
  if (result.failed > 0) throw new Error(`${result.failed} requests failed: ${spec.method} ${spec.path}`);
  return result;
}
