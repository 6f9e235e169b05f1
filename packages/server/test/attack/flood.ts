/**
 * One address floods a team by every door of visitors, while another team's visitors and agent go on. Used by the story, in
 * small, and by the soak.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { newVisitorToken } from "@frontdesk/testing/browser-visitor";
import { WebSocket } from "ws";
import type { FloodCounts, FloodOrder } from "./flooder.ts";
import type { ServerProcess, SetUpTeam } from "./server-process.ts";

const FLOODER = fileURLToPath(new URL("flooder.ts", import.meta.url));
const FLOODING = "203.0.113.7";
/** Visitors of the other team, each at an address of their own. */
const VISITORS = 10;
/** The interval between requests of a visitor. */
const ASK_MS = 700;
/** The interval at which a visitor connects and disconnects. */
const COME_MS = 1_000;
const WARM_ROUNDS = 40;
/** The interval at which the answers to the flood are read. */
const LOOK_MS = 200;
/** Presence is noted every few seconds. */
const HEARD_WITHIN_MS = 15_000;
const RELEASED_WITHIN_MS = 30_000;
/** Bodies that are on their way when the server is stopped. */
const UNFINISHED = 5;

/** How long each answer took, in ms, rising; and how many were neither 200 nor 201. */
export interface Answers {
  times: number[];
  failed: number;
}

export interface FloodReport {
  counts: FloodCounts;
  /** How long it flooded, in ms. */
  lasted: number;
  /** How much the data folder has grown. */
  diskBytes: number;
  /** How much larger the process is than it ever was at ordinary work: at most, and a while after the flood. */
  memoryBytes: { most: number; after: number };
  /** Of the other team's visitors, before the flood and in it. */
  calm: Answers;
  answers: Answers;
  /** Visitors of the other team who came online, and those that its agent was shown in time. */
  presence: { came: number; heard: number };
  /** Live streams of the flood that are still open a while after it. */
  streamsLeft: number;
  /** From SIGTERM to the end, with bodies and streams under way. */
  stop: { code: number | null; ms: number };
}

export interface FloodOptions {
  /** How long at least. */
  milliseconds: number;
  /** The flood goes on until this holds of what it was answered. */
  until?(counts: FloodCounts): boolean;
  /** Megabytes of files that visitors send, after ordinary work, before anything is measured; without any, no such work. */
  warmMegabytes?: number;
  /** How long the other team's visitors are measured without a flood. */
  calmMs?: number;
  /** As in `FloodOrder`. */
  sockets?: number;
  doors?: readonly string[] | undefined;
  say?(text: string): void;
}

/** @param server with TRUST_PROXY=loopback, running; it is stopped */
export async function floodWhile(
  server: ServerProcess,
  teams: { flooded: SetUpTeam; other: SetUpTeam },
  {
    milliseconds,
    until = () => true,
    warmMegabytes = 0,
    calmMs = 0,
    sockets = 400,
    doors,
    say = () => {},
  }: FloodOptions,
): Promise<FloodReport> {
  const memory = watchMemory(server);
  if (warmMegabytes > 0) await warmUp(await otherVisitors(server, teams.other, "192.0.2"), warmMegabytes);
  const visitors = await otherVisitors(server, teams.other, "198.51.100");
  const agent = await openStream(server, { token: teams.other.apiKey });
  const calm = await measureCalm(visitors, calmMs);
  const before = { disk: diskOf(server), memory: memory.most() };

  const { origin } = server;
  const flooder = await startFlooder({ origin, widgetId: teams.flooded.widgetId, address: FLOODING, sockets, doors });
  let over = false;
  const isOver = () => over;
  const answers: Answers = { times: [], failed: 0 };
  const presence = { came: 0, heard: 0 };
  const going = Promise.all([
    ...visitors.map((visitor) => keepAsking(visitor, isOver, answers)),
    comeAndGo(server, visitors, agent, isOver, presence),
  ]);
  const from = performance.now();
  await delay(milliseconds);
  while (!until(await flooder.counts())) await delay(LOOK_MS);
  const lasted = performance.now() - from;
  const diskBytes = diskOf(server) - before.disk;
  over = true;
  const counts = await flooder.stop();
  await going;
  const most = memory.most() - before.memory;
  memory.stop();
  say(`sent: ${JSON.stringify(counts)}`);

  const streamsLeft = await streamsAfter(server);
  const after = (server.memory() ?? 0) - before.memory;
  const stop = await stopWhileBusy(server, teams.flooded);
  agent.leave();
  answers.times.sort((one, other) => one - other);
  return { counts, lasted, diskBytes, memoryBytes: { most, after }, calm, answers, presence, streamsLeft, stop };
}

