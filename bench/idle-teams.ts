/**
 * `npm run bench -- --idle-teams`: the cost of an idle process with 20,000 idle teams: processor time of PostgreSQL and of the
 * server, in ms a second. Linux only, since it reads /proc.
 *
 * Each team has a subscription, a timer of next year, a finished job and a stored answer. It is measured with one team, with
 * 20,000 without a subscription, and with 20,000 with one each, so that the share of polling for deliveries shows. The clean-up
 * comes a minute after the start; its cost is reported separately.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { uuidv7 } from "../packages/server/src/ids.ts";
import { type Env, onEachEngine, type Place, setUpTeam, startOurs, stopAll } from "./processes.ts";

const TEAMS = 20_000;
/** After the start the process fills its caches. */
const QUIET_AFTER_MS = 10_000;
const MEASURED_MS = 30_000;
/** Time after the start by which the first clean-up (after one minute) has ended. */
const CLEANED_UP_AFTER_MS = 80_000;
const ROWS_A_STATEMENT = 1_000;
const YEAR_MS = 365 * 24 * 3_600_000;
/** The bound of an idle process's cost in PostgreSQL, ms a second. */
const AIM = 2;

export interface IdleRow {
  engine: string;
  teams: number;
  subscriptions: number;
  /** Ms of processor time a second; null on SQLite. */
  postgres: number | null;
  server: number;
  /** Ms of processor time, PostgreSQL and server together, of the hourly clean-up; null: not measured. */
  cleanUp: number | null;
}

export async function measureIdleTeams(engine: string | undefined, json: boolean): Promise<void> {
  const rows: IdleRow[] = [];
  await onEachEngine(engine, async (place) => {
    for (const [teams, subscriptions] of [
      [1, 0],
      [TEAMS, 0],
      [TEAMS, TEAMS],
    ] as const) {
      rows.push(await measure(place, teams, subscriptions));
      if (!json) print(rows.at(-1) as IdleRow);
      await stopAll();
    }
  });
  if (json) console.log(JSON.stringify(rows));
}

async function measure({ engine, newEnv }: Place, teams: number, subscriptions: number): Promise<IdleRow> {
  const env = await newEnv();
  await setUpTeam(env);
  await fill(env, teams - 1, subscriptions);
  const postmaster = env.DATABASE_URL ? await postmasterOf(env.DATABASE_URL) : undefined;
  const port = await startOurs(env);
  const started = performance.now();
  const spent = async (ms: number) => {
    const server = await serverCpu(port);
    const before = postgresCpu(postmaster);
    const from = performance.now();
    await delay(ms);
    const seconds = (performance.now() - from) / 1_000;
    const postgres = postgresCpu(postmaster) - before;
    return { postgres, server: (await serverCpu(port)) - server, seconds };
  };
  await delay(QUIET_AFTER_MS);
  const idle = await spent(MEASURED_MS);
  const both = ({ postgres, server }: typeof idle) => postgres + server;
  const cleanUp = async () => {
    const later = await spent(CLEANED_UP_AFTER_MS - (performance.now() - started));
    return Math.max(0, both(later) - (both(idle) / idle.seconds) * later.seconds);
  };
  return {
    engine,
    teams,
    subscriptions,
    postgres: postmaster === undefined ? null : idle.postgres / idle.seconds,
    server: idle.server / idle.seconds,
    cleanUp: subscriptions > 0 ? await cleanUp() : null,
  };
}

