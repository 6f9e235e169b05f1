/**
 * `npm run bench:live`: the live stream on each engine, beside a bare `ws` server that is measured in the same run: from a
 * visitor's message being due to an agent receiving it, at rising rates; the memory of an idle stream; one message to 1,000
 * agents' streams.
 *
 * Aims: p99 at most 20 ms at 500 messages/s, at most 25 kB a socket, at least 0.7 of the bare server's fan-out.
 *
 * --quick   a tenth of the load, for scripts
 * --json    one JSON document instead of lines
 * --engine  sqlite or postgres alone
 * --only    a part of a measurement's name: latency, memory, fan-out
 */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { callMany } from "./call-api.ts";
import type { Heard, ListenersCommands } from "./live-listeners.ts";
import type { WritersCommands } from "./live-writers.ts";
import { readOptions } from "./options.ts";
import {
  type Env,
  makeKey,
  onEachEngine,
  type Place,
  setUpTeam,
  startBeside,
  startLiveFloor,
  startOurs,
} from "./processes.ts";
import { quantile } from "./quantile.ts";
import { newVisitor } from "./visitor.ts";
import type { WorkerProcess } from "./worker-process.ts";

const options = readOptions(["quick", "json", "engine", "only"]);
const RATES = [50, 200, 500];
const SECONDS = options.quick ? 3 : 20;
const IDLE_SOCKETS = options.quick ? 1_000 : 10_000;
const FAN_OUT_SOCKETS = 1_000;
const FAN_OUT_MESSAGES = options.quick ? 50 : 500;
/** The limit of open streams per key. */
const STREAMS_OF_KEY = 100;
/** Streams per visitor; twice as many are allowed. */
const STREAMS_OF_VISITOR = 10;
/** Enough visitors that none exceeds the rate limit. */
const VISITORS = 1_000;
const CONNECTIONS = 16;
/** Until memory use is stable. */
const SETTLE_MS = 3_000;

interface Side {
  port: number;
  path: string;
  listeners: WorkerProcess<ListenersCommands>;
  writers: WorkerProcess<WritersCommands>;
  tokens: string[];
}

const results: object[] = [];

async function measure({ engine, newEnv }: Place): Promise<void> {
  // Visitors write from many addresses, as a proxy reports them, and listen from one: more of them than allowed to a stranger.
  const env: Env = { ...(await newEnv()), TRUST_PROXY: "127.0.0.1", VISITOR_BOUNDS_FACTOR: "100" };
  const { widgetId, apiKey } = await setUpTeam(env);
  const keys = [apiKey];
  while (keys.length * STREAMS_OF_KEY < FAN_OUT_SOCKETS) keys.push(await makeKey(env, `key ${keys.length}`));
  const port = await startOurs(env);
  const floorPort = await startLiveFloor(env);
  const tokens = await callMany(VISITORS, (n) => newVisitor(port, widgetId, n));
  const listeners = startBeside<ListenersCommands>("live-listeners.ts");
  const writers = startBeside<WritersCommands>("live-writers.ts");
  const ours: Side = { port, path: `/visitor/${widgetId}/messages`, listeners, writers, tokens };
  const floor: Side = { port: floorPort, path: "/send", listeners, writers, tokens };
  await fetch(`http://127.0.0.1:${floorPort}/frame`, { method: "POST", body: await frameOf(ours, keys) });

  if ("latency".includes(options.only)) {
    for (const rate of RATES) {
      const count = rate * SECONDS;
      const one = await hear(ours, [{ token: apiKey }], { rate, count });
      const bare = await hear(floor, [undefined], { rate, count });
      tell(engine, "latency", {
        rate,
        ours: spread(one.delays),
        floor: spread(bare.delays),
        lost: count - one.delays.length,
      });
    }
  }
  if ("memory".includes(options.only)) {
    const hellos = Array.from({ length: IDLE_SOCKETS }, (_, n) => ({
      token: tokens[Math.floor(n / STREAMS_OF_VISITOR)] as string,
      widget_id: widgetId,
    }));
    const each = await bytesEach(ours, hellos, () => oursInMemory(port));
    const bare = await bytesEach(
      floor,
      hellos.map(() => undefined),
      () => floorInMemory(floorPort),
    );
    tell(engine, "memory", { sockets: IDLE_SOCKETS, ours: each, floor: bare });
  }
  if ("fan-out".includes(options.only)) {
    const hellos = Array.from({ length: FAN_OUT_SOCKETS }, (_, n) => ({
      token: keys[Math.floor(n / STREAMS_OF_KEY)] as string,
    }));
    const load = { rate: 0, count: FAN_OUT_MESSAGES };
    const single = { rate: 5, count: 20 };
    const one = await hear(ours, hellos, load, single);
    const bare = await hear(
      floor,
      hellos.map(() => undefined),
      load,
      single,
    );
    const [a, b] = [perSecond(one), perSecond(bare)];
    const alone = { ours: spread(one.alone), floor: spread(bare.alone) };
    const lost = FAN_OUT_MESSAGES * FAN_OUT_SOCKETS - one.delays.length;
    tell(engine, "fan-out", { sockets: FAN_OUT_SOCKETS, ours: a, floor: b, ratio: a / b, alone, lost });
  }
}

