import { estimateTokens } from "@frontdesk/core/domain/ai/estimate-tokens";
import { type ConnectionCheckName, type ConnectionFinding, finding } from "@frontdesk/core/domain/ai/model-findings";
import type { ChatEnd, ModelClient, ModelConnection } from "./model-client.ts";
import { ModelFailure } from "./model-errors.ts";

const HELLO = { messages: [{ role: "user", content: "Say hello in one word." }], maxTokens: 500 } as const;

/** What a turn can send: rules, articles, conversation, and its answer. */
export const CONTEXT_TOKENS = 12_000;
/** A server that counts less than this part of our estimate has not read all of it. Tokenisers differ by less. */
const COUNTED_AT_LEAST = 0.5;
/** Visitors wait longer than this only with typing shown. */
const SLOW_MS = 5_000;
/** Besides what is sent: the answer, and what an estimate is too low for. */
const MORE_TOKENS = 4_000;
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
): Promise<ConnectionFinding[]> {
  const { model, embeddingModel } = connection;
  const found: ConnectionFinding[] = [];
  const ending = signal ? { signal } : {};

  const listed = await orFailure(client.models(signal));
  if (listed instanceof ModelFailure) return [failed("reachable", listed)];
  const hello = await orFailure(client.chat(HELLO, ending));
  // One that takes a question and is too slow has been reached.
  const isReached = !(hello instanceof ModelFailure) || hello.status !== null || hello.kind === "timeout";
  if (hello instanceof ModelFailure && !isReached) return [failed("reachable", hello)];
  found.push(finding("reachable", true, "server-answers", {}));
  const spare = second && secondFinding(await orFailure(second.chat(HELLO, ending)), connection.secondModel ?? "");
  if (hello instanceof ModelFailure) {
    const isListed = listed?.some((name) => isSameModel(name, model));
    const names = isListed === false ? listed?.slice(0, 10).join(", ") : undefined;
    found.push(
      names ? finding("model", false, "name-unknown", { said: saidBy(hello), names }) : failed("model", hello),
    );
    return spare ? [...found, spare] : found;
  }
  found.push(finding("model", true, "model-answers", { model }));
  found.push(finding("streams", true, hello.streamed ? "answers-stream" : "answers-whole", {}));
  const long = await orFailure(client.chat(longRequest(code, contextTokens), ending));
  found.push(contextFinding(long, code, contextTokens));
  const timed = long instanceof ModelFailure ? hello : long;
  found.push(speedFinding(timed.firstTextMs));
  if (spare) found.push(spare);
  if (embeddingModel !== "") found.push(embeddingFinding(await orFailure(client.embed(["one", "two"], signal))));
  return found;
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

function contextFinding(end: ChatEnd | ModelFailure, code: string, tokens: number): ConnectionFinding {
  const needed = tokens + MORE_TOKENS;
  if (end instanceof ModelFailure) {
    return end.kind === "timeout"
      ? finding("context", false, "long-too-slow", {})
      : finding("context", false, "long-fails", { said: saidBy(end), needed });
  }
  const isCut = end.tokensFrom === "server" && end.tokensIn < tokens * COUNTED_AT_LEAST;
  if (isCut) return finding("context", false, "reads-part", { read: end.tokensIn, needed });
  if (!end.text.includes(code)) return finding("context", false, "loses-beginning", { needed });
  return finding("context", true, "reads-all", { tokens });
}

function speedFinding(ms: number): ConnectionFinding {
  const seconds = Math.round(ms / 100) / 10;
  return finding("speed", ms <= SLOW_MS, ms <= SLOW_MS ? "first-words" : "slow", { seconds });
}

/** How long a request it reads is the server's setting, or shows in its answers: it is asked no long one. */
const secondFinding = (end: ChatEnd | ModelFailure, model: string): ConnectionFinding =>
  end instanceof ModelFailure
    ? failed("second-model", end)
    : finding("second-model", true, "second-answers", { model });

const embeddingFinding = (vectors: Float32Array[] | ModelFailure): ConnectionFinding =>
  vectors instanceof ModelFailure
    ? finding("embeddings", false, "embeddings-fail", { said: saidBy(vectors) })
    : finding("embeddings", true, "vectors", { size: vectors[0]?.length ?? 0 });

/** What went wrong, and what to do about it. */
function failed(check: ConnectionCheckName, failure: ModelFailure): ConnectionFinding {
  const { kind, status } = failure;
  const as = (code: FailureCode) => finding(check, false, code, { said: saidBy(failure) });
  if (status === 401 || status === 403) return as("key-refused");
  if (status === 404) return as("name-refused");
  if (kind === "blocked") return as("address-blocked");
  if (kind === "unreachable") return as("not-reached");
  if (kind === "timeout") return as(check === "reachable" ? "not-reached" : "too-slow");
  if (kind === "busy" || kind === "failing") return as(kind);
  return as("failed");
}

type FailureCode =
  | "key-refused"
  | "name-refused"
  | "address-blocked"
  | "not-reached"
  | "too-slow"
  | "busy"
  | "failing"
  | "failed";

/** Without its end, to be a part of a sentence. */
const saidBy = ({ message }: ModelFailure): string => message.replace(/[.!]+$/, "");

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