/** Idle teams, beside the existing one. */
async function fill(env: Env, teams: number, subscriptions: number): Promise<void> {
  const newId = uuidv7(Date.now);
  const now = Date.now();
  const all = Array.from({ length: teams }, newId);
  const tables: [string, (team: string) => string, string[]][] = [
    ["teams (team_id, name, api_access, created_at)", (team) => `'${team}', 'Team', 1, ${now}`, all],
    [
      `team_counters (team_id, event_number, contacts, conversations, open_conversations, agents, widgets, webhooks,
        articles, published_articles)`,
      (team) => `'${team}', 0, 0, 0, 0, 0, 0, ${subscriptions > 0 ? 1 : 0}, 0, 0`,
      all,
    ],
    [
      "timers (team_id, kind, subject_id, due_at, armed_for, attempts)",
      (team) => `'${team}', 'end-snooze', '${newId()}', ${now + YEAR_MS}, ${now + YEAR_MS}, 0`,
      all,
    ],
    [
      "jobs (team_id, id, kind, payload_sealed, state, attempts, run_at, created_at)",
      (team) => `'${team}', '${newId()}', 'send-mail', '', 'done', 1, ${now}, ${now}`,
      all,
    ],
    [
      "webhooks (team_id, id, name, endpoint_url, is_active, events, secret_sealed, created_at, updated_at)",
      (team) =>
        `'${team}', '${newId()}', 'Hook', 'https://hooks.example.com/', 1, '["message.received"]', '', ${now}, ${now}`,
      all.slice(0, subscriptions),
    ],
  ];
  const run = await runner(env);
  for (const [target, values, ids] of tables) {
    for (let from = 0; from < ids.length; from += ROWS_A_STATEMENT) {
      const rows = ids.slice(from, from + ROWS_A_STATEMENT).map((id) => `(${values(id)})`);
      await run.exec(`INSERT INTO ${target} VALUES ${rows.join(",")}`);
    }
  }
  // Autovacuum and the next checkpoint after so many new rows are no cost of the idle process.
  const settle = env.DATABASE_URL
    ? ["VACUUM ANALYZE", "ALTER SYSTEM SET autovacuum = off", "SELECT pg_reload_conf()", "CHECKPOINT"]
    : ["ANALYZE"];
  for (const text of settle) await run.exec(text);
  await run.close();
}

async function runner(env: Env): Promise<{ exec(text: string): Promise<void>; close(): Promise<void> }> {
  if (env.DATABASE_URL) {
    const client = new pg.Client(env.DATABASE_URL);
    await client.connect();
    return { exec: async (text) => void (await client.query(text)), close: () => client.end() };
  }
  const file = new DatabaseSync(join(String(env.DATA_DIR), "frontdesk.db"));
  return { exec: async (text) => file.exec(text), close: async () => file.close() };
}

async function postmasterOf(url: string): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query("SELECT pg_backend_pid() AS pid");
  const { parent } = processOf(String(rows[0].pid)) ?? {};
  await client.end();
  if (parent === undefined) throw new Error("PostgreSQL's process is not in /proc.");
  return parent;
}

/** Ms of processor time of the cluster: of its live processes, and of those that have ended. */
function postgresCpu(postmaster: number | undefined): number {
  if (postmaster === undefined) return 0;
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const own = processOf(String(postmaster));
  const children = pids.flatMap((pid) => processOf(pid) ?? []).filter(({ parent }) => parent === postmaster);
  return [own?.ended ?? 0, own?.spent ?? 0, ...children.map(({ spent }) => spent)].reduce((sum, ms) => sum + ms, 0);
}

/** Linux counts processor time of ended children in ticks of 10 ms, and that of live ones to the nanosecond. */
const TICK_MS = 10;
const NS_IN_MS = 1e6;

function processOf(pid: string): { parent: number; spent: number; ended: number } | undefined {
  try {
    // The name in brackets may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    const spent = Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / NS_IN_MS;
    return { parent: Number(fields[1]), spent, ended: (Number(fields[13]) + Number(fields[14])) * TICK_MS };
  } catch {
    // It has ended meanwhile.
    return undefined;
  }
}

/** Ms of processor time of the server, from its own metrics. */
async function serverCpu(port: number): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const seconds = /^frontdesk_process_cpu_seconds_total (\S+)/m.exec(metrics)?.[1];
  return Number(seconds) * 1_000;
}

function print({ engine, teams, subscriptions, postgres, server, cleanUp }: IdleRow): void {
  const aim = postgres === null ? "" : ` (aim: under ${AIM})`;
  console.log(
    `${engine.padEnd(9)}${String(teams).padStart(6)} teams ${String(subscriptions).padStart(6)} subscriptions  ` +
      `PostgreSQL ${postgres === null ? "   -" : postgres.toFixed(2).padStart(6)} ms/s${aim}  ` +
      `server ${server.toFixed(2).padStart(6)} ms/s` +
      (cleanUp === null ? "" : `  clean-up, once an hour ${cleanUp.toFixed(0).padStart(5)} ms`),
  );
}
