import { estimateTokens } from "@frontdesk/core/domain/ai/estimate-tokens";
import type { StreamEnd, StreamHead, Streams } from "../../outbound/stream.ts";
import { answerReader, errorOf, type ReadAnswer } from "./answer-reader.ts";
import type { ChatEnd, ChatOptions, ChatRequest, ModelConnection } from "./model-client.ts";
import { ModelFailure, type ModelFailureKind, type ModelFailureParts } from "./model-errors.ts";
import { learnedQuirks, type ModelQuirks, type QuirkMemory, quirksOf, remember } from "./model-quirks.ts";

/** Until the first byte of an answer. */
export const FIRST_BYTE_MS = 10_000;
export const ANSWER_MAX_BYTES = 2 * 1_024 * 1_024;
/** More than any token has: a text of more is longer than it was allowed to be, and what reads it is made for short ones. */
const CHARACTERS_A_TOKEN = 32;
/** How much of an answer is kept for the log of runs. */
const EXCERPT_MAX = 4_096;
/** How much of a server's own words is shown. */
const WORDS_MAX = 200;
/** How many texts are sent at once, so that their vectors fit into an answer. */
export const EMBEDDED_AT_ONCE = 16;
/** A bound, a temperature, and being asked for usage can be refused, one after the other. */
const ADAPTIONS_MAX = 3;

export interface ChatParts {
  streams: Streams;
  memory: QuirkMemory;
  /** ms since 1970 */
  now: () => number;
  /** ms, by a clock that is never set back */
  steadyNow: () => number;
}

/**
 * One call of Chat Completions, without retries; what the server refuses of the request is left out, and remembered.
 *
 * @throws ModelFailure
 */
export async function chatOnce(
  parts: ChatParts,
  connection: ModelConnection,
  request: ChatRequest,
  { signal, onText, onSoFar }: ChatOptions & { signal: AbortSignal },
): Promise<ChatEnd> {
  const from = parts.steadyNow();
  let firstTextAt: number | undefined;
  const { read, body } = await adapting(parts, connection, async (quirks) => {
    const body = JSON.stringify(chatBody(connection, request, quirks));
    const reader = answerReader({
      beginsThinking: quirks.beginsThinking,
      textMax: request.maxTokens * CHARACTERS_A_TOKEN,
      onText(piece, soFar) {
        firstTextAt ??= parts.steadyNow();
        onText?.(piece);
        onSoFar?.(soFar);
      },
    });
    const call = { method: "POST", path: "/chat/completions", body, signal } as const;
    const answer = await send(parts, connection, call, reader.take);
    const hasBegun = onText !== undefined && firstTextAt !== undefined;
    const read = reader.end();
    if (read.beginsThinking && !quirks.beginsThinking)
      remember(parts.memory, connection, { ...quirks, beginsThinking: true });
    const problem = problemOf(read, answer);
    if (problem) throw failed(connection, { ...answer, body, hasBegun, usage: read.usage }, ...problem);
    return { read, body };
  });
  const milliseconds = Math.round(parts.steadyNow() - from);
  return {
    text: read.text,
    ...(read.usage
      ? { ...read.usage, tokensFrom: "server" }
      : { tokensIn: estimateOf(request), tokensOut: estimateTokens(read.text), tokensFrom: "estimate" }),
    finish: read.finish ?? "stop",
    request: body,
    milliseconds,
    firstTextMs: Math.round((firstTextAt ?? parts.steadyNow()) - from),
    streamed: read.streamed,
  };
}

/**
 * @param texts at most `EMBEDDED_AT_ONCE`
 * @throws ModelFailure
 */
