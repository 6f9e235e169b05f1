/**
 * A second kind of receiver for the outbox: each item is sent as a line over its own TCP connection to a real server, which
 * answers with a line. A line without an answer may have arrived, so that it is `unknown`.
 */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { OpenQueue, Receiver, SendResult } from "@frontdesk/server/outbox/receiver";

/** How the server handles a line. */
export type LineAnswer = "accept" | "refuse" | "retry" | "hold" | "drip" | "cut";

const WORDS = { accept: "+", refuse: "-", retry: "~" } as const;

export interface LineServer {
  port: number;
  /** The received lines, in order. */
  received: string[];
  /** How many of them wait for an answer. */
  held(): number;
  answers(answer: LineAnswer): void;
  /** Answers the waiting ones. */
  letGo(answer?: keyof typeof WORDS): void;
  close(): Promise<void>;
}

/** @param options.numbered each accepted line is answered with a number: 1, 2, 3 … */
export async function startLineServer({ numbered = false } = {}): Promise<LineServer> {
  const received: string[] = [];
  const waiting = new Set<Socket>();
  const sockets = new Set<Socket>();
  let answer: LineAnswer = "accept";
  let accepted = 0;
  const answerOf = (word: keyof typeof WORDS) => {
    if (!numbered || word !== "accept") return `${WORDS[word]}\n`;
    accepted += 1;
    return `${WORDS.accept} ${accepted}\n`;
  };
  const server = createServer((socket) => {
    let text = "";
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      waiting.delete(socket);
      sockets.delete(socket);
    });
    socket.on("data", (chunk) => {
      text += chunk;
      if (!text.endsWith("\n")) return;
      received.push(text.trim());
      if (answer === "cut") socket.destroy();
      // Half an answer, then nothing until the test ends.
      else if (answer === "drip") socket.write("+");
      else if (answer === "hold") waiting.add(socket);
      else socket.end(answerOf(answer));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    received,
    held: () => waiting.size,
    answers: (next) => {
      answer = next;
    },
    letGo(word = "accept") {
      for (const socket of waiting) socket.end(answerOf(word));
      waiting.clear();
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** The delay after each attempt: three attempts. */
export const LINE_WAITS_MS = [2_000, 4_000];
/** Much longer than a lease. */
const LINE_TIMEOUT_MS = 60_000;

/** @param ports the port of each queue that is enabled */
export function createLineReceiver(ports: ReadonlyMap<string, number>): Receiver {
  return {
    async open(_db, { queueId }) {
      const port = ports.get(queueId);
      return port === undefined ? undefined : openLine(port);
    },
    waits: LINE_WAITS_MS,
    longestWaitMs: 2 * Math.max(...LINE_WAITS_MS),
    attemptTimeoutMs: LINE_TIMEOUT_MS,
    slots: { first: 2, least: 1, most: 4 },
    claimsAhead: false,
    afterCrash: "unknown",
  };
}

const openLine = (port: number): OpenQueue => ({
  address: `line:${port}`,
  send: ({ data }, signal) => sendLine(port, JSON.parse(data).message.content, signal),
});

/**
 * ```
 * connecting --> written --(a line)--> accepted, refused, retry
 *     '--> retry     '--(cut, no time left, the signal)--> unknown
 * ```
 */
export function sendLine(port: number, line: string, signal: AbortSignal): Promise<SendResult> {
  const from = performance.now();
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let isWritten = false;
    let answer = "";
    const end = (result: Pick<SendResult, "error"> & Parameters<typeof resolved>[0]) => {
      signal.removeEventListener("abort", abort);
      socket.destroy();
      resolve(resolved(result));
    };
    const resolved = (result: {
      outcome: "accepted" | "refused" | "retry" | "unknown" | "aborted";
      error: string | null;
    }): SendResult => ({
      ...result,
      durationMs: Math.round(performance.now() - from),
      answer: answer === "" ? null : { status: null, head: null, body: null, result: JSON.stringify({ answer }) },
    });
    const abort = () =>
      end(isWritten ? { outcome: "unknown", error: "aborted" } : { outcome: "aborted", error: "stopped" });
    const lost = () => end(isWritten ? { outcome: "unknown", error: "cut" } : { outcome: "retry", error: "connect" });
    signal.addEventListener("abort", abort, { once: true });
    socket.setTimeout(LINE_TIMEOUT_MS, lost);
    socket.on("connect", () => {
      isWritten = true;
      socket.write(`${line}\n`);
    });
    socket.on("data", (chunk) => {
      answer += chunk;
      if (!answer.endsWith("\n")) return;
      answer = answer.trim();
      if (answer.startsWith(WORDS.accept)) end({ outcome: "accepted", error: null });
      else if (answer === WORDS.retry) end({ outcome: "retry", error: "later" });
      else end({ outcome: "refused", error: "refused" });
    });
    socket.on("error", lost);
    socket.on("close", lost);
  });
}
