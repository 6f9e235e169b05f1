/**
 * A model server with real sockets, for tests and for people without a model. It answers from the request it received
 * (`scripted-answer.ts`), records what it received, and fails in the ways that servers do.
 */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { type PromptMessage, type Speaker, scriptedAnswer } from "./scripted-answer.ts";
import { encodeSentences } from "./sentence-encoder.ts";

/**
 * Those of `scripted-answer.ts`, and servers that fail:
 * - `slow`: the first byte after `delayMs` · `halting`: `thorough`, and stops for `delayMs` on its way
 * - `silent`: takes the request and never answers · `drip`: a few bytes at a time, no end
 * - `cut`: the connection ends within the answer · `garbage`: no answer of this interface · `gigabyte`: an answer without an end
 */
export type Persona = Speaker | "slow" | "halting" | "silent" | "drip" | "cut" | "garbage" | "gigabyte";

/** What a server does otherwise than the interface says. */
export interface VendorQuirks {
  /** Reasoning models of OpenAI: 400 for the fields, one at a time. */
  refusesMaxTokens?: boolean;
  refusesTemperature?: boolean;
  /** Answers with one JSON document. */
  doesNotStream?: boolean;
  /** Thinks aloud: in a block, or without the opening tag. */
  thinks?: "block" | "unopened" | "field";
  crlf?: boolean;
  comments?: boolean;
  withoutDone?: boolean;
  withoutUsage?: boolean;
  /** What `finish_reason` says at the end. */
  finish?: string | null;
  /** Ollama: keeps only the last so many tokens of a prompt, and says so nowhere. */
  contextTokens?: number;
  /** Each byte is written alone. */
  byteByByte?: boolean;
  /** Longer texts to embed are refused, with all that were sent beside them, with 400 or as `refusesWith` says. */
  textMax?: number;
  /** The same for texts that hold this word. */
  refusesWord?: string;
  refusesWith?: number;
  /** Takes texts to embed, and never answers. */
  hangsOnTexts?: boolean;
}

export interface ScriptedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** As received. */
  raw: string;
  /** Parsed; null for GET. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it
  body: any;
}

export interface ScriptedModel {
  /** Ends in /v1. */
  url: string;
  requests: ScriptedRequest[];
  /** @param model only of this one */
  setPersona(persona: Persona, model?: string): void;
  setQuirks(quirks: VendorQuirks): void;
  /** The next requests are answered with this status; `retryAfter` in seconds. */
  failNext(status: number, options?: { times?: number; retryAfter?: number; message?: string }): void;
  /** The next answers, word by word, instead of those by rules. */
  answerNext(...texts: string[]): void;
  /** The next question waits for its answer until `go` is called; or the next texts to embed. */
  holdNext(what?: "question" | "texts"): HeldQuestion;
  /** The next answer with more characters than that stops behind them until `go` is called; `asked`: they are sent. */
  pauseNext(after: number): HeldQuestion;
  /** What was told to come next, and has not, comes no more. */
  forget(): void;
  stop(): Promise<void>;
}

export interface HeldQuestion {
  /** It is here. */
  asked: Promise<void>;
  go(): void;
}

/** What a server is set to, and what waits to be answered otherwise. */
interface Script {
  persona: Persona;
  /** Of single models. */
  personas: Map<string, Persona>;
  quirks: VendorQuirks;
  models: readonly string[];
  embeddingModel: string;
  apiKey: string;
  delayMs: number;
  requests: ScriptedRequest[];
  failures: { status: number; retryAfter: number | undefined; message: string }[];
  texts: string[];
  holds: Hold[];
  heldTexts: Hold[];
  pauses: (Hold & { after: number })[];
}

interface Hold {
  arrived(): void;
  gone: Promise<void>;
}

/**
 * @param options.apiKey when set, any other key is refused
 * @param options.secondModel another one that it has
 */
