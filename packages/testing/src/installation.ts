/**
 * A Frontdesk as an operator runs it: its own data folder or database, the `frontdesk` command, and a server.
 *
 * `newInstallation` runs both in the test's process, on real data and a real port: a story about a page needs no separate
 * process, and two starts of Node take longer than most stories. `newProcessInstallation` is for stories in which the process
 * matters: signals, standard output, the environment.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { type App, createApp } from "@frontdesk/server";
import { unlockVault } from "@frontdesk/server/access/secret-key";
import { agentById, signInsByEmail } from "@frontdesk/server/agents/agent-store";
import { readSettings } from "@frontdesk/server/config";
import type { Runtime } from "@frontdesk/server/context";
import { createLogger } from "@frontdesk/server/logger";
import { createRuntime } from "@frontdesk/server/runtime";
import { type NewSession, startSession } from "@frontdesk/server/sessions/start-session";
import { newSetupToken, setupLink } from "@frontdesk/server/setup/setup-token";
import type { Storage } from "@frontdesk/server/storage/database";
import { openStorage } from "@frontdesk/server/storage/open-storage";
import { inject, onTestFinished } from "vitest";
import { root } from "../../../stories/house/source-files.ts";
import { commandInProcess } from "./command-in-process.ts";
import { inDepth } from "./depth.ts";
import { freePort } from "./free-port.ts";
import { createDatabase, dropDatabase, migratedSqlite } from "./test-database.ts";

const FRONTDESK = join(root, "packages/server/bin/frontdesk.mjs");

export interface Installation {
  /** The server's address while it runs. */
  origin: string;
  /** The environment of this installation's commands. */
  env: Record<string, string | undefined>;
  /** Runs a CLI command with `--json`; resolves to its output. */
  command(...args: string[]): Promise<Record<string, unknown>>;
  /** Starts the server and waits until it listens; resolves to the output of `frontdesk serve`. */
  start(): Promise<{ url: string; setup_url?: string }>;
  /** Stops the server gracefully; resolves to its exit code. */
  stop(): Promise<number | null>;
}

/** The parts of a server in the test's process. */
export interface Running {
  app: App;
  storage: Storage;
  runtime: Runtime;
}

export interface InProcessInstallation extends Installation {
  /** @throws when the server does not run */
  running(): Running;
  /** Signs in the agent with this e-mail, without a password; resolves to the token for the cookie. In the first team by default. */
  beginSession(email: string, teamId?: string): Promise<string>;
}

/** Registers the clean-up: `onTestFinished`, or `afterAll` for fixtures shared by a file. */
export type WhenOver = (clean: () => Promise<void>) => void;

export type Engine = "sqlite" | "postgres";

/** The engines of a story that is the same on both: the current one in `npm test`, both in `npm run test:deep`. */
export const enginesOf = (quick: Engine): Engine[] => inDepth([quick], ["sqlite", "postgres"]);

/**
 * An installation without data, its server in this process; removed when the test is finished unless `whenOver` differs. `{port}` in
 * a setting is its port.
 */
export async function newInstallation(
  engine: Engine,
  settings: Record<string, string> = {},
  whenOver: WhenOver = onTestFinished,
): Promise<InProcessInstallation> {
  const { env, origin, remove } = await newData(engine, settings, { migrated: true });
  let server: Running | undefined;

  const installation: InProcessInstallation = {
    origin,
    env,
    command: (...args) => commandInProcess(args, env),
    async start() {
      server = await startInProcess(env);
      const url = await server.app.start();
      const token = await newSetupToken(server.storage, server.runtime);
      return { url, ...(token && { setup_url: setupLink(origin, token) }) };
    },
    async stop() {
      await server?.app.close();
      server = undefined;
      return 0;
    },
    running() {
      if (!server) throw new Error("The server does not run.");
      return server;
    },
    beginSession: (email, teamId) => beginSession(installation.running(), email, teamId),
  };
  whenOver(async () => {
    await installation.stop();
    await remove();
  });
  return installation;
}

/** An installation without data; commands and the server are separate processes. Removed like `newInstallation`. */
export async function newProcessInstallation(
  engine: Engine,
  settings: Record<string, string> = {},
  whenOver: WhenOver = onTestFinished,
): Promise<Installation> {
  const { env, origin, remove } = await newData(engine, settings);
  let server: ChildProcess | undefined;

  const installation: Installation = {
    origin,
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
    await remove();
  });
  return installation;
}

async function newData(engine: Engine, settings: Record<string, string>, { migrated = false } = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), "frontdesk-story-"));
  const maintenanceUrl = inject("postgresUrl");
  const databaseUrl = engine === "postgres" ? await createDatabase(maintenanceUrl, { migrated }) : undefined;
  if (migrated && engine === "sqlite") writeFileSync(join(dataDir, "frontdesk.db"), await migratedSqlite());
  const port = await freePort();
  return {
    origin: `http://127.0.0.1:${port}`,
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: "warn",
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
      ...Object.fromEntries(
        Object.entries(settings).map(([name, value]) => [name, value.replace("{port}", String(port))]),
      ),
    } as Record<string, string | undefined>,
    async remove() {
      rmSync(dataDir, { recursive: true, force: true });
      if (databaseUrl) await dropDatabase(maintenanceUrl, databaseUrl);
    },
  };
}

/** What `frontdesk serve` composes. */
async function startInProcess(env: Installation["env"]): Promise<Running> {
  const settings = readSettings(env);
  const storage = openStorage(settings);
  try {
    await storage.check();
    const runtime = createRuntime(await unlockVault(settings, storage));
    // Node reads this variable only when a process starts.
    const authority = env.NODE_EXTRA_CA_CERTS;
    const app = createApp({
      settings,
      storage,
      runtime,
      logger: createLogger({ level: settings.logLevel }),
      ...(authority && { outbound: { extraCa: readFileSync(authority, "utf8"), imageNetworks: ["127.0.0.0/8"] } }),
    });
    return { app, storage, runtime };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

async function beginSession({ app, storage }: Running, email: string, teamId?: string): Promise<string> {
  const found = await storage.read((db) => db.all(signInsByEmail, { email_folded: email.toLowerCase() }));
  const signIn = found.find(({ team_id }) => teamId === undefined || team_id === teamId);
  if (!signIn) throw new Error(`There is no agent with the e-mail ${email}.`);
  const { team_id, agent_id } = signIn;
  const agent = await storage.read((db) => db.first(agentById, { team_id, id: agent_id }));
  const passwordHash = agent?.password_hash ?? "";
  const asked: NewSession = {
    agentId: agent_id,
    passwordHash,
    wayIn: "password",
    browser: { tokens: [], userAgent: "Test Browser" },
  };
  const started = await app.perform({ kind: "system", teamId: team_id, ip: "127.0.0.1" }, startSession, asked);
  return started.token;
}
