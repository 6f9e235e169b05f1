/**
 * What a test of a model server can find, by name: one sentence each, with its values in braces. The REST API gives the sentence,
 * the name and the values; the dashboard translates by them. `said` is the server's own words, or ours about its connection.
 */
import { fillPlaces, type PlacesOf, type PlaceValues } from "../text-places.ts";

/** What a test of a model server looks at. */
export const connectionChecks = [
  "reachable",
  "model",
  "streams",
  "context",
  "speed",
  "second-model",
  "embeddings",
] as const;
export type ConnectionCheckName = (typeof connectionChecks)[number];

const ADVICE =
  "Give the model a context of at least {needed} tokens (Ollama: OLLAMA_CONTEXT_LENGTH), or choose another one.";

export const findingText = {
  "server-answers": "The server answers.",
  "model-answers": "The model {model} answers.",
  "answers-stream": "Answers arrive piece by piece.",
  "answers-whole": "The server sends answers in one piece. They work, and drafts for agents appear all at once.",
  "reads-all": "Requests of {tokens} tokens are read in full.",
  "first-words": "The first words come after {seconds} seconds.",
  "second-answers": "The model {model} answers when the first one fails.",
  vectors: "The embedding model gives vectors of {size} numbers.",
  // What does not work.
  "key-refused": "{said}. Check the API key.",
  "name-refused": "{said}. Check the name of the model, and the base URL.",
  "name-unknown": "{said}. Check the name of the model. The server has: {names}.",
  "not-reached": "{said}. Check the base URL, and that the server runs.",
  "too-slow":
    "{said}. A model that is still being loaded needs another attempt; else use a smaller one, or a faster machine.",
  "address-blocked": "{said}.",
  busy: "{said}. Check the limits and the credit of your account there, or try again later.",
  failing: "{said}. Try again later.",
  failed: "{said}.",
  "long-too-slow": "The model takes too long to read a long request: use a smaller model, or a faster machine.",
  "long-fails": `A long request fails ({said}). ${ADVICE}`,
  "reads-part": `The server reads only {read} tokens of a long request. ${ADVICE}`,
  "loses-beginning": `The model does not see the beginning of a long request. ${ADVICE}`,
  slow: "The first words come after {seconds} seconds, which is slow: a smaller model or a faster server helps.",
  "embeddings-fail": "The embedding model does not work: {said}. Check its name, and that the server has it.",
} as const;
export type FindingCode = keyof typeof findingText;
export const findingCodes = Object.keys(findingText) as [FindingCode, ...FindingCode[]];

export interface ConnectionFinding {
  check: ConnectionCheckName;
  ok: boolean;
  /** One plain sentence that says what to do, or what was found. */
  message: string;
  code: FindingCode;
  /** What fills its places. */
  values: PlaceValues;
}

/** A finding with its sentence. */
export function finding<Code extends FindingCode>(
  check: ConnectionCheckName,
  ok: boolean,
  code: Code,
  values: Record<PlacesOf<(typeof findingText)[Code]>, string | number>,
): ConnectionFinding {
  return { check, ok, message: fillPlaces(findingText[code], values), code, values };
}
