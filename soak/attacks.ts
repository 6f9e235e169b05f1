/** The attacks of `npm run soak`, by name. Each starts its own server, and its own PostgreSQL where it needs one. */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { Agent } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { send } from "../packages/server/fuzz/send-request.ts";
import { newToken } from "../packages/server/src/access/token.ts";
import { disorderIn } from "../packages/server/test/attack/disorder.ts";
import {
  type Fault,
  killedServer,
  killWhileWriting,
  LONGEST_STOP_MS,
  powerCut,
  seeded,
  stoppedServer,
} from "../packages/server/test/attack/kill-while-writing.ts";
import { newServerProcess, type ServerProcess, type SetUpTeam } from "../packages/server/test/attack/server-process.ts";
import { slowConnections } from "../packages/server/test/attack/slow-connections.ts";
import { chatAttacks } from "./chat-attacks.ts";
import { deliveryAttacks } from "./delivery-attacks.ts";
import { floodAttacks } from "./flood-attack.ts";
import { onBothEngines, withPostgres } from "./with-server.ts";

export interface Attack {
  /** The guarantee that it checks. */
  promise: string;
  /** Resolves to the violated guarantees, as sentences. */
  run(options: SoakOptions): Promise<string[]>;
}

export interface SoakOptions {
  /** 1 for full length; a fraction shortens it. */
  scale: number;
  seed: number;
  say(text: string): void;
}

const KILLS = 200;
const STOPS = 50;
const POWER_CUTS = 20;
const OUTAGE_MS = 60_000;
const SLOW_CONNECTIONS = 1_000;
const SLOW_STEP_MS = 500;
/** The documented 15 s, and the second it may take to notice. */
const LONGEST_SLOW_MS = 16_500;
/** How long other clients are measured before the slow ones connect. */
const CALM_MS = 8_000;
const KEY_TRIES = 20_000;
/** A tenth of what an attacker would need over a network, for an actual difference. */
const LARGEST_KEY_DIFFERENCE_MS = 0.02;
/** Standard errors; by chance once in some ten thousand runs. */
const CERTAIN = 4;

export const attacks: Record<string, Attack> = {
  kill: {
    promise: "a server that is killed keeps every answered write, and no half of any (rows 1, 2, 38)",
    run: (options) => onBothEngines((server, team) => faults(server, team, KILLS, killedServer, options)),
  },
  stop: {
    promise: "a server that is told to stop finishes what has begun (row 22)",
    run: (options) =>
      onBothEngines((server, team) =>
        faults(server, team, STOPS, (each) => stoppedServer(each, LONGEST_STOP_MS), options),
      ),
  },
  power: {
    promise: "a PostgreSQL that loses its power keeps every answered write (row 3)",
    run: (options) =>
      withPostgres((server, team, cluster) =>
        faults(server, team, POWER_CUTS, () => powerCut(cluster, server), options),
      ),
  },
  outage: { promise: "a PostgreSQL that is away for a minute costs a minute, and nothing else (row 8)", run: outage },
  slow: { promise: "a thousand slow connections are cut off, and nobody else notices (row 29)", run: slow },
  "key-timing": { promise: "the time of a refusal tells nothing of the key (row 36)", run: keyTiming },
  ...deliveryAttacks,
  ...chatAttacks,
  ...floodAttacks,
  audit: { promise: "no package that the service runs on has a known hole of weight (row 50)", run: audit },
};

async function faults(
  server: ServerProcess,
  team: SetUpTeam,
  count: number,
  fault: (server: ServerProcess, random: () => number) => Fault,
  { scale, seed, say }: SoakOptions,
): Promise<string[]> {
  const random = seeded(seed);
  const report = await killWhileWriting(server, team, {
    faults: Math.ceil(count * scale),
    fault: fault(server, random),
    random,
    progress: (done) => {
      if (done % 20 === 0) say(`${server.engine}: ${done}`);
    },
  });
  const { acknowledged, repeated, alreadyDone, slowestMendMs } = report;
  say(
    `${server.engine}: ${report.faults} times, ${acknowledged} writes answered, ${repeated} repeated (${alreadyDone} of them done before), ready again within ${Math.round(slowestMendMs)} ms`,
  );
  return report.problems;
}

async function outage({ scale, say }: SoakOptions): Promise<string[]> {
  return withPostgres(async (server, team, cluster) => {
    const problems: string[] = [];
    const headers = { "x-api-key": team.apiKey, "content-type": "application/json" };
    const write = async () => {
      const from = performance.now();
      const body = JSON.stringify({ widget_id: team.widgetId, content: "Hello" });
      const { status } = await fetch(`${server.origin}/api/v1/conversations`, { method: "POST", headers, body });
      return { status, milliseconds: performance.now() - from };
    };
    const strike = powerCut(cluster, server);
    await strike.strike();
    const end = performance.now() + OUTAGE_MS * scale;
    let longest = 0;
    let asked = 0;
    while (performance.now() < end) {
      for (const { status, milliseconds } of await Promise.all(Array.from({ length: 20 }, write))) {
        if (status !== 503) problems.push(`While it was away a write was answered ${status}.`);
        longest = Math.max(longest, milliseconds);
        asked += 1;
      }
      await delay(200);
    }
    const back = await strike.mend();
    say(
      `${asked} writes refused, the slowest after ${Math.round(longest)} ms; ready again within ${Math.round(back)} ms`,
    );
    if (longest > 6_000) problems.push(`A refusal took ${Math.round(longest)} ms.`);
    const after = await write();
    if (after.status !== 200) problems.push(`When it was back a write was answered ${after.status}.`);
    const storage = server.open();
    problems.push(...(await disorderIn(storage)));
    await storage.close();
    return [...new Set(problems)];
  });
}

