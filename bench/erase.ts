/**
 * `npm run bench:erase`: how long it takes to erase a contact with 50,000 messages, and how long `POST /messages` of another team waits
 * meanwhile, beside the same load before it, in one run on each engine.
 *
 * --quick   2,000 messages, for scripts
 * --json    one JSON document instead of lines
 * --engine  sqlite or postgres alone
 */
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type Api, callApi, callMany, startConversation } from "./call-api.ts";
import { onEachEngine, type Place, setUpTeam, startBeside, startOurs, stopAll, type Team } from "./processes.ts";
import { quantile } from "./quantile.ts";
import type { Sent, SteadyLoadCommands } from "./steady-load.ts";

const { values: options } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    engine: { type: "string" },
  },
});
const MESSAGES = options.quick ? 2_000 : 50_000;
const CONVERSATIONS = 20;
/** Of the other team: enough for a p99, too few to be the load itself. */
const RATE = 100;
const BEFORE_S = options.quick ? 2 : 20;
const CONNECTIONS = 16;
const LOOK_MS = 50;
/** What is aimed for: seconds, and times the p99 before. */
const AIM = { seconds: 60, ratio: 2 };

interface Result {
  engine: string;
  messages: number;
  seconds: number;
  /** Of the other team's requests, ms. */
  before: Spread;
  meanwhile: Spread;
  /** p99 meanwhile to p99 before. */
  ratio: number;
}

interface Spread {
  p50: number;
  p99: number;
  most: number;
}

const results: Result[] = [];

async function measure({ engine, newEnv }: Place): Promise<void> {
  const env = await newEnv();
  const [theirs, others] = [await setUpTeam(env), await setUpTeam(env, "olga@other.test")];
  const port = await startOurs(env);
  const load = startBeside<SteadyLoadCommands>("steady-load.ts");
  const request = await requestOf({ port, apiKey: others.apiKey }, others);
  const steady = (count: number) =>
    load.ask("run", { port, connections: CONNECTIONS, rate: RATE, count, requests: [request] });
  const api = { port, apiKey: theirs.apiKey };
  const contactId = await writeALot(api, theirs);
  await steady(RATE);
  const before = await steady(RATE * BEFORE_S);
  const meanwhile = steady(Number.MAX_SAFE_INTEGER);
  const began = performance.now();
  await eraseAll(api, contactId);
  const seconds = (performance.now() - began) / 1_000;
  await load.ask("stop");
  const [one, other] = [spreadOf(before), spreadOf(await meanwhile)];
  const result = { engine, messages: MESSAGES, seconds, before: one, meanwhile: other, ratio: other.p99 / one.p99 };
  results.push(result);
  if (!options.json) print(result);
}

/** Vera's conversations; resolves to her id. */
async function writeALot(api: Api, { widgetId }: Team): Promise<string> {
  const visitor = { name: "Vera", email: "vera@acme.test" };
  for (let round = 0; round < CONVERSATIONS; round += 1) {
    const conversation_id = await startConversation(api, widgetId, visitor);
    await callMany(MESSAGES / CONVERSATIONS - 1, (n) =>
      callApi(api, "POST", "/messages", { conversation_id, content: `Reply ${n} of round ${round}` }),
    );
    await callApi(api, "POST", `/conversations/${conversation_id}/resolve`, { status: "resolved" });
  }
  const { data } = await callApi<{ data: { id: string }[] }>(api, "GET", "/contacts?search=vera@acme.test");
  if (!data[0]) throw new Error("Vera is not there.");
  return data[0].id;
}

async function requestOf(api: Api, { widgetId }: Team) {
  const conversation_id = await startConversation(api, widgetId, { name: "Nora" });
  const body = JSON.stringify({ conversation_id, content: "Message {n}" });
  const headers = { "X-API-KEY": api.apiKey, "Content-Type": "application/json" };
  return { method: "POST", path: "/api/v1/messages", headers, body };
}

async function eraseAll(api: Api, contactId: string): Promise<void> {
  interface Body {
    data: { id: string; attributes: { state: string; erased: { messages: number } } };
  }
  const { data } = await callApi<Body>(api, "DELETE", `/contacts/${contactId}`, {});
  for (;;) {
    const { attributes } = (await callApi<Body>(api, "GET", `/erasures/${data.id}`)).data;
    if (attributes.state === "done") {
      if (attributes.erased.messages < MESSAGES) throw new Error(`Only ${attributes.erased.messages} were erased.`);
      return;
    }
    await wait(LOOK_MS);
  }
}

function spreadOf(sent: readonly Sent[]): Spread {
  if (sent.some(({ status }) => status !== 201)) throw new Error("A request of the other team was refused.");
  const waits = sent.map(({ dueAt, answeredAt }) => answeredAt - dueAt);
  return { p50: quantile(waits, 0.5), p99: quantile(waits, 0.99), most: Math.max(...waits) };
}

function print({ engine, messages, seconds, before, meanwhile, ratio }: Result): void {
  const figures = ({ p50, p99, most }: Spread) =>
    `p50 ${p50.toFixed(1)}  p99 ${p99.toFixed(1)}  most ${most.toFixed(1)} ms`;
  console.log(
    `${engine.padEnd(9)}${messages} messages erased in ${seconds.toFixed(1)} s (aim: ${AIM.seconds})\n` +
      `         another team, before: ${figures(before)}   meanwhile: ${figures(meanwhile)}   p99 ×${ratio.toFixed(2)} (aim: ${AIM.ratio})`,
  );
}

await onEachEngine(options.engine, measure);
await stopAll();
if (options.json) console.log(JSON.stringify(results, null, 2));
