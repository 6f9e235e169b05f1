/**
 * `npm run bench`: the REST API beside a floor measured in the same run, on SQLite and on PostgreSQL, at 1 and at 64
 * connections. Prints ratios; absolute figures depend on the machine.
 *
 * --quick   half a second for each measurement instead of four (the whole in under 50 s)
 * --json    one JSON document instead of tables
 * --engine  sqlite or postgres alone
 * --only    a part of a request's name
 * --idle-teams  instead: what an idle process costs with 20,000 teams that have nothing to do (`idle-teams.ts`)
 */
import { callApi, callMany, startConversation } from "./call-api.ts";
import { measureIdleTeams } from "./idle-teams.ts";
import type { LoadResult, LoadSpec } from "./load.ts";
import { readOptions } from "./options.ts";
import { type Env, load, onEachEngine, type Place, setUpTeam, startFloor, startOurs, stopAll } from "./processes.ts";

const options = readOptions(["quick", "json", "engine", "only"], { "idle-teams": { type: "boolean", default: false } });
const SECONDS = options.quick ? 0.5 : 4;
const CONNECTIONS = [1, 64];

interface Row {
  engine: string;
  request: string;
  connections: number;
  ours: LoadResult;
  floor: LoadResult;
  /** Ours to the floor's, in requests a second: 1 is as fast, 0.5 half as fast. */
  throughput: number;
  /** Ours to the floor's p99: 3 is three times as slow. */
  p99: number;
}

const rows: Row[] = [];
async function measure({ engine, newEnv }: Place): Promise<void> {
  const ours = await prepare(await newEnv());
  const floor = await prepare(await newEnv());
  const oursPort = await startOurs(ours.env);
  const floorPort = await startFloor(floor.env);
  for (const [name, request] of Object.entries(requests)) {
    if (!name.includes(String(options.only))) continue;
    for (const connections of CONNECTIONS) {
      const spec = { connections, seconds: SECONDS };
      const floorResult = await load({ ...spec, port: floorPort, ...request(floor) });
      const oursResult = await load({ ...spec, port: oursPort, ...request(ours) });
      const row: Row = {
        engine,
        request: name,
        connections,
        ours: oursResult,
        floor: floorResult,
        throughput: oursResult.requestsPerSecond / floorResult.requestsPerSecond,
        p99: oursResult.p99 / floorResult.p99,
      };
      rows.push(row);
      if (!options.json) print(row);
    }
  }
}

/** A database with one team, one key, one conversation of 30 messages and 1,000 other contacts. */
interface Prepared {
  env: Env;
  apiKey: string;
  widgetId: string;
  conversationId: string;
}

type Request = (at: Prepared) => Pick<LoadSpec, "method" | "path" | "headers" | "body">;

const api = (method: string, path: (at: Prepared) => string, body?: (at: Prepared) => object): Request => {
  return (at) => ({
    method,
    path: `/api/v1${path(at)}`,
    headers: { "X-API-KEY": at.apiKey },
    ...(body && { body: JSON.stringify(body(at)) }),
  });
};

const requests: Record<string, Request> = {
  "POST /messages": api(
    "POST",
    () => "/messages",
    ({ conversationId }) => ({
      conversation_id: conversationId,
      content: "We do. It takes three days.",
    }),
  ),
  "POST /conversations": api(
    "POST",
    () => "/conversations",
    ({ widgetId }) => ({
      widget_id: widgetId,
      content: "Do you ship to Portugal?",
      name: "Vera {n}",
      email: "vera{n}@example.com",
    }),
  ),
  "GET /conversations/{id}/messages": api("GET", ({ conversationId }) => `/conversations/${conversationId}/messages`),
  "GET /conversations/all": api("GET", () => "/conversations/all"),
  "GET /contacts?search=": api("GET", () => "/contacts?search=seeded%20777"),
};

async function prepare(env: Env): Promise<Prepared> {
  const { apiKey, widgetId } = await setUpTeam(env);
  const at = { port: await startOurs(env), apiKey };
  const conversationId = await startConversation(at, widgetId, { name: "Vera" });
  for (let n = 1; n < 30; n += 1) {
    await callApi(at, "POST", "/messages", { conversation_id: conversationId, content: `Line ${n}` });
  }
  await callMany(1_000, (n) => startConversation(at, widgetId, { name: `Seeded ${n}`, email: `s${n}@example.com` }));
  await stopAll();
  return { env, apiKey, widgetId, conversationId };
}

function print({ engine, request, connections, ours, floor, throughput, p99 }: Row): void {
  const figures = ({ requestsPerSecond, p50, p99 }: LoadResult) =>
    `${requestsPerSecond.toFixed(0).padStart(6)}/s  p50 ${p50.toFixed(2).padStart(6)}  p99 ${p99.toFixed(2).padStart(6)} ms`;
  console.log(
    `${engine.padEnd(9)}${request.padEnd(34)}${String(connections).padStart(3)}  ours ${figures(ours)}  floor ${figures(floor)}  ratio ${throughput.toFixed(2)}  p99 ×${p99.toFixed(2)}`,
  );
}

if (options["idle-teams"]) await measureIdleTeams(options.engine, options.json);
else await onEachEngine(options.engine, measure);
if (options.json && !options["idle-teams"]) console.log(JSON.stringify(rows));
