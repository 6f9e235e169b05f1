/**
 * A Frontdesk as an operator has it: its own data folder or database, the `frontdesk` command, and a server that is
 * started and stopped as a process of its own.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { inject, onTestFinished } from "vitest";
import { freePort } from "../packages/server/test/free-port.ts";
import { createDatabase, dropDatabase } from "../packages/server/test/test-database.ts";
import { root } from "./house/source-files.ts";

const FRONTDESK = join(root, "packages/server/bin/frontdesk.mjs");

export interface Installation {
  /** Where the server is reached while it runs. */
  origin: string;
  /** The environment that commands of this installation run in. */
  env: Record<string, string | undefined>;
  /** Runs a command of the command line with `--json`; answers what it printed. */
  command(...args: string[]): Promise<Record<string, unknown>>;
  /** Starts the server and waits until it listens; answers what it printed. */
  start(): Promise<{ url: string; setup_url?: string }>;
  /** Asks the server to stop; answers its exit code. */
  stop(): Promise<number | null>;
}

/** When something is cleaned up: `onTestFinished`, or `afterAll` for what the tests of a file share. */
export type WhenOver = (clean: () => Promise<void>) => void;

/** An installation without any data, gone when the test is finished unless `whenOver` says otherwise. */
export async function newInstallation(
  engine: "sqlite" | "postgres",
  settings: Record<string, string> = {},
  whenOver: WhenOver = onTestFinished,
): Promise<Installation> {
  const dataDir = mkdtempSync(join(tmpdir(), "frontdesk-story-"));
  const maintenanceUrl = inject("postgresUrl");
  const databaseUrl = engine === "postgres" ? await createDatabase(maintenanceUrl) : undefined;
  const port = await freePort();
  const env = {
    PATH: process.env.PATH,
    PORT: String(port),
    DATA_DIR: dataDir,
    LOG_LEVEL: "warn",
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    ...settings,
  };
  let server: ChildProcess | undefined;

  const installation: Installation = {
    origin: `http://127.0.0.1:${port}`,
    env,
    async command(...args) {
      const { stdout } = await promisify(execFile)(process.execPath, [FRONTDESK, ...args, "--json"], { env });
      return JSON.parse(stdout);
    },
    async start() {
      server = spawn(process.execPath, [FRONTDESK, "serve", "--json"], { env, stdio: ["ignore", "pipe", "inherit"] });
      if (!server.stdout) throw new Error("The server has no output.");
      for await (const line of createInterface(server.stdout)) {
        if (line.startsWith('{"url"')) return JSON.parse(line);
      }
      throw new Error("The server ended before it listened.");
    },
    async stop() {
      if (!server || server.exitCode !== null) return server?.exitCode ?? null;
      const exited = once(server, "exit");
      server.kill("SIGTERM");
      return (await exited)[0] as number | null;
    },
  };
  whenOver(async () => {
    await installation.stop();
    rmSync(dataDir, { recursive: true, force: true });
    if (databaseUrl) await dropDatabase(maintenanceUrl, databaseUrl);
  });
  return installation;
}
