import { foldAddress } from "../rules/mail-address.ts";

const LINES_ABOUT = 12;

/** The words of a report, prepared once for all of its recipients. */
export interface Words {
  lines: readonly string[];
  lower: readonly string[];
}

export function wordsIn(said: string): Words {
  const lines = said.split("\n");
  return { lines, lower: lines.map((line) => line.toLowerCase()) };
}

/**
 * The lines about an address.
 *
 * @param all of which the others end them
 */
export function linesAbout(address: string, { lines, lower }: Words, all: readonly string[]): string {
  const folded = foldAddress(address);
  const others = all.map(foldAddress).filter((each) => each !== folded);
  const first = lower.findIndex((line) => line.includes(folded));
  if (first === -1) return lines.slice(0, LINES_ABOUT).join("\n");
  if (isResult(lines[first] as string)) return linesOfDialogue(lines, first).join("\n");
  const rest = lines.slice(first, first + LINES_ABOUT);
  const next = rest.findIndex((line, index) => {
    const text = lower[first + index] as string;
    return index > 0 && !text.includes(folded) && (isAddressAlone(line) || others.some((each) => text.includes(each)));
  });
  return (next === -1 ? rest : rest.slice(0, next)).join("\n");
}

const isAddressAlone = (line: string): boolean => /^\s*<?[^\s<>@]+@[\w.-]+>?:?\s*$/.test(line);

/** `554 <vera@example.com>... Remote protocol error`, of old sendmails: what the server said is above it. */
const isResult = (line: string): boolean => /^[45]\d\d [^<]{0,20}<[^<>\s]+>\.\.\. /.test(line);

/** From the command that the server answered, or the result before. */
function linesOfDialogue(lines: readonly string[], end: number): readonly string[] {
  let first = end;
  while (first > 0 && first > end - LINES_ABOUT) {
    const above = lines[first - 1] as string;
    if (above.trim() === "" || isResult(above) || /^while talking to /i.test(above)) break;
    first--;
    if (above.startsWith(">>>")) break;
  }
  return lines.slice(first, end + 1);
}
