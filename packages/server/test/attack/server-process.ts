/**
 * The real server as a process of its own, on data of its own, for what a server in the test's process cannot show:
 * being killed outright, the memory it needs, what it writes to its log. Used by the fuzzer, the kill story and the soak.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { commandInProcess } from "@frontdesk/testing/command-in-process";
import { freePort } from "@frontdesk/testing/free-port";
import { createDatabase, dropDatabase } from "@frontdesk/testing/test-database";
import type { Storage } from "../../src/storage/database.ts";
import { openStorage } from "../../src/storage/open-storage.ts";

const FRONTDESK = fileURLToPath(new URL("../../bin/frontdesk.mjs", import.meta.url));
const BYTES_IN_KIB = 1_024;

/** A team as `frontdesk setup` creates it. */
export interface SetUpTeam {
  teamId: string;
  agentId: string;
  widgetId: string;
  apiKey: string;
}

export interface ServerProcess {
  readonly engine: "sqlite" | "postgres";
  /** `http://127.0.0.1:PORT`, the same after every start. */
  readonly origin: string;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  /** Its standard error since it was created (its log), and how it has ended if it has. */
  log(): string;
  /** Creates a team as the command line does, beside the server or without it. */
  team(name: string): Promise<SetUpTeam>;
  /** Starts the server; resolves when it listens, with the milliseconds that took. */
  start(): Promise<number>;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** SIGTERM; answers the exit code. */
  stop(): Promise<number | null>;
  /** SIGSTOP: it is paused, with all it has open, until `resume`. */
  pause(): void;
  resume(): void;
  /** Whether the process runs. */
  running(): boolean;
  /** Resident memory in bytes. Linux only; undefined elsewhere. */
  memory(): number | undefined;
  /** The data as another process sees it; the caller closes it. */
  open(): Storage;
  /** Ends the server and removes its data, but for a DATA_DIR that was handed in. */
  remove(): Promise<void>;
}

/**
 * An installation without data; nothing runs yet.
 *
 * @param postgresUrl the maintenance database of a PostgreSQL; undefined for SQLite
 * @param settings further environment variables; `{port}` in one is its port
 */
export async function newServerProcess(
  postgresUrl: string | undefined,
  settings: Record<string, string> = {},
): Promise<ServerProcess> {
  const dataDir = settings.DATA_DIR ?? mkdtempSync(join(tmpdir(), "frontdesk-attack-"));
  const databaseUrl = settings.DATABASE_URL ?? (postgresUrl && (await createDatabase(postgresUrl)));
  const port = await freePort();
  const env = {
    PATH: process.env.PATH,
    PORT: String(port),
    DATA_DIR: dataDir,
    LOG_LEVEL: "warn",
    REST_RATE_LIMIT: "1000000",
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, value.replace("{port}", `${port}`)])),
  };
  let child: ChildProcess | undefined;
  let log = "";
  const running = () => child !== undefined && child.exitCode === null && child.signalCode === null;

  async function end(signal: "SIGKILL" | "SIGTERM"): Promise<number | null> {
    if (!child || !running()) return child?.exitCode ?? null;
    const exited = once(child, "exit");
    child.kill(signal);
    return (await exited)[0] as number | null;
  }

  return {
    engine: databaseUrl ? "postgres" : "sqlite",
    origin: `http://127.0.0.1:${port}`,
    dataDir,
    databaseUrl,
    log: () => (running() ? log : `${log}\nEnded with code ${child?.exitCode}, signal ${child?.signalCode}.`),
    async team(name) {
      const args = ["setup", "--team", name, "--name", "Ada", "--email", `ada@${name.toLowerCase()}.test`];
      const more = ["--password", "correct horse", "--widget", "Website", "--api-key", "main"];
      const made = await commandInProcess([...args, ...more], env);
      return {
        teamId: String(made.team_id),
        agentId: String(made.agent_id),
        widgetId: String(made.widget_id),
        apiKey: String(made.api_key),
      };
    },
    async start() {
      const from = performance.now();
      child = spawn(process.execPath, [FRONTDESK, "serve", "--json"], { env, stdio: ["ignore", "pipe", "pipe"] });
      const closed = once(child, "close");
      child.stderr?.on("data", (chunk) => {
        log += chunk;
      });
      if (!child.stdout) throw new Error("The server has no output.");
      for await (const line of createInterface(child.stdout)) {
        if (line.startsWith('{"url"')) return performance.now() - from;
      }
      // What it said last may still be on its way.
      await closed;
      throw new Error(
        `The server ended before it listened, with ${child.exitCode ?? child.signalCode}. Its log ends so:\n${log.slice(-2_000)}`,
      );
    },
    async kill() {
      await end("SIGKILL");
    },
    stop: () => end("SIGTERM"),
    pause: () => void child?.kill("SIGSTOP"),
    resume: () => void child?.kill("SIGCONT"),
    running,
    memory: () => residentBytes(child?.pid),
    open: () => openStorage({ databaseUrl, dataDir }),
    async remove() {
      await end("SIGKILL");
      if (!settings.DATA_DIR) rmSync(dataDir, { recursive: true, force: true });
      if (postgresUrl && databaseUrl) await dropDatabase(postgresUrl, databaseUrl);
    },
  };
}

/** Kills the server outright, and starts it again. */
export async function killAndStart(server: ServerProcess): Promise<void> {
  await server.kill();
  await server.start();
}

function residentBytes(pid: number | undefined): number | undefined {
  if (process.platform !== "linux" || pid === undefined) return undefined;
  const kib = /^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return kib === undefined ? undefined : Number(kib) * BYTES_IN_KIB;
}
