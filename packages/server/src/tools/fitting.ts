/**
 * A model reads what a tool returns, and hosts cut or refuse what is too long: a result holds at most 25,000 tokens.
 * Bytes are what we can count: dense JSON has 3 of them in a token, other scripts seldom fewer.
 */
export const RESULT_BYTES_MAX = 72_000;

/** Those of the first rows that fit into a result together; the first one always. */
export function fitting<Row>(rows: readonly Row[]): Row[] {
  let bytes = 0;
  const end = rows.findIndex((row, place) => {
    bytes += Buffer.byteLength(JSON.stringify(row)) + 1;
    return bytes > RESULT_BYTES_MAX && place > 0;
  });
  return end === -1 ? [...rows] : rows.slice(0, end);
}

/** The beginning of a text in so many bytes, and that it goes on. */
export function beginning(text: string, bytesMax: number): string {
  if (Buffer.byteLength(text) <= bytesMax) return text;
  const part = Buffer.from(text).subarray(0, bytesMax);
  // A character that was cut in two at the end decodes as U+FFFD.
  return `${part.toString().replace(/\uFFFD+$/, "")}…`;
}