async function slow({ scale, say }: SoakOptions): Promise<string[]> {
  const server = await newServerProcess(undefined);
  try {
    const team = await server.team("Acme");
    await server.start();
    const calm = await othersDuring(server, team, delay(CALM_MS));
    const opened = await slowConnections(server.origin, {
      count: Math.ceil(SLOW_CONNECTIONS * scale),
      path: "/api/v1/conversations",
      apiKey: team.apiKey,
      stepMs: SLOW_STEP_MS,
    });
    const ending = Promise.all(opened.map(({ end }) => end));
    const attacked = await othersDuring(server, team, ending);
    const ends = await ending;
    const longest = Math.max(...ends.map(({ milliseconds }) => milliseconds));
    say(
      `p99 of others: ${calm.toFixed(1)} ms before, ${attacked.toFixed(1)} ms during; cut off after ${Math.round(longest)} ms`,
    );
    return [
      ...(longest > LONGEST_SLOW_MS ? [`A slow connection lasted ${Math.round(longest)} ms.`] : []),
      ...(ends.every(({ status }) => status === 408) ? [] : ["A slow connection was not told 408."]),
      ...(attacked > calm * 2 + 2 ? ["Others waited more than twice as long."] : []),
    ];
  } finally {
    await server.remove();
  }
}

/** The p99 of another client's requests, in ms, until `end`. It sends a hundred requests a second, as people do. */
async function othersDuring(server: ServerProcess, team: SetUpTeam, end: Promise<unknown>): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const request = {
    method: "GET",
    target: "/api/v1/conversations/all",
    headers: { "x-api-key": team.apiKey },
    body: undefined,
  };
  let going = true;
  void end.then(() => {
    going = false;
  });
  const times: number[] = [];
  while (going) {
    times.push((await send(server.origin, agent, request, 10_000)).milliseconds);
    await delay(10);
  }
  agent.destroy();
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] as number;
}

/** Keys that share nothing with a real one, and keys that differ from it only in their last bytes. */
async function keyTiming({ scale, say }: SoakOptions): Promise<string[]> {
  const server = await newServerProcess(undefined);
  const agent = new Agent({ keepAlive: true });
  try {
    const team = await server.team("Acme");
    await server.start();
    const secret = secretOf(team.apiKey);
    if (newToken("key", team.teamId, () => secret) !== team.apiKey)
      return ["The form of keys has changed; so must this."];
    const near = (bytes: number) => Buffer.concat([secret.subarray(0, bytes - 2), randomBytes(2)]);
    const kinds = { far: [] as number[], near: [] as number[] };
    for (let count = 0; count < KEY_TRIES * scale; count += 1) {
      for (const kind of count % 2 ? (["far", "near"] as const) : (["near", "far"] as const)) {
        const key = newToken("key", team.teamId, kind === "near" ? near : randomBytes);
        const request = { method: "GET", target: "/api/v1/widgets", headers: { "x-api-key": key }, body: undefined };
        const { status, milliseconds } = await send(server.origin, agent, request, 10_000);
        // The key is looked up in any case, and then the address has tried too many of them.
        if (status !== 401 && status !== 429) return [`A wrong key was answered ${status}.`];
        kinds[kind].push(milliseconds);
      }
    }
    const [far, close] = [trimmed(kinds.far), trimmed(kinds.near)];
    const difference = Math.abs(far.mean - close.mean);
    const error = Math.hypot(far.error, close.error);
    say(`${(difference * 1_000).toFixed(1)} µs apart, ± ${(error * 1_000).toFixed(1)} µs`);
    const seen = difference > CERTAIN * error && difference > LARGEST_KEY_DIFFERENCE_MS;
    return seen ? ["Keys that begin as a real one are answered at another time."] : [];
  } finally {
    agent.destroy();
    await server.remove();
  }
}

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The 32 secret bytes in a key (`access/token.ts`): 22 letters of team, 43 of secret, 6 of checksum. */
function secretOf(key: string): Buffer {
  const letters = key.slice("fd_key_".length + 22, -6);
  const value = [...letters].reduce((sum, letter) => sum * 62n + BigInt(ALPHABET.indexOf(letter)), 0n);
  return Buffer.from(value.toString(16).padStart(64, "0"), "hex");
}

/** Mean and standard error of the faster four fifths: the others measure the machine. */
function trimmed(times: number[]): { mean: number; error: number } {
  const kept = times.toSorted((a, b) => a - b).slice(0, Math.ceil(times.length * 0.8));
  const mean = kept.reduce((sum, time) => sum + time, 0) / kept.length;
  const variance = kept.reduce((sum, time) => sum + (time - mean) ** 2, 0) / (kept.length - 1);
  return { mean, error: Math.sqrt(variance / kept.length) };
}

/** Requests the registry that npm is configured with. */
function audit({ say }: SoakOptions): Promise<string[]> {
  const args = ["audit", "--omit=dev", "--audit-level=high"];
  return new Promise((resolve) => {
    execFile("npm", args, (error, stdout) => {
      say(stdout.trim().split("\n").at(-1) ?? "");
      // A failed request is not the same as no findings.
      resolve(error ? [stdout.trim() || `The registry could not be asked, so nothing is known: ${error.message}`] : []);
    });
  });
}
