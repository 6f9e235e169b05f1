/**
 * A model server with fixed delays, in a process of its own. It says when each question has come in whole, and when the last byte of
 * its answer went out. A mark in its text says which question it is.
 */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { wallClock } from "./wall-clock.ts";
import { takeCommands } from "./worker-process.ts";

export interface ModelDelays {
  /** Until the first byte of an answer. */
  firstByteMs: number;
  /** From there to its last byte. */
  answerMs: number;
  /** Until the vectors of a request are there. */
  embedMs: number;
}

/** Times of a question: `wallClock`. */
export interface Taken {
  askedAt: number;
  lastByteAt: number;
  /** Bytes of the request. */
  size: number;
}

export type ModelCommands = {
  /** Resolves to its port. */
  listen(delays: ModelDelays): Promise<number>;
  /** By the mark of their last message, since the last call. */
  taken(): Record<string, Taken>;
  /** How many texts it has made vectors of. */
  embedded(): number;
};

const PIECES = 20;
const SIZE = 512;
/** `qa` and some letters: digits would be figures, which an answer must not have by itself. */
const MARK = /\bqa[a-z]{4,}\b/g;

let taken: Record<string, Taken> = {};
let embedded = 0;

takeCommands<ModelCommands>({
  async listen(delays) {
    const server = createServer((request, response) => {
      void textOf(request).then((body) => answer(delays, String(request.url), body, response));
    });
    server.keepAliveTimeout = 60_000;
    await once(server.listen(0, "127.0.0.1"), "listening");
    return (server.address() as AddressInfo).port;
  },
  taken() {
    const all = taken;
    taken = {};
    return all;
  },
  embedded: () => embedded,
});

async function answer(delays: ModelDelays, url: string, body: string, response: ServerResponse): Promise<void> {
  const askedAt = wallClock();
  if (url.endsWith("/embeddings")) return embed(delays, JSON.parse(body).input, response);
  const mark = body.match(MARK)?.at(-1) ?? "";
  const { firstByteMs, answerMs } = delays;
  await wait(firstByteMs);
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  const text = `ANSWER\nThe article about it tells all that is known of ${mark} and of its parts [1].`;
  const step = Math.ceil(text.length / PIECES);
  for (let piece = 0; piece < PIECES; piece += 1) {
    await wait(answerMs / PIECES);
    response.write(chunk({ content: text.slice(piece * step, (piece + 1) * step) }));
  }
  response.end(`${chunk({}, "stop")}data: [DONE]\n\n`);
  taken[mark] = { askedAt, lastByteAt: wallClock(), size: body.length };
}

function chunk(delta: object, finish_reason: string | null = null): string {
  return `data: ${JSON.stringify({ object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
}

/** Vectors without a meaning, but of the size of real ones. */
async function embed({ embedMs }: ModelDelays, input: string | string[], response: ServerResponse): Promise<void> {
  const texts = [input].flat();
  await wait(embedMs);
  const data = texts.map((text, index) => ({ object: "embedding", index, embedding: numbersOf(text) }));
  embedded += texts.length;
  response.writeHead(200, { "Content-Type": "application/json" });
  response.end(JSON.stringify({ object: "list", data, usage: { prompt_tokens: 8, total_tokens: 8 } }));
}

function numbersOf(text: string): number[] {
  let state = text.length;
  for (const letter of text) state = (Math.imul(state, 31) + letter.charCodeAt(0)) >>> 0;
  return Array.from({ length: SIZE }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  });
}
