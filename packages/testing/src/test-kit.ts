/**
 * The basis of server tests: the engine of this run (`TEST_ENGINE`), a whole app on it with a held clock, and teams with
 * agents. Requests go through the app object (style 21).
 */
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type App, createApp } from "@frontdesk/server";
import type { SystemActor } from "@frontdesk/server/access/actor";
import { createApiKey, type NewApiKey } from "@frontdesk/server/access/create-api-key";
import { openVault } from "@frontdesk/server/access/vault";
import { createAgent } from "@frontdesk/server/agents/create-agent";
import { readSettings, type Settings } from "@frontdesk/server/config";
import type { Runtime } from "@frontdesk/server/context";
import type { ParseMail } from "@frontdesk/server/email/in/import-mail-job";
import { eventsAfter } from "@frontdesk/server/events/event-store";
import { uuidv7 } from "@frontdesk/server/ids";
import type { Storage } from "@frontdesk/server/storage/database";
import { openStorage } from "@frontdesk/server/storage/open-storage";
import type { EventRow } from "@frontdesk/server/storage/tables";
import { createTeam } from "@frontdesk/server/teams/create-team";
import { createWidget } from "@frontdesk/server/widgets/create-widget";
import { type Logger, pino } from "pino";
import { afterAll } from "vitest";
import { createDatabase, dropDatabase, migratedSqlite } from "./test-database.ts";

export const engine = process.env.TEST_ENGINE === "postgres" ? "postgres" : "sqlite";

/**
 * A database of this run's engine, removed after the test file.
 *
 * @param options.migrated with all tables; else it is empty
 */
export async function openTestStorage({ migrated = false } = {}): Promise<{
  storage: Storage;
  databaseUrl: string | undefined;
  dataDir: string;
}> {
  const dataDir = mkdtempSync(join(tmpdir(), "frontdesk-test-"));
  const databaseUrl = engine === "postgres" ? await createDatabase(maintenanceUrl(), { migrated }) : undefined;
  if (!databaseUrl && migrated) writeFileSync(join(dataDir, "frontdesk.db"), await migratedSqlite(), { mode: 0o600 });
  const storage = openStorage({ databaseUrl, dataDir });
  afterAll(async () => {
    await storage.close().catch(() => {});
    rmSync(dataDir, { recursive: true, force: true });
    if (databaseUrl) await dropDatabase(maintenanceUrl(), databaseUrl);
  });
  return { storage, databaseUrl, dataDir };
}

/** A clock that stays where the test sets it. */
export interface TestClock {
  now(): number;
  advance(ms: number): void;
}

export interface TestApp {
  app: App;
  storage: Storage;
  runtime: Runtime;
  clock: TestClock;
  /** Its file storage. */
  dataDir: string;
  /** A new team with Ada the owner, a widget and an API key. */
  team(options?: Partial<Pick<NewApiKey, "scopes" | "expiresAt">>): Promise<TestTeam>;
  request(method: string, path: string, options?: RequestOptions): Promise<TestAnswer>;
}

export type ChannelDrivers = NonNullable<Parameters<typeof createApp>[0]["channelDrivers"]>;
export type OutboundParts = NonNullable<Parameters<typeof createApp>[0]["outbound"]>;

export interface RequestOptions {
  headers?: Record<string, string>;
  /** An object is sent as JSON; strings and bytes unchanged. */
  body?: unknown;
}

export interface TestAnswer {
  status: number;
  headers: Record<string, string | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any answer
  body: any;
}

export interface TestTeam {
  teamId: string;
  /** Ada, the owner; the API key is hers. */
  ada: { id: string; name: string; email: string };
  widgetId: string;
  apiKey: string;
  actor: SystemActor;
  get(path: string, headers?: Record<string, string>): Promise<TestAnswer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>;
  put(path: string, body?: unknown): Promise<TestAnswer>;
  patch(path: string, body?: unknown): Promise<TestAnswer>;
  delete(path: string, body?: unknown): Promise<TestAnswer>;
  /** The team's event log, oldest first, `data` and `actor` parsed. */
  events(): Promise<(Omit<EventRow, "data" | "actor"> & { data: Record<string, unknown>; actor: object })[]>;
}

