/**
 * The subscriber of the webhook benchmarks, in a separate process: HTTPS that reads only the necessary part of a delivery,
 * records its arrival, and answers as configured. Written on bare TLS, since a web server would cost as much as the measured
 * service.
 */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer, type TLSSocket } from "node:tls";
import { wallClock } from "./wall-clock.ts";
import { takeCommands } from "./worker-process.ts";

/** An accepted delivery: answered with 2xx. */
export interface Note {
  eventId: string;
  webhookId: string;
  /** Empty for events without a message. */
  messageId: string;
  /** As in the envelope, ISO 8601. */
  occurredAt: string;
  /** When its last byte arrived (`wallClock`). */
  arrivedAt: number;
}

export interface Notes {
  /** In the order of arrival. */
  notes: Note[];
  /** Deliveries that were answered otherwise. */
  refused: number;
  /** Most deliveries that waited for their answer at the same time. */
  mostInFlight: number;
}

export type ReceiverCommands = {
  /** Resolves to the port. `key`, `cert`: PEM. */
  listen(certificate: { key: string; cert: string }): Promise<number>;
  /** Sets the answer from now on. At first 200 at once. */
  answerWith(answer: { status: number; afterMs: number }): void;
  /**
   * Waits for this many different deliveries (or refused ones); false when none of them has arrived for `quietMs`.
   * `occurredUntil`: counts only events until then, ISO 8601.
   */
  expect(what: { deliveries?: number; refused?: number; occurredUntil?: string; quietMs: number }): Promise<boolean>;
  /** The body of the last delivery. */
  lastBody(): string;
  /** The records since the last call. */
  takeNotes(): Notes;
};

const LOOK_MS = 20;

let answer = { status: 200, afterMs: 0 };
let seen = nothing();
let lastBody = "";
let inFlight = 0;

takeCommands<ReceiverCommands>({
  async listen(certificate) {
    const server = createServer(certificate, receive);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  },
  answerWith: (next) => {
    answer = next;
  },
  expect: ({ deliveries = 0, refused = 0, occurredUntil, quietMs }) =>
    new Promise((resolve) => {
      const different = new Set<string>();
      let looked = 0;
      let counted = 0;
      let countedAt = wallClock();
      const timer = setInterval(() => {
        for (; looked < seen.notes.length; looked += 1) {
          const { eventId, webhookId, occurredAt } = seen.notes[looked] as Note;
          if (!occurredUntil || occurredAt <= occurredUntil) different.add(`${eventId} ${webhookId}`);
        }
        if (different.size + seen.refused > counted) countedAt = wallClock();
        counted = different.size + seen.refused;
        const isThere = different.size >= deliveries && seen.refused >= refused;
        if (!isThere && wallClock() - countedAt < quietMs) return;
        clearInterval(timer);
        resolve(isThere);
      }, LOOK_MS);
    }),
  lastBody: () => lastBody,
  takeNotes() {
    const taken = seen;
    seen = nothing();
    return taken;
  },
});

function nothing(): Notes {
  return { notes: [], refused: 0, mostInFlight: 0 };
}

/** Reads requests with a Content-Length, one after the other. */
function receive(socket: TLSSocket): void {
  let received = "";
  socket.setNoDelay();
  socket.setEncoding("latin1");
  socket.on("error", () => {});
  socket.on("data", (chunk) => {
    received += chunk;
    const headEnd = received.indexOf("\r\n\r\n");
    if (headEnd < 0) return;
    const head = received.slice(0, headEnd);
    const length = Number(headerOf(head, LENGTH));
    if (received.length < headEnd + 4 + length) return;
    take(socket, head, received.slice(headEnd + 4));
    received = "";
  });
}

function take(socket: TLSSocket, head: string, body: string): void {
  const arrivedAt = wallClock();
  lastBody = body;
  inFlight += 1;
  seen.mostInFlight = Math.max(seen.mostInFlight, inFlight);
  const { status, afterMs } = answer;
  if (status === 200) {
    seen.notes.push({
      eventId: headerOf(head, EVENT_ID),
      webhookId: headerOf(head, WEBHOOK_ID),
      messageId: valueAfter(body, '"message":{"id":"'),
      occurredAt: valueAfter(body, '"occurred_at":"'),
      arrivedAt,
    });
  } else {
    seen.refused += 1;
  }
  const reply = () => {
    inFlight -= 1;
    socket.write(`HTTP/1.1 ${status} Noted\r\nContent-Length: 0\r\n\r\n`);
  };
  if (afterMs === 0) reply();
  else setTimeout(reply, afterMs);
}

const LENGTH = /\r\ncontent-length: (\d+)/i;
const EVENT_ID = /\r\nwebhook-id: ([^\r]+)/i;
const WEBHOOK_ID = /\r\nx-service-webhook-id: ([^\r]+)/i;

const headerOf = (head: string, pattern: RegExp): string => pattern.exec(head)?.[1] ?? "";

/** Up to the next quotation mark. */
function valueAfter(body: string, key: string): string {
  const start = body.indexOf(key);
  return start < 0 ? "" : body.slice(start + key.length, body.indexOf('"', start + key.length));
}