export function embedOnce(
  parts: ChatParts,
  connection: ModelConnection,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const { embeddingModel: model } = connection;
  if (model === "") throw new ModelFailure({ kind: "rejected", message: "There is no embedding model." });
  return adapting(parts, { ...connection, model }, async (quirks) => {
    const format = quirks.takesEncodingFormat && { encoding_format: "float" };
    const body = JSON.stringify({ model, input: texts, ...format });
    const { answer, document } = await ask(parts, connection, { method: "POST", path: "/embeddings", body, signal });
    const vectors = vectorsOf(document, texts.length);
    if (!vectors) throw failed(connection, { ...answer, body }, "garbage", "The answer does not hold the vectors.");
    return vectors;
  });
}

/** The names that the server lists; undefined when it has no list. @throws ModelFailure */
export async function listModels(
  parts: ChatParts,
  connection: ModelConnection,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  try {
    const { document } = await ask(parts, connection, { method: "GET", path: "/models", body: "", signal });
    const { data } = (document ?? {}) as { data?: unknown };
    if (!Array.isArray(data)) return undefined;
    return data.flatMap((each) => (typeof each?.id === "string" ? [each.id as string] : []));
  } catch (error) {
    const hasNone = error instanceof ModelFailure && [404, 405, 501].includes(error.status ?? 0);
    if (hasNone) return undefined;
    throw error;
  }
}

function chatBody({ baseUrl, model }: ModelConnection, request: ChatRequest, quirks: ModelQuirks): object {
  const { messages, maxTokens, temperature } = request;
  return {
    ...{ model, messages, stream: true },
    ...(quirks.takesStreamOptions && { stream_options: { include_usage: true } }),
    [quirks.limitName]: maxTokens,
    ...(temperature !== undefined && quirks.takesTemperature && { temperature }),
    // No one but the team keeps its conversations. Other servers refuse what they do not know.
    ...(new URL(baseUrl).hostname === "api.openai.com" && { store: false }),
  };
}

/** Sends, and sends again without what was refused. */
async function adapting<T>(
  { memory }: ChatParts,
  connection: ModelConnection,
  attempt: (quirks: ModelQuirks) => Promise<T>,
): Promise<T> {
  for (let adaptions = 0; ; adaptions += 1) {
    const quirks = quirksOf(memory, connection);
    try {
      return await attempt(quirks);
    } catch (error) {
      const isRefusal = error instanceof ModelFailure && (error.status === 400 || error.status === 422);
      const learned = isRefusal && adaptions < ADAPTIONS_MAX ? learnedQuirks(quirks, error.response) : undefined;
      if (!learned) throw error;
      remember(memory, connection, learned);
    }
  }
}

interface Call {
  method: "GET" | "POST";
  path: string;
  body: string;
  signal: AbortSignal;
}

interface Answer {
  status: number;
  excerpt: string;
  end: StreamEnd;
}

/**
 * Sends one request. An answer 200 is taken by `take`.
 *
 * @throws ModelFailure for any other answer, and for none
 */
async function send(
  { streams, now }: ChatParts,
  connection: ModelConnection,
  { method, path, body, signal }: Call,
  take: (piece: Buffer) => "more" | "enough",
): Promise<Answer> {
  const { baseUrl, apiKey } = connection;
  if (!/^[\x21-\x7e]*$/.test(apiKey))
    throw new ModelFailure({ kind: "refused", message: "The key contains characters that no key has. Copy it again." });
  let head: StreamHead | undefined;
  const kept: Buffer[] = [];
  let keptBytes = 0;
  const end = await streams.stream({
    ...{ url: new URL(`${baseUrl.replace(/\/+$/, "")}${path}`), method, signal },
    ...{ firstByteMs: FIRST_BYTE_MS, maxBytes: ANSWER_MAX_BYTES },
    ...(method === "POST" && { body }),
    headers: {
      Accept: method === "POST" ? "text/event-stream, application/json" : "application/json",
      ...(method === "POST" && { "Content-Type": "application/json" }),
      ...(apiKey !== "" && { Authorization: `Bearer ${apiKey}` }),
      "User-Agent": "Frontdesk",
    },
    onHead(received) {
      head = received;
      return (piece) => {
        if (keptBytes < EXCERPT_MAX) kept.push(piece.subarray(0, EXCERPT_MAX - keptBytes));
        keptBytes += piece.byteLength;
        if (received.status === 200) return take(piece);
        return keptBytes < EXCERPT_MAX ? "more" : "enough";
      };
    },
  });
  const excerpt = Buffer.concat(kept).toString();
  if (!head) throw unanswered(connection, body, end);
  const answer = { status: head.status, excerpt, end };
  if (head.status === 200) return answer;
  const retryAfterMs = waitAskedFor(head.headers, now());
  throw failed(connection, { ...answer, body, retryAfterMs }, ...refusalOf(head.status, excerpt));
}

