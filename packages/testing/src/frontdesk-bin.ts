/** The real `frontdesk` program with its own data, for tests of commands. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { startApp } from "@frontdesk/server";
import { runCommand } from "@frontdesk/server/cli/run-command";
import { readSettings } from "@frontdesk/server/config";
import type { Storage } from "@frontdesk/server/storage/database";
import { pino } from "pino";
import { onTestFinished } from "vitest";
import { openTestStorage } from "./test-kit.ts";

const FRONTDESK = fileURLToPath(new URL("../../server/bin/frontdesk.mjs", import.meta.url));

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

export interface Bin {
  storage: Storage;
  dataDir: string;
  /** Runs a command to its end, in a separate process. */
  run(args: string[], env?: Record<string, string>): Promise<CommandResult>;
  /** Runs a command in this process, which is faster. */
  call(args: string[], env?: Record<string, string>): Promise<CommandResult>;
  /** The same with `--json`; resolves to its exit code and output. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read any answer
  json(args: string[], env?: Record<string, string>): Promise<{ code: number; answer: any }>;
  /** Starts a command in a separate process, for a test that ends it. */
  start(args: string[], env?: Record<string, string>): ChildProcess;
  /** Starts the server until the test is finished; resolves to its address and port. */
  serve(env?: Record<string, string>): Promise<{ url: string; port: string }>;
  /** The same in this process, which takes a tenth of the time: for a test that is not about what a process does. */
  serveHere(env?: Record<string, string>): Promise<{ url: string; port: string }>;
}

/**
 * The program on an empty database of this run's engine. Call it outside of tests.
 *
 * @param options.migrated with all tables
 */
export async function openBin(options: { migrated?: boolean } = {}): Promise<Bin> {
  const { storage, databaseUrl, dataDir } = await openTestStorage(options);
  const base = {
    PATH: process.env.PATH,
    PORT: "0",
    LOG_LEVEL: "silent",
    DATA_DIR: dataDir,
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  };
  const start = (args: string[], env: Record<string, string> = {}) =>
    spawn(process.execPath, [FRONTDESK, ...args], { env: { ...base, ...env }, stdio: ["ignore", "pipe", "pipe"] });

  const bin: Bin = {
    storage,
    dataDir,
    start,
    async run(args, env) {
      const child = start(args, env);
      const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
      return { code, stdout, stderr };
    },
    async call(args, env) {
      const said = { stdout: "", stderr: "" };
      const code = await runCommand(
        args,
        { ...base, ...env },
        {
          answer: (words) => {
            said.stdout += words;
          },
          error: (words) => {
            said.stderr += words;
          },
        },
      );
      return { code, ...said };
    },
    async json(args, env) {
      const { code, stdout, stderr } = await bin.call([...args, "--json"], env);
      if (stderr !== "") throw new Error(stderr);
      return { code, answer: JSON.parse(stdout) };
    },
    async serve(env) {
      const server = start(["serve", "--json"], env);
      onTestFinished(async () => {
        const ended = once(server, "exit");
        if (server.exitCode === null && server.kill("SIGTERM")) await ended;
      });
      const [line] = await Promise.race([
        once(server.stdout, "data"),
        once(server, "exit").then(async () => Promise.reject(new Error(await text(server.stderr)))),
      ]);
      const { url } = JSON.parse(String(line)) as { url: string };
      return { url, port: new URL(url).port };
    },
    async serveHere(env) {
      const { url, close } = await startApp(readSettings({ ...base, ...env }), pino({ level: "silent" }));
      onTestFinished(close);
      return { url, port: new URL(url).port };
    },
  };
  return bin;
}
