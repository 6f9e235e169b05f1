import type { connectionChecks } from "@frontdesk/core/domain/ai/ai-settings";
import { estimateTokens } from "@frontdesk/core/domain/ai/estimate-tokens";
import type { ChatEnd, ModelClient, ModelConnection } from "./model-client.ts";
import { ModelFailure } from "./model-errors.ts";

export type ConnectionCheckName = (typeof connectionChecks)[number];

export interface ConnectionCheck {
  check: ConnectionCheckName;
  ok: boolean;
  /** One plain sentence that says what to do, or what was found. */
  message: string;
}

const HELLO = { messages: [{ role: "user", content: "Say hello in one word." }], maxTokens: 500 } as const;

/** What a turn can send: rules, articles, conversation, and its answer. */
export const CONTEXT_TOKENS = 12_000;
/** A server that counts less than this part of our estimate has not read all of it. Tokenisers differ by less. */
const COUNTED_AT_LEAST = 0.5;
/** Visitors wait longer than this only with typing shown. */
const SLOW_MS = 5_000;
const FILLER = "The museum opens at nine, and its garden has old trees, a pond and a small café by the gate. ";

/**
 * Tries a model with a few calls that cost about `contextTokens` tokens, and tells what was found. Nothing of a team is sent.
 * After a check that makes the others pointless, they are left out.
 *
 * @param code a random word that the model cannot guess
 */
export async function testModel(
  client: ModelClient,
  {
    connection,
    second,
    code,
    contextTokens = CONTEXT_TOKENS,
    signal,
  }: {
    connection: Pick<ModelConnection, "model" | "secondModel" | "embeddingModel">;
    /** Of the second model; undefined when there is none. */
    second?: ModelClient | undefined;
    code: string;
    contextTokens?: number;
    signal?: AbortSignal;
  },
): Promise<ConnectionCheck[]> {
  const { model, embeddingModel } = connection;
  const checks: ConnectionCheck[] = [];
  const say = (check: ConnectionCheckName, ok: boolean, message: string) => checks.push({ check, ok, message });
  const ending = signal ? { signal } : {};

  const listed = await orFailure(client.models(signal));
  if (listed instanceof ModelFailure) {
    say("reachable", false, advice(listed));
    return checks;
  }
  const isListed = listed?.some((name) => isSameModel(name, model));
  const hello = await orFailure(client.chat(HELLO, ending));
  if (hello instanceof ModelFailure && hello.status === null) {
    say("reachable", false, advice(hello));
    return checks;
  }
  say("reachable", true, "The server answers.");
  const spare = second && secondCheck(await orFailure(second.chat(HELLO, ending)), connection.secondModel ?? "");
  if (hello instanceof ModelFailure) {
    const names = listed?.slice(0, 10).join(", ");
    const known = isListed === false && names ? ` The server has: ${names}.` : "";
    say("model", false, `${advice(hello)}${known}`);
    if (spare) checks.push(spare);
    return checks;
  }
  say("model", true, `The model ${model} answers.`);
  say(
    "streams",
    true,
    hello.streamed
      ? "Answers arrive piece by piece."
      : "The server sends answers in one piece. They work, and drafts for agents appear all at once.",
  );
  const long = await orFailure(client.chat(longRequest(code, contextTokens), ending));
  checks.push(contextCheck(long, code, contextTokens));
  const timed = long instanceof ModelFailure ? hello : long;
  checks.push(speedCheck(timed.firstTextMs));
  if (spare) checks.push(spare);
  if (embeddingModel !== "") checks.push(embeddingCheck(await orFailure(client.embed(["one", "two"], signal))));
  return checks;
}

/** The code stands in front, which a server that cuts silently cuts off first. */
function longRequest(code: string, tokens: number) {
  const filler = FILLER.repeat(Math.ceil(tokens / estimateTokens(FILLER)));
  return {
    messages: [
      { role: "system", content: `The code is ${code}. You will be asked for it.\n\n${filler}` },
      { role: "user", content: "Reply with the code, and only with it." },
    ],
    maxTokens: 1_000,
  } as const;
}

function contextCheck(end: ChatEnd | ModelFailure, code: string, tokens: number): ConnectionCheck {
  const advised = `Give the model a context of at least ${tokens + 4_000} tokens (Ollama: OLLAMA_CONTEXT_LENGTH), or choose another one.`;
  const check = "context";
  if (end instanceof ModelFailure) {
    const isTooSlow = end.kind === "timeout";
    const message = isTooSlow
      ? "The model takes too long to read a long request: use a smaller model, or a faster machine."
      : `A long request fails (${withoutEnd(end.message)}). ${advised}`;
    return { check, ok: false, message };
  }
  const isCut = end.tokensFrom === "server" && end.tokensIn < tokens * COUNTED_AT_LEAST;
  if (isCut)
    return { check, ok: false, message: `The server reads only ${end.tokensIn} tokens of a long request. ${advised}` };
  if (!end.text.includes(code))
    return { check, ok: false, message: `The model does not see the beginning of a long request. ${advised}` };
  return { check, ok: true, message: `Requests of ${tokens} tokens are read in full.` };
}

function speedCheck(ms: number): ConnectionCheck {
  const seconds = (ms / 1_000).toFixed(1);
  const message =
    ms <= SLOW_MS
      ? `The first words come after ${seconds} seconds.`
      : `The first words come after ${seconds} seconds, which is slow: a smaller model or a faster server helps.`;
  return { check: "speed", ok: ms <= SLOW_MS, message };
}

/** How long a request it reads is the server's setting, or shows in its answers: it is asked no long one. */
function secondCheck(end: ChatEnd | ModelFailure, model: string): ConnectionCheck {
  const check = "second-model";
  if (end instanceof ModelFailure) return { check, ok: false, message: advice(end) };
  return { check, ok: true, message: `The model ${model} answers when the first one fails.` };
}

function embeddingCheck(vectors: Float32Array[] | ModelFailure): ConnectionCheck {
  const check = "embeddings";
  if (vectors instanceof ModelFailure)
    return { check, ok: false, message: `The embedding model does not work: ${advice(vectors)}` };
  return { check, ok: true, message: `The embedding model gives vectors of ${vectors[0]?.length ?? 0} numbers.` };
}

/** What went wrong, and what to do about it. */
function advice({ kind, status, message }: ModelFailure): string {
  const said = `${withoutEnd(message)}.`;
  if (status === 401 || status === 403) return `${said} Check the API key.`;
  if (status === 404) return `${said} Check the name of the model, and the base URL.`;
  if (kind === "unreachable" || kind === "timeout") return `${said} Check the base URL, and that the server runs.`;
  if (kind === "busy") return `${said} Check the limits and the credit of your account there, or try again later.`;
  if (kind === "failing") return `${said} Try again later.`;
  return said;
}

const withoutEnd = (sentence: string): string => sentence.replace(/[.!]+$/, "");

/** Google lists `models/NAME`, Ollama `NAME:latest`. */
function isSameModel(listed: string, model: string): boolean {
  const bare = (name: string) => name.replace(/^models\//, "").replace(/:latest$/, "");
  return bare(listed) === bare(model);
}

async function orFailure<T>(promise: Promise<T>): Promise<T | ModelFailure> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof ModelFailure && error.kind !== "aborted") return error;
    throw error;
  }
}