export async function startScriptedModel({
  persona = "honest",
  model = "scripted",
  secondModel = "",
  embeddingModel = "use-lite-en",
  apiKey = "",
  delayMs = 3_000,
  port = 0,
  host = "127.0.0.1",
  quirks = {},
}: {
  persona?: Persona;
  model?: string;
  secondModel?: string;
  embeddingModel?: string;
  apiKey?: string;
  delayMs?: number;
  port?: number;
  host?: string;
  quirks?: VendorQuirks;
} = {}): Promise<ScriptedModel> {
  const requests: ScriptedRequest[] = [];
  const script: Script = {
    ...{ persona, personas: new Map(), quirks, embeddingModel, apiKey, delayMs },
    ...{ models: [model, secondModel].filter((name) => name !== ""), requests },
    ...{ failures: [], texts: [], holds: [], heldTexts: [], pauses: [] },
  };
  const sockets = new Set<Socket>();
  const server = createServer(
    (incoming, response) => void take(script, incoming, response).catch(() => response.destroy()),
  );
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(port, host);
  await once(server, "listening");
  const { port: listened } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${listened}/v1`,
    requests,
    setPersona(next, of) {
      if (of !== undefined) return void script.personas.set(of, next);
      script.personas.clear();
      script.persona = next;
    },
    setQuirks: (next) => {
      script.quirks = next;
    },
    failNext(status, { times = 1, retryAfter, message = `scripted ${status}` } = {}) {
      for (let time = 0; time < times; time += 1) script.failures.push({ status, retryAfter, message });
    },
    answerNext: (...next) => void script.texts.push(...next),
    holdNext: (what = "question") => hold((held) => void script[what === "texts" ? "heldTexts" : "holds"].push(held)),
    pauseNext: (after) => hold((held) => void script.pauses.push({ ...held, after })),
    forget() {
      const { failures, texts, holds, heldTexts, pauses } = script;
      for (const each of [failures, texts, holds, heldTexts, pauses]) each.length = 0;
    },
    async stop() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function hold(add: (held: Hold) => void): HeldQuestion {
  const [asked, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  add({ arrived: asked.resolve, gone: gone.promise });
  return { asked: asked.promise, go: gone.resolve };
}

async function take(script: Script, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const raw = await textOf(incoming);
  const body = raw === "" ? null : JSON.parse(raw);
  const path = String(incoming.url);
  const { requests, failures, apiKey, models, embeddingModel, quirks } = script;
  requests.push({ method: String(incoming.method), path, headers: incoming.headers, raw, body });
  const failure = failures.shift();
  if (failure) {
    const { status, retryAfter, message } = failure;
    if (retryAfter !== undefined) response.setHeader("Retry-After", String(retryAfter));
    return refuse(response, status, message);
  }
  if (apiKey !== "" && incoming.headers.authorization !== `Bearer ${apiKey}`)
    return refuse(response, 401, "Incorrect API key provided.");
  if (path === "/v1/models")
    return json(response, 200, {
      object: "list",
      data: [...models, embeddingModel].map((id) => ({ id, object: "model" })),
    });
  if (path === "/v1/embeddings") return embed(script, response, body);
  if (path !== "/v1/chat/completions") return refuse(response, 404, "Unknown address.");
  if (!models.includes(body.model)) return refuse(response, 404, `The model '${body.model}' does not exist.`);
  if (quirks.refusesMaxTokens && "max_tokens" in body)
    return refuse(
      response,
      400,
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    );
  if (quirks.refusesTemperature && "temperature" in body)
    return refuse(response, 400, "Unsupported value: 'temperature' does not support 0.2 with this model.");
  const held = script.holds.shift();
  held?.arrived();
  await held?.gone;
  await chat(script, response, body);
}

async function embed(
  { embeddingModel, quirks, heldTexts }: Script,
  response: ServerResponse,
  body: { model: string; input: string | string[] },
): Promise<void> {
  if (body.model !== embeddingModel) return refuse(response, 404, `The model '${body.model}' does not exist.`);
  const texts = [body.input].flat();
  const { textMax = Number.POSITIVE_INFINITY, refusesWord, refusesWith = 400, hangsOnTexts } = quirks;
  if (hangsOnTexts) return;
  const isTaken = (text: string) => text.length <= textMax && !(refusesWord && text.includes(refusesWord));
  if (!texts.every(isTaken)) return refuse(response, refusesWith, "The input is longer than the model's context.");
  const held = heldTexts.shift();
  held?.arrived();
  await held?.gone;
  const vectors = await encodeSentences(texts);
  const data = vectors.map((vector, index) => ({ object: "embedding", index, embedding: [...vector] }));
  json(response, 200, { object: "list", model: embeddingModel, data, usage: { prompt_tokens: 8, total_tokens: 8 } });
}

async function chat(script: Script, response: ServerResponse, body: ChatBody): Promise<void> {
  const persona = script.personas.get(body.model) ?? script.persona;
  switch (persona) {
    case "silent":
      return;
    case "garbage":
      return void response
        .writeHead(200, { "Content-Type": "text/html" })
        .end("<!doctype html><p>Welcome to nginx!</p>");
    case "gigabyte":
      return flood(response);
    case "drip":
      return drip(response);
    case "slow":
      await new Promise((resolve) => setTimeout(resolve, script.delayMs));
      return speak(script, response, body, "honest");
    case "halting":
      return speak(script, response, body, "thorough", { haltMs: script.delayMs });
    case "cut":
      return speak(script, response, body, "honest", { cut: true });
    case "honest":
    case "thorough":
    case "forgetful":
    case "liar":
    case "obedient":
    case "rambler":
    case "searcher":
      return speak(script, response, body, persona);
    default:
      return persona satisfies never;
  }
}

async function speak(
  script: Script,
  response: ServerResponse,
  body: ChatBody,
  speaker: Speaker,
  { cut = false, haltMs = 0 } = {},
): Promise<void> {
  const { quirks, texts, pauses } = script;
  const { messages, promptTokens } = seen(quirks, body.messages);
  const whole = texts.shift() ?? scriptedAnswer(messages, speaker);
  const most = (body.max_tokens ?? body.max_completion_tokens ?? 4_096) * CHARACTERS_A_TOKEN;
  const text = whole.slice(0, most);
  const finish = whole.length > most ? "length" : quirks.finish === undefined ? "stop" : quirks.finish;
  const usage = {
    prompt_tokens: promptTokens,
    completion_tokens: tokensOf(text),
    total_tokens: promptTokens + tokensOf(text),
  };
  const spoken =
    quirks.thinks === "block"
      ? `<think>What is asked?</think>\n${text}`
      : quirks.thinks === "unopened"
        ? `What is asked?</think>\n${text}`
        : text;
  const about = { id: "chatcmpl-scripted", created: 1_700_000_000, model: body.model };
  if (quirks.doesNotStream || body.stream !== true) {
    const message = { role: "assistant", content: spoken };
    const choices = [{ index: 0, message, finish_reason: finish }];
    return json(response, 200, {
      ...about,
      object: "chat.completion",
      choices,
      ...(!quirks.withoutUsage && { usage }),
    });
  }
  const chunk = (delta: object, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ ...about, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] })}`;
  const events = [
    chunk({ role: "assistant", content: "" }),
    ...(quirks.thinks === "field" ? [chunk({ reasoning_content: "What is asked?" })] : []),
    ...piecesOf(spoken).map((content) => chunk({ content })),
  ];
  const ending = [
    ...(quirks.finish === null ? [] : [chunk({}, finish)]),
    ...(quirks.withoutUsage
      ? []
      : [`data: ${JSON.stringify({ ...about, object: "chat.completion.chunk", choices: [], usage })}`]),
    ...(quirks.withoutDone ? [] : ["data: [DONE]"]),
  ];
  const comments = quirks.comments ? [": PROCESSING"] : [];
  const newline = quirks.crlf ? "\r\n" : "\n";
  const lines = [
    ...comments,
    ...events.slice(0, cut ? Math.ceil(events.length / 2) : events.length),
    ...(cut ? [] : ending),
  ];
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  const [pause] = pauses;
  if (pause && text.length > pause.after) {
    pauses.shift();
    const before = lines.splice(0, comments.length + Math.ceil(pause.after / CHARACTERS_A_CHUNK) + 1);
    response.write(before.map((line) => line + newline + newline).join(""));
    pause.arrived();
    await pause.gone;
  }
  if (haltMs > 0) {
    const before = lines.splice(0, Math.ceil(lines.length * HALT_AT));
    response.write(before.map((line) => line + newline + newline).join(""));
    await new Promise((resolve) => setTimeout(resolve, haltMs));
  }
  const bytes = Buffer.from(lines.map((line) => line + newline + newline).join(""));
  if (quirks.byteByByte) for (const byte of bytes) response.write(Buffer.of(byte));
  else response.write(bytes);
  if (cut) setImmediate(() => response.socket?.destroySoon());
  else response.end();
}

