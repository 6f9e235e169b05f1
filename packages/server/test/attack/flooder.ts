/**
 * One address that sends all it can by every door of visitors, as a process of its own: its processor time must not
 * count as the server's. It says `ready`, answers `counts` with the answers so far, and floods until `stop`.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { WebSocket } from "ws";

export interface FloodOrder {
  origin: string;
  widgetId: string;
  /** The address that it claims in `X-Forwarded-For`; the server trusts it. */
  address: string;
  /** Live streams that it keeps open, or tries to. */
  sockets: number;
  /** Only these; all when left out. */
  doors?: readonly string[] | undefined;
}

/** For each door, how often each status was answered; 0 is a connection that was cut. */
export type FloodCounts = Record<string, Record<number, number>>;

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const newToken = () => `fd_visitor_${[...randomBytes(43)].map((byte) => ALPHABET[byte % 62]).join("")}`;

/** Requests of one door that are under way at a time. */
const AT_A_TIME = 4;
const KNOWN_TOKENS = 20;
const LONGEST_CONTENT = 10_000;
const FILE_BYTES = 1_048_576;
/** A pause where a door answers by closing the connection: else a flood is one of `connect` alone. */
const PAUSE_MS = 5;

if (process.send) {
  const order = JSON.parse(process.argv[2] ?? "") as FloodOrder;
  void flood(order).then((counts) => {
    process.send?.(counts, () => process.exit(0));
  });
}

