/** Visitors with their live streams, who ask the AI and say when they saw what; and the same of the floor. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { WebSocket } from "ws";
import { wallClock } from "./wall-clock.ts";
import { takeCommands } from "./worker-process.ts";

export interface VisitorsSpec {
  port: number;
  widgetId: string;
  tokens: readonly string[];
}

/** Times: `wallClock`. */
export interface Seen {
  mark: string;
  /** When the message counts as written, by the service. */
  writtenAt: number;
  /** When the AI was first seen to type after it. */
  typingAt: number;
  answeredAt: number;
}

export interface MarkedQuestion {
  text: string;
  mark: string;
}

/** `together`: all ask in the same moment. `apart`: each begins some time within two seconds. */
export type Pace = "together" | "apart";

export type VisitorsCommands = {
  /** Resolves when all streams are ready. */
  connect(spec: VisitorsSpec): Promise<void>;
  /** The visitors ask at the same time, each one question after the other; resolves when all have their answers. */
  ask(what: { questions: readonly MarkedQuestion[][]; pace: Pace }): Promise<Seen[]>;
  /** The same of the bare proxy, with bodies of this size. */
  askFloor(what: { port: number; questions: readonly MarkedQuestion[][]; pace: Pace; size: number }): Promise<Seen[]>;
  leave(): void;
};

const ANSWERED_MS = 20_000;
const START_MS = 2_000;
/** So that visitors do not fall into step. */
const BETWEEN_MS = 500;

interface Visitor {
  token: string;
  n: number;
  socket: WebSocket;
  hear: (frame: LiveFrame) => void;
}

interface LiveFrame {
  type: string;
  by_ai?: boolean;
  typing?: boolean;
  text: string;
}

let visitors: Visitor[] = [];
let place: VisitorsSpec;
const agent = new Agent({ keepAlive: true });

takeCommands<VisitorsCommands>({
  async connect(spec) {
    place = spec;
    visitors = await Promise.all(spec.tokens.map(open));
  },
  ask: ({ questions, pace }) =>
    atPace(questions, pace, (question, visitor) => askAs(visitors[visitor] as Visitor, question)),
  askFloor: ({ port, questions, pace, size }) => atPace(questions, pace, ({ mark }) => askFloor(port, mark, size)),
  leave() {
    for (const { socket } of visitors) socket.terminate();
    visitors = [];
  },
});

async function atPace(
  questions: readonly MarkedQuestion[][],
  pace: Pace,
  ask: (question: MarkedQuestion, visitor: number) => Promise<Seen>,
): Promise<Seen[]> {
  const all = await Promise.all(
    questions.map(async (own, visitor) => {
      const seen: Seen[] = [];
      for (const question of own) {
        if (pace === "apart") await wait(Math.random() * (seen.length === 0 ? START_MS : BETWEEN_MS));
        seen.push(await ask(question, visitor));
      }
      return seen;
    }),
  );
  return all.flat();
}

async function open(token: string, n: number): Promise<Visitor> {
  const socket = new WebSocket(`ws://127.0.0.1:${place.port}/live`, { perMessageDeflate: false });
  const visitor: Visitor = { token, n, socket, hear: () => {} };
  await once(socket, "open");
  const ready = Promise.withResolvers<void>();
  socket.on("message", (data) => {
    const text = data.toString();
    const frame = JSON.parse(text);
    if (frame.type === "ready") ready.resolve();
    visitor.hear({ ...frame, text });
  });
  socket.send(JSON.stringify({ type: "hello", since: null, epoch: null, token, widget_id: place.widgetId }));
  await ready.promise;
  return visitor;
}

async function askAs(visitor: Visitor, { text: question, mark }: MarkedQuestion): Promise<Seen> {
  const seen: Seen = { mark, writtenAt: 0, typingAt: 0, answeredAt: 0 };
  const answered = Promise.withResolvers<void>();
  visitor.hear = ({ type, by_ai, typing, text }) => {
    if (type === "typing" && by_ai && typing) seen.typingAt ||= wallClock();
    if (type !== "event" || !text.includes('"by_ai":true') || !text.includes(mark)) return;
    seen.answeredAt = wallClock();
    answered.resolve();
  };
  seen.writtenAt = await write(visitor, `${question} ${mark}`);
  const late = setTimeout(() => answered.reject(new Error(`${mark} was not answered.`)), ANSWERED_MS);
  await answered.promise;
  clearTimeout(late);
  return seen;
}

async function write({ token, n }: Visitor, content: string): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${place.port}/visitor/${place.widgetId}/messages`, {
    method: "POST",
    headers: {
      ...{ authorization: `Bearer ${token}`, "content-type": "application/json" },
      "x-forwarded-for": `10.${Math.floor(n / 250)}.${n % 250}.1`,
    },
    body: JSON.stringify({ client_id: randomUUID(), content }),
  });
  if (answer.status !== 201) throw new Error(`A visitor was refused: ${answer.status}`);
  const { message } = (await answer.json()) as { message: { created_at: string } };
  return Date.parse(message.created_at);
}

function askFloor(port: number, mark: string, size: number): Promise<Seen> {
  const writtenAt = wallClock();
  return new Promise((resolve, reject) => {
    const asked = request({ port, host: "127.0.0.1", method: "POST", path: "/", agent }, (response) => {
      response.resume();
      response.on("end", () => resolve({ mark, writtenAt, typingAt: 0, answeredAt: wallClock() }));
    });
    asked.on("error", reject);
    asked.end(JSON.stringify({ filled: "x".repeat(size), mark }));
  });
}
