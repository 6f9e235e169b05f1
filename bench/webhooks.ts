/**
 * `npm run bench:webhooks`: how soon a webhook arrives after its commit, how many a second beside a floor measured in the same
 * run, one event for many subscriptions, and the end of an outage; on SQLite and on PostgreSQL. Each delivery is looked up by
 * its id: a lost one makes it exit with 1.
 *
 * --quick   a tenth of the load, for scripts
 * --json    one JSON document instead of lines
 * --engine  sqlite or postgres alone
 * --only    a part of a measurement's name: receipts, sustained, fan-out, drain
 * --large   the fan-out to 10,000 subscriptions, once, instead of to 1,000
 */

import { readOptions } from "./options.ts";
import { onEachEngine, type Place } from "./processes.ts";
import { quantile } from "./quantile.ts";
import {
  type Drain,
  type FanOut,
  type Losses,
  measureDrain,
  measureFanOut,
  measureReceipts,
  measureSustained,
  type Receipt,
  type Spread,
  type Sustained,
} from "./webhook-measurements.ts";

const options = readOptions(["quick", "json", "engine", "only"], { large: { type: "boolean", default: false } });

/** Requests a second beside a fan-out or a drain: enough for a p99, too few to be the load itself. */
const BESIDE = 100;
/** A nearby receiver that does some work per delivery. */
const ANSWER_AFTER_MS = 5;

const size = options.quick
  ? {
      seconds: 3,
      warmUpSeconds: 1,
      sustained: 2_000,
      sustainedRounds: 1,
      fanOutRounds: 2,
      idleSeconds: 2,
      drain: 1_000,
    }
  : {
      seconds: 30,
      warmUpSeconds: 3,
      sustained: 20_000,
      sustainedRounds: 3,
      fanOutRounds: 5,
      idleSeconds: 10,
      drain: 10_000,
    };
const subscriptions = options.large ? 10_000 : 1_000;

const results: object[] = [];

async function measure(place: Place): Promise<void> {
  const { seconds, warmUpSeconds, idleSeconds } = size;
  if (isWanted("receipts")) {
    tell(
      place,
      await measureReceipts(place, { rates: [50, 200, 1_000], seconds, warmUpSeconds }),
      "receipts",
      receiptLine,
    );
  }
  if (isWanted("sustained")) {
    const load = { deliveries: size.sustained, rounds: size.sustainedRounds };
    tell(place, await measureSustained(place, load), "sustained", sustainedLine);
  }
  if (isWanted("fan-out")) {
    const rounds = options.large ? 1 : size.fanOutRounds;
    const load = { subscriptions, rounds, idleSeconds, rate: BESIDE };
    tell(place, await measureFanOut(place, load), "fan-out", fanOutLine);
  }
  if (isWanted("drain")) {
    const load = { deliveries: size.drain, idleSeconds, rate: BESIDE, answerAfterMs: ANSWER_AFTER_MS };
    tell(place, [await measureDrain(place, load)], "drain", drainLine);
  }
}

const isWanted = (name: string): boolean => name.includes(options.only);

function tell<Result extends Losses>(
  { engine }: Place,
  measured: readonly Result[],
  measurement: string,
  line: (result: Result) => string,
): void {
  for (const result of measured) {
    results.push({ engine, measurement, ...result });
    const { lost, duplicates, refused } = result;
    if (lost > 0 || refused > 0) process.exitCode = 1;
    const losses = `lost ${lost}  duplicates ${duplicates}${refused > 0 ? `  requests refused ${refused}` : ""}`;
    if (!options.json) console.log(`${engine.padEnd(9)}${measurement.padEnd(10)}${line(result)}  ${losses}`);
  }
}

const receiptLine = ({ rate, accepted, sinceCommit, sinceAnswer, sinceRequest, answer }: Receipt): string =>
  `${rate}/s (${accepted.toFixed(0)}/s)  since commit ${text(sinceCommit)}  since answer ${text(sinceAnswer)}  since request ${text(sinceRequest)}  POST ${text(answer)}`;

const sustainedLine = ({ deliveries, ours, floor, ratio }: Sustained): string =>
  `${deliveries}  ours ${ours.toFixed(0)}/s  floor ${floor.toFixed(0)}/s  ratio ${ratio.toFixed(2)}`;

const fanOutLine = ({ subscriptions, hosts, allArrived, sinceCommit, trigger, meanwhile, idle }: FanOut): string =>
  `${subscriptions}, ${hosts === "one" ? "one host" : "a host each"}  all there after ${quantile(allArrived, 0.5).toFixed(0)} ms (worst ${Math.max(...allArrived).toFixed(0)})  each ${text(sinceCommit)}  its request ${text(trigger)}  other requests ${text(meanwhile)}, idle ${text(idle)}`;

const drainLine = ({ deliveries, seconds, mostInFlight, meanwhile, idle, memoryBefore, memoryAfter }: Drain): string =>
  `${deliveries} in ${seconds.toFixed(1)} s (${(deliveries / seconds).toFixed(0)}/s)  in flight ${mostInFlight}  GET ${text(meanwhile.get)}, idle ${text(idle.get)}  POST ${text(meanwhile.post)}, idle ${text(idle.post)}  memory ${mebibytes(memoryBefore)} to ${mebibytes(memoryAfter)}`;

const text = ({ p50, p95, p99 }: Spread): string =>
  `p50 ${p50.toFixed(1)} p95 ${p95.toFixed(1)} p99 ${p99.toFixed(1)} ms`;
const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`;

await onEachEngine(options.engine, measure);
if (options.json) console.log(JSON.stringify(results));