async function flood({ origin, widgetId, address, sockets: most, doors: chosen }: FloodOrder): Promise<FloodCounts> {
  const counts: FloodCounts = {};
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const { hostname, port } = new URL(origin);
  let stopped = false;
  let sockets = 0;
  const open = new Set<WebSocket>();
  process.on("message", (asked) => {
    if (asked === "counts") return void process.send?.(counts);
    stopped = true;
    for (const socket of open) socket.terminate();
  });
  const tokens = Array.from({ length: KNOWN_TOKENS }, newToken);
  const anyToken = () => tokens[Math.floor(Math.random() * tokens.length)] as string;

  const write = (token: string, content: string) =>
    ask("POST", `/visitor/${widgetId}/messages`, token, JSON.stringify({ client_id: randomUUID(), content }));
  const doors: Record<string, () => Promise<number>> = {
    messages: () => write(anyToken(), "漢".repeat(LONGEST_CONTENT)),
    "short messages": () => write(anyToken(), "Hello"),
    "new visitors": () => write(newToken(), "Hello"),
    introductions: () =>
      ask("POST", `/visitor/${widgetId}/introduce`, anyToken(), JSON.stringify({ name: "Vera".repeat(50) })),
    chats: () => ask("GET", `/visitor/${widgetId}/chat`, anyToken()),
    "unknown tokens": () => ask("GET", `/visitor/${widgetId}/chat`, newToken()),
    "malformed tokens": () => ask("GET", `/visitor/${widgetId}/chat`, randomBytes(500).toString("hex")),
    "unknown widgets": () => ask("GET", `/visitor/${randomUUID()}/chat`, newToken()),
    uploads: () => ask("POST", `/visitor/${widgetId}/files?name=flood`, anyToken(), Buffer.alloc(FILE_BYTES, 1)),
    "broken uploads": () => brokenUpload(Math.random() < 0.5 ? anyToken() : "none"),
    "widget pages": () =>
      ask("GET", `/frame/${widgetId}`, undefined, undefined, { "accept-language": "x-y;q=1,".repeat(800) }),
    loaders: () =>
      ask("GET", `/widget.js?widget=${randomUUID()}${"x".repeat(8_000)}`, undefined, undefined, {
        referer: "https://flood.test/",
      }),
    polls: () => ask("GET", `/live/poll?widget_id=${widgetId}&since=0`, anyToken()),
    "server-sent events": eventStream,
    "unknown streams": () => stream(newToken(), 0),
  };

  for (const token of tokens) await write(token, "The first of this browser");
  process.send?.("ready");
  const isChosen = (door: string) => chosen === undefined || chosen.includes(door);
  const streams = isChosen("streams") ? most : 0;
  await Promise.all([
    ...Object.entries(doors)
      .filter(([door]) => isChosen(door))
      .flatMap(([door, act]) => Array.from({ length: AT_A_TIME }, () => keepOn(door, act))),
    ...Array.from({ length: streams }, () => keepOn("streams", () => stream(anyToken(), 10_000))),
  ]);
  agent.destroy();
  return counts;

  async function keepOn(door: string, act: () => Promise<number>): Promise<void> {
    counts[door] ??= {};
    const answers = counts[door];
    while (!stopped) {
      const status = await act();
      answers[status] = (answers[status] ?? 0) + 1;
      if (status === 0 || status > 1_000) await delay(PAUSE_MS);
    }
  }

  function ask(
    method: string,
    path: string,
    token: string | undefined,
    body?: string | Buffer,
    more: Record<string, string> = {},
  ): Promise<number> {
    return new Promise((resolve) => {
      const headers = {
        "x-forwarded-for": address,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(typeof body === "string" && { "content-type": "application/json" }),
        ...(body !== undefined && { "content-length": String(Buffer.byteLength(body)) }),
        ...more,
      };
      const sent = request({ hostname, port, agent, method, path, headers, timeout: 20_000 }, (answer) => {
        answer.resume();
        answer.once("close", () => resolve(answer.statusCode ?? 0));
      });
      sent.on("timeout", () => sent.destroy());
      sent.on("error", () => resolve(0));
      sent.end(body);
    });
  }

  /** Announces 25 MB, sends a little, waits for an answer or not, and disconnects. */
  function brokenUpload(token: string): Promise<number> {
    return new Promise((resolve) => {
      const socket = connect(Number(port), hostname);
      let status = 0;
      socket.on("error", () => {});
      socket.once("close", () => resolve(status));
      socket.once("data", (data) => {
        status = Number(data.toString().split(" ")[1]);
        socket.destroy();
      });
      const head = [`POST /visitor/${widgetId}/files?name=broken HTTP/1.1`, "Host: a", `X-Forwarded-For: ${address}`];
      head.push(`Authorization: Bearer ${token}`, `Content-Length: ${25 * FILE_BYTES}`, "", "begun");
      socket.write(head.join("\r\n"));
      setTimeout(() => socket.destroy(), 200);
    });
  }

  function eventStream(): Promise<number> {
    return new Promise((resolve) => {
      const headers = { "x-forwarded-for": address, authorization: `Bearer ${anyToken()}` };
      const path = `/live/events?widget_id=${widgetId}&since=0`;
      const sent = request({ hostname, port, agent: false, path, headers }, (answer) => {
        answer.resume();
        setTimeout(() => sent.destroy(), 200);
        answer.once("close", () => resolve(answer.statusCode ?? 0));
        answer.on("error", () => {});
      });
      sent.on("error", () => resolve(0));
      sent.end();
    });
  }

  /** A stream that replays all, and names pages and types as often as it may; answers why it was closed. */
  function stream(token: string, forMs: number): Promise<number> {
    return new Promise((resolve) => {
      sockets += 1;
      const socket = new WebSocket(`${origin.replace("http", "ws")}/live`, { headers: { "x-forwarded-for": address } });
      open.add(socket);
      let frames: NodeJS.Timeout | undefined;
      const end = setTimeout(() => socket.terminate(), forMs + 1_000);
      socket.on("error", () => {});
      socket.on("message", () => {});
      socket.once("open", () => {
        socket.send(JSON.stringify({ type: "hello", token, widget_id: widgetId, since: 0, epoch: "none" }));
        // An unfinished message, which the server has to hold.
        if (sockets % 10 === 0) socket.send("x".repeat(4_000), { fin: false });
        else frames = setInterval(() => sendFrames(socket), 400);
      });
      socket.once("close", (code) => {
        open.delete(socket);
        clearTimeout(end);
        clearInterval(frames);
        resolve(code);
      });
    });
  }

  function sendFrames(socket: WebSocket): void {
    if (socket.readyState !== WebSocket.OPEN) return;
    const url = `https://flood.test/${randomBytes(500).toString("hex")}`;
    socket.send(JSON.stringify({ type: "page", url, title: "x".repeat(200) }));
  }
}