/** An answer that is one JSON document. */
async function ask(parts: ChatParts, connection: ModelConnection, call: Call) {
  const pieces: Buffer[] = [];
  const answer = await send(parts, connection, call, (piece) => {
    pieces.push(piece);
    return "more";
  });
  const problem = brokenOff(answer.end);
  if (problem) throw failed(connection, { ...answer, body: call.body }, ...problem);
  try {
    return { answer, document: JSON.parse(Buffer.concat(pieces).toString()) as unknown };
  } catch {
    throw failed(connection, { ...answer, body: call.body }, "garbage", NO_INTERFACE);
  }
}

const NO_INTERFACE = "The answer is none of the Chat Completions interface. Check the base URL; many end in /v1.";

type Problem = [kind: ModelFailureKind, message: string];

/** Why what was read is no answer to give; undefined when it is one. */
function problemOf(read: ReadAnswer, { end }: Answer): Problem | undefined {
  const { error, finish, garbage, hasEnd, isTooLong, refused, text } = read;
  if (error) {
    const kind = /^(429|.*rate_?limit.*)$/i.test(error.code) ? "busy" : "failing";
    return [kind, `The model server has told an error: ${shortened(error.message)}`];
  }
  if (isTooLong) return ["garbage", "The answer is much longer than was asked for."];
  const broken = hasEnd || end.outcome === "cut" ? undefined : brokenOff(end);
  if (broken) return broken;
  // What had begun when the connection broke off is no fault of its own.
  if (garbage && end.outcome !== "cut") return ["garbage", NO_INTERFACE];
  if (finish !== null && /length|max_tokens/.test(finish)) return ["length", "The answer was cut off by its length."];
  if (refused || (finish !== null && /filter|safety|prohibited|blocklist|recitation/.test(finish)))
    return ["filtered", "The answer was withheld by the model server's filter."];
  if (finish === "error") return ["failing", "The model server has ended the answer with an error."];
  if (!hasEnd) return ["cut", "The answer broke off."];
  return text === "" ? ["empty", "The answer is empty."] : undefined;
}

function brokenOff({ outcome }: StreamEnd): Problem | undefined {
  switch (outcome) {
    case "complete":
      return undefined;
    case "too-long":
      return ["garbage", "The answer is longer than 2 MiB."];
    case "timeout":
      return ["timeout", `The model server has not begun its answer within ${FIRST_BYTE_MS / 1_000} seconds.`];
    case "aborted":
      return ["aborted", "The call was ended."];
    case "cut":
    case "failed":
      return ["cut", "The answer broke off."];
    default:
      return outcome satisfies never;
  }
}

function refusalOf(status: number, excerpt: string): Problem {
  const words = wordsOf(excerpt);
  const said = `The model server answers ${status}${words && `: ${words}`}`;
  if (status < 200 || (status > 200 && status < 300)) return ["garbage", NO_INTERFACE];
  if (status < 400) return ["garbage", `${said}. Redirects are not followed; enter the address that it leads to.`];
  if ([401, 403, 404].includes(status)) return ["refused", said];
  if (status === 429) return ["busy", said];
  return [status >= 500 || status === 408 ? "failing" : "rejected", said];
}

