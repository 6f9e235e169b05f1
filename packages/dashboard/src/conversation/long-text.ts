/** Longer messages are folded; one that is only a little longer is not. */
const LONGEST_LINES = 25;
/** How many characters a line of the thread has, about. */
const COLUMNS = 90;
const PHONE_COLUMNS = 42;
const PHONE = "(max-width: 767px)";

/** Chinese, Japanese and Korean characters take the place of two letters. */
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/g;

/** Whether a message is folded in this window. Estimated: measuring every message would slow down the thread. */
export function isFolded(text: string): boolean {
  return linesOf(text, matchMedia(PHONE).matches ? PHONE_COLUMNS : COLUMNS) > LONGEST_LINES;
}

/** The lines that a text takes, about. */
export function linesOf(text: string, columns: number): number {
  let lines = 0;
  for (const line of text.split("\n")) {
    const width = line.length + (line.match(WIDE)?.length ?? 0);
    lines += Math.max(1, Math.ceil(width / columns));
  }
  return lines;
}