/** Opens streams, writes, and resolves to the latencies when all frames have arrived or none arrives any more. */
async function hear(
  { port, path, listeners, writers, tokens }: Side,
  hellos: (object | undefined)[],
  load: { rate: number; count: number },
  single?: { rate: number; count: number },
): Promise<Heard & { alone: number[] }> {
  await listeners.ask("connect", { url: `ws://127.0.0.1:${port}/live`, hellos });
  const spec = { port, path, tokens, connections: CONNECTIONS };
  let alone: number[] = [];
  if (single) {
    await write(single);
    await delay(500);
    alone = (await listeners.ask("heard")).lasts;
  }
  await write(load);
  let all: Heard = { delays: [], lasts: [], from: 0, to: 0 };
  for (let waits = 0; all.delays.length < load.count * hellos.length && waits < 10; waits += 1) {
    const { delays, lasts, from, to } = await listeners.ask("heard");
    all = {
      delays: all.delays.concat(delays),
      lasts: all.lasts.concat(lasts),
      from: all.from || from,
      to: Math.max(all.to, to),
    };
    if (delays.length > 0) waits = 0;
    await delay(200);
  }
  await listeners.ask("close");
  return { ...all, alone };

  async function write(what: { rate: number; count: number }): Promise<void> {
    const { refused } = await writers.ask("write", { ...spec, ...what });
    if (refused > 0) throw new Error(`${refused} messages were not taken.`);
  }
}

/** A sample of our frames, so that the floor sends as much. */
async function frameOf({ port, path, tokens }: Side, [key]: string[]): Promise<string> {
  const asked = { headers: { authorization: `Bearer ${key}` } };
  const poll = async (since: string) =>
    (await (await fetch(`http://127.0.0.1:${port}/live/poll${since}`, asked)).json()) as { frames: Frame[] };
  const ready = (await poll("")).frames.at(-1) as Frame;
  const body = JSON.stringify({ client_id: randomUUID(), content: "{content}" });
  const headers = { authorization: `Bearer ${tokens[0]}`, "content-type": "application/json" };
  await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers, body });
  const { frames } = await poll(`?since=${ready.number}&epoch=${ready.epoch}`);
  return JSON.stringify(frames[0]);
}

interface Frame {
  number: number;
  epoch: string;
}

async function bytesEach({ port, listeners }: Side, hellos: (object | undefined)[], memory: () => Promise<number>) {
  await delay(SETTLE_MS);
  const before = await memory();
  await listeners.ask("connect", { url: `ws://127.0.0.1:${port}/live`, hellos });
  await delay(SETTLE_MS);
  const after = await memory();
  await listeners.ask("close");
  return (after - before) / hellos.length;
}

async function oursInMemory(port: number): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/^frontdesk_process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1]);
}

async function floorInMemory(port: number): Promise<number> {
  return Number(await (await fetch(`http://127.0.0.1:${port}/memory`)).text());
}

const perSecond = ({ delays, from, to }: Heard): number => (delays.length / (to - from)) * 1_000;

const spread = (values: number[]) => ({ p50: quantile(values, 0.5), p99: quantile(values, 0.99) });

function tell(engine: string, measurement: string, figures: { lost?: number } & Record<string, unknown>): void {
  results.push({ engine, measurement, ...figures });
  if (figures.lost) process.exitCode = 1;
  if (options.json) return;
  const shown = JSON.stringify(figures, (_, value) => (typeof value === "number" ? Number(value.toFixed(2)) : value));
  console.log(`${engine.padEnd(9)}${measurement.padEnd(9)}${shown.replaceAll(/["{}]/g, " ")}`);
}

await onEachEngine(options.engine, measure);
if (options.json) console.log(JSON.stringify(results));