/**
 * A whole app on an empty database, not listening until `app.start()`, which also starts its workers.
 *
 * @param outbound trust and name resolution for its webhooks
 * @param channelDrivers the drivers that send its replies
 * @param logger by default it is silent, or as `TEST_LOG` says
 */
export async function startTestApp(
  env: Record<string, string> = {},
  outbound?: OutboundParts,
  channelDrivers?: ChannelDrivers,
  logger: Logger = pino({ level: process.env.TEST_LOG ?? "silent" }),
  parseMail?: ParseMail,
): Promise<TestApp> {
  const { storage, dataDir } = await openTestStorage({ migrated: true });
  let time = Date.parse("2026-11-20T09:00:00.000Z");
  const clock: TestClock = {
    now: () => time,
    advance: (ms) => {
      time += ms;
    },
  };
  const runtime: Runtime = {
    now: clock.now,
    steadyNow: clock.now,
    newId: uuidv7(clock.now),
    random: randomBytes,
    vault: openVault(randomBytes(32)),
  };
  const defaults = { REST_RATE_LIMIT: "100000", PUBLIC_URL: "https://chat.test", HOST: "127.0.0.1", PORT: "0" };
  const settings: Settings = readSettings({ ...defaults, DATA_DIR: dataDir, ...env });
  const app = createApp({
    ...{ settings, storage, runtime, logger },
    ...(outbound && { outbound }),
    ...(channelDrivers && { channelDrivers }),
    ...(parseMail && { parseMail }),
  });
  await app.http.ready();
  afterAll(() => app.close().catch(() => {}));

  const request: TestApp["request"] = async (method, path, { headers = {}, body } = {}) => {
    const json = body !== undefined && typeof body !== "string" && !Buffer.isBuffer(body);
    const answer = await app.http.inject({
      method: method as "GET",
      url: `/api/v1${path}`,
      headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
      ...(body !== undefined && { payload: json ? JSON.stringify(body) : (body as string) }),
    });
    return {
      status: answer.statusCode,
      headers: answer.headers as Record<string, string | undefined>,
      body: answer.headers["content-type"]?.toString().startsWith("application/json") ? answer.json() : answer.payload,
    };
  };

  return {
    app,
    storage,
    runtime,
    clock,
    dataDir,
    request,
    team: (options) => addTeam({ app, storage, runtime, request }, options),
  };
}

async function addTeam(
  { app, storage, runtime, request }: Pick<TestApp, "app" | "storage" | "runtime" | "request">,
  key: Partial<NewApiKey> = {},
): Promise<TestTeam> {
  const teamId = runtime.newId();
  const actor: SystemActor = { kind: "system", teamId };
  const email = `ada-${randomUUID().slice(0, 8)}@acme.test`;
  await app.perform(actor, createTeam, { name: "Acme" });
  const owner = { name: "Ada", email, role: "CHAT_AGENT_OWNER", passwordHash: null } as const;
  const ada = await app.perform(actor, createAgent, owner);
  const widget = await app.perform(actor, createWidget, { name: "Website" });
  const { value: apiKey } = await app.perform(actor, createApiKey, { name: "main", ...key });
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    request(method, path, { headers: { "x-api-key": apiKey, ...headers }, ...(body !== undefined && { body }) });
  return {
    teamId,
    ada: { id: ada.id, name: "Ada", email },
    widgetId: widget.id,
    apiKey,
    actor,
    get: (path, headers) => call("GET", path, undefined, headers),
    post: (path, body, headers) => call("POST", path, body, headers),
    put: (path, body) => call("PUT", path, body),
    patch: (path, body) => call("PATCH", path, body),
    delete: (path, body) => call("DELETE", path, body),
    async events() {
      const rows = await storage.read((db) => db.all(eventsAfter, { team_id: teamId, after: 0, limit: 10_000 }));
      return rows.map((row) => ({ ...row, data: JSON.parse(row.data), actor: JSON.parse(row.actor) }));
    },
  };
}

function maintenanceUrl(): string {
  const url = process.env.TEST_POSTGRES_URL;
  if (!url) throw new Error("No PostgreSQL: run the tests with npm test.");
  return url;
}
