/**
 * Other access to the data and the service of a test app: a second connection, a second app, a listening socket, and raw
 * requests.
 */
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { dirname } from "node:path";
import { type App, createApp } from "@frontdesk/server";
import { readSettings } from "@frontdesk/server/config";
import type { Runtime } from "@frontdesk/server/context";
import type { Storage } from "@frontdesk/server/storage/database";
import { openStorage } from "@frontdesk/server/storage/open-storage";
import { type Statement, textStatement } from "@frontdesk/server/storage/statement";
import type { Timeouts } from "@frontdesk/server/timeouts";
import type { Logger } from "pino";
import { pino } from "pino";
import { afterAll } from "vitest";
import type { ChannelDrivers, OutboundParts } from "./test-kit.ts";

type Row = Record<string, unknown>;

/** A statement outside of all stores: to read tables, or to break something. */
export function sqlText(text: string): Statement<Record<never, never>, Row> {
  return textStatement(text);
}

/** The rows of one SQL text, in a separate transaction. */
export function query(storage: Storage, text: string): Promise<Row[]> {
  return storage.write(null, (db) => db.all(sqlText(text), {}));
}

/** The location of a storage's data, as settings. */
export async function addressOf(storage: Storage): Promise<{ databaseUrl: string | undefined; dataDir: string }> {
  if (storage.engine === "sqlite") {
    const [main] = await query(storage, "PRAGMA database_list");
    return { databaseUrl: undefined, dataDir: dirname(String(main?.file)) };
  }
  const [row] = await query(
    storage,
    "SELECT current_database() AS name, current_setting('port') AS port, current_user AS user",
  );
  return { databaseUrl: `postgres://${row?.user}@127.0.0.1:${row?.port}/${row?.name}`, dataDir: "" };
}

/** Another storage on the same data, as another process would open it. */
export async function openBeside(storage: Storage): Promise<Storage> {
  const beside = openStorage(await addressOf(storage));
  afterAll(() => beside.close().catch(() => {}));
  return beside;
}

/**
 * Every row of every table, at one moment, as one text.
 *
 * @param teamId only what is stored with it, in the tables that store their rows by team
 */
export function dump(storage: Storage, teamId?: string): Promise<string> {
  const names =
    storage.engine === "sqlite"
      ? `SELECT name, EXISTS (SELECT 1 FROM pragma_table_info(tables.name) WHERE name = 'team_id') AS by_team
           FROM sqlite_master AS tables WHERE type = 'table' AND name NOT LIKE 'contact_search%'`
      : `SELECT tablename AS name, EXISTS (SELECT 1 FROM information_schema.columns
             WHERE table_schema = 'public' AND table_name = tablename AND column_name = 'team_id') AS by_team
           FROM pg_tables WHERE schemaname = 'public'`;
  return storage.write(null, async (db) => {
    const tables: string[] = [];
    for (const { name, by_team: byTeam } of await db.all(sqlText(names), {})) {
      const which = teamId !== undefined && byTeam ? ` WHERE team_id = '${teamId}'` : "";
      tables.push(`${name}: ${JSON.stringify(await db.all(sqlText(`SELECT * FROM ${name}${which}`), {}))}`);
    }
    return tables.join("\n");
  });
}

export interface AppParts {
  storage: Storage;
  runtime: Runtime;
  logger?: Logger;
  env?: Record<string, string>;
  /** Trust and name resolution for its webhooks. */
  outbound?: OutboundParts;
  /** The drivers that send its replies. */
  channelDrivers?: ChannelDrivers;
  /** Timeouts of its live streams and presence. */
  timeouts?: Timeouts;
  /** The free disk space it sees. */
  disk?: { free(): Promise<number> };
}

/** An app on existing data; closed after the test file. It listens when `start()` is called. */
export async function appOn({
  storage,
  runtime,
  logger,
  env,
  outbound,
  disk,
  timeouts,
  channelDrivers,
}: AppParts): Promise<App> {
  const settings = readSettings({
    REST_RATE_LIMIT: "100000",
    PUBLIC_URL: "https://chat.test",
    HOST: "127.0.0.1",
    PORT: "0",
    ...env,
  });
  const parts = { settings, storage, runtime, logger: logger ?? pino({ level: "silent" }) };
  const app = createApp({
    ...parts,
    ...(outbound && { outbound }),
    ...(disk && { disk }),
    ...(timeouts && { timeouts }),
    ...(channelDrivers && { channelDrivers }),
  });
  await app.http.ready();
  afterAll(() => app.close().catch(() => {}));
  return app;
}

export interface WireRequest {
  method?: string;
  path: string;
  /** An array sends a header several times. */
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
}

export interface WireAnswer {
  status: number;
  headers: Record<string, string | undefined>;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any answer
  body: any;
}

/** One request over a new connection. */
export async function overTheWire(
  base: string,
  { method = "GET", path, headers = {}, body }: WireRequest,
): Promise<WireAnswer> {
  const { hostname, port } = new URL(base);
  const request = httpRequest({ hostname, port, method, path, headers, agent: false, maxHeaderSize: 65_536 });
  const answered = once(request, "response");
  // The server may answer before it has read a too large body, and close: then further writes fail, rightly.
  request.on("error", () => {});
  request.end(body);
  const [response] = await answered;
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return answerOf(response.statusCode, response.headers, Buffer.concat(chunks).toString());
}

/** The answer to exactly these bytes. */
export async function rawBytes(base: string, bytes: string | Buffer): Promise<WireAnswer> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  socket.on("error", () => {});
  socket.end(bytes);
  await once(socket, "close");
  const [head = "", ...rest] = Buffer.concat(chunks).toString().split("\r\n\r\n");
  const [first = "", ...lines] = head.split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  return answerOf(Number(first.split(" ")[1]), headers, rest.join("\r\n\r\n"));
}

function answerOf(status: number, headers: Record<string, string | undefined>, text: string): WireAnswer {
  const json = headers["content-type"]?.startsWith("application/json") && text !== "";
  return { status, headers, text, body: json ? JSON.parse(text) : text };
}
