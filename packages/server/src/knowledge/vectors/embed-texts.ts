import { EMBEDDED_AT_ONCE } from "../../ai/model/chat-completions.ts";
import type { ModelClient } from "../../ai/model/model-client.ts";
import { ModelFailure } from "../../ai/model/model-errors.ts";

/** A server can have another model under the same name, so the size of its vectors is asked for first; any server takes it. */
export const PROBE = "Hello";
/** A text is halved until it is no longer than this, in UTF-16 units; models that take less are of no use. */
const SHORTEST = 200;

/**
 * What texts mean, in their order. A text that the server does not take is cut short until it is; undefined for one that it refuses
 * however short, while it takes others.
 *
 * @throws ModelFailure when the server takes nothing, or does not answer
 */
export async function embedTexts(
  client: Pick<ModelClient, "embed">,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<(Float32Array | undefined)[]> {
  const [first = ""] = texts;
  const inHalves = async () => {
    const half = Math.ceil(texts.length / 2);
    const before = await embedTexts(client, texts.slice(0, half), signal);
    return [...before, ...(await embedTexts(client, texts.slice(half), signal))];
  };
  if (texts.length > EMBEDDED_AT_ONCE) return inHalves();
  try {
    return await client.embed(texts, signal);
  } catch (error) {
    if (!(error instanceof ModelFailure) || !mayBeTheText(error)) throw error;
    if (texts.length > 1) return inHalves();
    if (first.length > SHORTEST) {
      const shorter = first.slice(0, Math.max(SHORTEST, Math.ceil(first.length / 2))).toWellFormed();
      return embedTexts(client, [shorter], signal);
    }
    await client.embed([PROBE], signal);
    return [undefined];
  }
}

/** 400 and its neighbours; 500, which llama.cpp answers to a text that is too long; and what is no vector, such as NaN. */
const mayBeTheText = ({ kind, status }: ModelFailure): boolean =>
  kind === "rejected" || status === 500 || (kind === "garbage" && status === 200);