/** What a server with a short context has left of a prompt, and what it counts. */
function seen(
  quirks: VendorQuirks,
  messages: readonly PromptMessage[],
): { messages: readonly PromptMessage[]; promptTokens: number } {
  const promptTokens = messages.reduce((sum, { content }) => sum + tokensOf(content), 0);
  const most = quirks.contextTokens ?? Number.POSITIVE_INFINITY;
  if (promptTokens <= most) return { messages, promptTokens };
  const last = messages.at(-1) as PromptMessage;
  const content = last.content.slice(-most * CHARACTERS_A_TOKEN);
  return { messages: [{ role: last.role, content }], promptTokens: most };
}

interface ChatBody {
  model: string;
  messages: PromptMessage[];
  max_tokens?: number;
  max_completion_tokens?: number;
  stream?: boolean;
}

/** The part of an answer before a halt. */
const HALT_AT = 0.6;
const CHARACTERS_A_CHUNK = 24;
const piecesOf = (text: string): string[] => text.match(new RegExp(`[\\s\\S]{1,${CHARACTERS_A_CHUNK}}`, "gu")) ?? [];
const CHARACTERS_A_TOKEN = 4;
const tokensOf = (text: string): number => Math.ceil(text.length / CHARACTERS_A_TOKEN);

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}

function refuse(response: ServerResponse, status: number, message: string): void {
  json(response, status, { error: { message, type: "scripted", code: null, param: null } });
}

const PIECE = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "on and on " }, finish_reason: null }] })}\n\n`;

function flood(response: ServerResponse): void {
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  const some = PIECE.repeat(500);
  const send = () => {
    while (!response.destroyed && response.write(some));
  };
  response.on("drain", send);
  send();
}

function drip(response: ServerResponse): void {
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  let sent = 0;
  const timer = setInterval(() => {
    response.write(PIECE.slice(sent, sent + 3) || ": ");
    sent += 3;
  }, 20);
  response.once("close", () => clearInterval(timer));
}