function unanswered(connection: ModelConnection, body: string, end: StreamEnd): ModelFailure {
  const error = end.outcome === "failed" ? end.error : "reset";
  const parts = { request: body };
  switch (error) {
    case "timeout":
    case "aborted": {
      const [kind, message] = brokenOff({ outcome: error }) as Problem;
      return new ModelFailure({ kind, message, ...parts });
    }
    case "blocked_address": {
      const isPlain = connection.baseUrl.startsWith("http:");
      const way = isPlain ? "Use https, or ask" : "Ask";
      const message = `The address is not one of the public internet. ${way} the operator of this server to list it in AI_ALLOWED_NETWORKS.`;
      return new ModelFailure({ kind: "blocked", message, ...parts });
    }
    case "dns":
      return new ModelFailure({ kind: "unreachable", message: "The host of the base URL has no address.", ...parts });
    case "connect":
      return new ModelFailure({ kind: "unreachable", message: "No server answers at the base URL.", ...parts });
    case "tls":
      return new ModelFailure({ kind: "unreachable", message: "The server's certificate is not trusted.", ...parts });
    case "reset":
      return new ModelFailure({ kind: "unreachable", message: "The server has closed the connection.", ...parts });
    case "protocol":
      return new ModelFailure({ kind: "garbage", message: NO_INTERFACE, ...parts });
    default:
      return error satisfies never;
  }
}

function failed(
  { apiKey }: ModelConnection,
  answer: Pick<Answer, "status" | "excerpt"> & { body: string } & Pick<
      ModelFailureParts,
      "retryAfterMs" | "hasBegun" | "usage"
    >,
  kind: ModelFailureKind,
  message: string,
): ModelFailure {
  const { status, excerpt, body, ...rest } = answer;
  // A server may repeat the key in its words.
  const withoutKey = (text: string) => (apiKey === "" ? text : text.replaceAll(apiKey, "…"));
  return new ModelFailure({
    ...{ kind, message: withoutKey(message), status, request: body, response: withoutKey(excerpt) },
    ...{ retryAfterMs: rest.retryAfterMs ?? null, hasBegun: rest.hasBegun ?? false, usage: rest.usage ?? null },
  });
}

/** What an error's body says, in a line. */
function wordsOf(excerpt: string): string {
  try {
    const parsed: unknown = JSON.parse(excerpt);
    // Google wraps it in a list.
    const answer = Array.isArray(parsed) ? parsed[0] : parsed;
    return shortened(errorOf({ ...answer })?.message ?? "");
  } catch {
    return "";
  }
}

const shortened = (text: string): string => text.replace(/\s+/g, " ").trim().slice(0, WORDS_MAX);

/** ms: `retry-after-ms` of OpenAI and Azure, `Retry-After` in seconds or as a date. */
function waitAskedFor(headers: StreamHead["headers"], now: number): number | null {
  const ms = Number(headers["retry-after-ms"] ?? Number.NaN);
  if (ms >= 0) return ms;
  const text = headers["retry-after"];
  if (text === undefined) return null;
  const wait = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isFinite(wait) ? Math.max(0, wait) : null;
}

function estimateOf({ messages }: ChatRequest): number {
  return estimateTokens(messages.map(({ content }) => content).join("\n"));
}

/** As many vectors as were asked for, in the order of the texts; undefined for anything else. */
function vectorsOf(document: unknown, count: number): Float32Array[] | undefined {
  const { data } = (document ?? {}) as { data?: unknown };
  if (!Array.isArray(data) || data.length !== count) return undefined;
  const vectors: (Float32Array | undefined)[] = Array.from({ length: count });
  for (const [position, each] of data.entries()) {
    const { index = position, embedding } = (each ?? {}) as { index?: number; embedding?: unknown };
    const isVector = Array.isArray(embedding) && embedding.length > 0 && embedding.every(Number.isFinite);
    if (isVector && index in vectors) vectors[index] = Float32Array.from(embedding);
  }
  const isWhole = vectors.every((vector) => vector !== undefined && vector.length === vectors[0]?.length);
  return isWhole ? (vectors as Float32Array[]) : undefined;
}