interface Stream {
  // biome-ignore lint/suspicious/noExplicitAny: frames of every kind
  frames: any[];
  leave(): void;
}

/** Resolves when it is live; when it was refused instead, it hears nothing. */
async function openStream(
  { origin }: ServerProcess,
  hello: object,
  headers: Record<string, string> = {},
): Promise<Stream> {
  const socket = new WebSocket(`${origin.replace("http", "ws")}/live`, { headers });
  const stream: Stream = { frames: [], leave: () => socket.terminate() };
  const closed = once(socket, "close");
  socket.on("error", () => {});
  socket.once("open", () => socket.send(JSON.stringify({ type: "hello", since: null, epoch: null, ...hello })));
  await new Promise<void>((resolve) => {
    void closed.then(() => resolve());
    socket.on("message", (data) => {
      const frame = JSON.parse(data.toString());
      stream.frames.push(frame);
      if (frame.type === "ready") resolve();
    });
  });
  return stream;
}

interface Visitor {
  token: string;
  contactId: string;
  ask(method: "GET" | "POST", path: string, body?: object | Buffer): Promise<Response>;
  headers: Record<string, string>;
  widgetId: string;
}

/** @param network each has an address of its own in it */
async function otherVisitors(server: ServerProcess, { widgetId }: SetUpTeam, network: string): Promise<Visitor[]> {
  return Promise.all(
    Array.from({ length: VISITORS }, async (_, index) => {
      const token = newVisitorToken();
      const headers = { "x-forwarded-for": `${network}.${index + 1}` };
      const ask: Visitor["ask"] = (method, path, body) =>
        fetch(`${server.origin}/visitor/${widgetId}${path}`, {
          method,
          headers: { ...headers, authorization: `Bearer ${token}`, "content-type": "application/json" },
          ...(body && { body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body) }),
        });
      const first = await ask("POST", "/messages", { client_id: crypto.randomUUID(), content: "Hello" });
      const { contact } = (await first.json()) as { contact: { id: string } };
      return { token, contactId: contact.id, ask, headers, widgetId };
    }),
  );
}

/** The most that the process has taken so far. */
function watchMemory(server: ServerProcess): { most(): number; stop(): void } {
  let most = 0;
  const look = () => {
    most = Math.max(most, server.memory() ?? 0);
  };
  const timer = setInterval(look, 50);
  look();
  return { most: () => most, stop: () => clearInterval(timer) };
}

/**
 * Ordinary work before the measurement: code is compiled, the log of the database has its usual size, and so has the heap.
 * Buffers of sockets are collected from some 64 MB on, so files are uploaded, and refused, as well.
 */
async function warmUp(visitors: readonly Visitor[], megabytes: number): Promise<void> {
  for (let round = 0; round < WARM_ROUNDS; round += 1) {
    await Promise.all(
      visitors.map(async ({ ask }) => {
        await ask("GET", "/chat").then((answer) => answer.arrayBuffer());
        await ask("POST", "/messages", { client_id: crypto.randomUUID(), content: "Hello" });
      }),
    );
  }
  const file = Buffer.alloc(1_048_576, 1);
  for (let count = 0; count < megabytes; count += visitors.length) {
    await Promise.all(visitors.map(({ ask }) => ask("POST", "/files?name=warm", file).then((answer) => answer.text())));
  }
}

async function measureCalm(visitors: readonly Visitor[], milliseconds: number): Promise<Answers> {
  const answers: Answers = { times: [], failed: 0 };
  const until = performance.now() + milliseconds;
  await Promise.all(visitors.map((visitor) => keepAsking(visitor, () => performance.now() >= until, answers)));
  answers.times.sort((one, other) => one - other);
  return answers;
}

