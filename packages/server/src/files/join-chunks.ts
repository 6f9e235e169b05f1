import { setImmediate as nextTurn } from "node:timers/promises";

/** So much is copied before other work has its turn: 3 ms, where 36 MB take 21 ms on a machine that is free. */
const TURN_BYTES = 4 * 1_048_576;

/** One copy of all chunks, which belongs to the caller alone. */
export async function joinChunks(chunks: readonly Uint8Array[]): Promise<Uint8Array<ArrayBuffer>> {
  const joined = new Uint8Array(chunks.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  let turnEnds = TURN_BYTES;
  for (const chunk of chunks) {
    for (let from = 0; from < chunk.byteLength; from += TURN_BYTES) {
      const piece = chunk.subarray(from, from + TURN_BYTES);
      joined.set(piece, at);
      at += piece.byteLength;
      if (at < turnEnds) continue;
      turnEnds = at + TURN_BYTES;
      await nextTurn();
    }
  }
  return joined;
}