async function keepAsking({ ask }: Visitor, isOver: () => boolean, answers: Answers): Promise<void> {
  await delay(Math.random() * ASK_MS);
  for (let asked = 0; !isOver(); asked += 1) {
    const from = performance.now();
    const writes = asked % 5 === 4;
    const answer = await (writes
      ? ask("POST", "/messages", { client_id: crypto.randomUUID(), content: "Are you there?" })
      : ask("GET", "/chat?limit=10"));
    await answer.arrayBuffer();
    answers.times.push(performance.now() - from);
    if (!answer.ok) answers.failed += 1;
    await delay(ASK_MS);
  }
}

async function comeAndGo(
  server: ServerProcess,
  visitors: Visitor[],
  agent: Stream,
  isOver: () => boolean,
  presence: FloodReport["presence"],
): Promise<void> {
  const hearing: Promise<void>[] = [];
  for (const { token, contactId, headers, widgetId } of visitors) {
    if (isOver()) break;
    const from = agent.frames.length;
    const stream = await openStream(server, { token, widget_id: widgetId }, headers);
    presence.came += 1;
    hearing.push(
      heardOnline(agent, contactId, from).then((heard) => {
        if (heard) presence.heard += 1;
        stream.leave();
      }),
    );
    await delay(COME_MS);
  }
  await Promise.all(hearing);
}

async function heardOnline(agent: Stream, contactId: string, from: number): Promise<boolean> {
  const until = performance.now() + HEARD_WITHIN_MS;
  while (performance.now() < until) {
    const heard = agent.frames
      .slice(from)
      .some(
        ({ type, contacts }) =>
          type === "presence" &&
          contacts?.some(
            (contact: { id: string; online_status: string }) =>
              contact.id === contactId && contact.online_status === "online",
          ),
      );
    if (heard) return true;
    await delay(50);
  }
  return false;
}

async function startFlooder(
  order: FloodOrder,
): Promise<{ counts(): Promise<FloodCounts>; stop(): Promise<FloodCounts> }> {
  const child = fork(FLOODER, [JSON.stringify(order)]);
  await once(child, "message");
  const ask = async (what: "counts" | "stop") => {
    const answered = once(child, "message");
    child.send(what);
    const [counts] = await answered;
    return counts as FloodCounts;
  };
  return { counts: () => ask("counts"), stop: () => ask("stop") };
}

/** Of all files, in bytes. */
function diskOf({ dataDir }: ServerProcess): number {
  return readdirSync(dataDir, { recursive: true })
    .map((name) => statSync(join(dataDir, String(name)), { throwIfNoEntry: false }))
    .reduce((sum, file) => sum + (file?.isFile() ? file.size : 0), 0);
}

/** The agent's own is left. */
async function streamsAfter(server: ServerProcess): Promise<number> {
  const until = performance.now() + RELEASED_WITHIN_MS;
  for (;;) {
    const text = await (await fetch(`${server.origin}/metrics`)).text();
    const open = [...text.matchAll(/^frontdesk_live_streams\{[^}]*\} (\d+)/gm)].reduce(
      (sum, [, n]) => sum + Number(n),
      0,
    );
    if (open <= 1 || performance.now() > until) return open - 1;
    await delay(100);
  }
}

async function stopWhileBusy(server: ServerProcess, { widgetId }: SetUpTeam): Promise<FloodReport["stop"]> {
  const { hostname, port } = new URL(server.origin);
  const head = `POST /visitor/${widgetId}/files?name=a HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer none\r\n`;
  for (let count = 0; count < UNFINISHED; count += 1) {
    const socket = connect(Number(port), hostname);
    socket.on("error", () => {});
    const answered = once(socket, "data");
    socket.write(`${head}Content-Length: 1000000\r\n\r\nbegun`);
    await answered;
    // Half of them go, half of them stay.
    if (count % 2 === 0) socket.destroy();
  }
  const from = performance.now();
  const code = await server.stop();
  return { code, ms: performance.now() - from };
}

/** A percentile of the durations. */
export function percentile(times: readonly number[], part: number): number {
  return times[Math.min(times.length - 1, Math.floor((times.length * part) / 100))] ?? 0;
}
