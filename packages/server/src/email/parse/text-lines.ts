export interface Line {
  text: string;
  /** In the text that the line is of. */
  start: number;
}

export function toLines(text: string): Line[] {
  let start = 0;
  return text.split("\n").map((line) => {
    const each = { text: line, start };
    start += line.length + 1;
    return each;
  });
}

export const isBlank = ({ text }: Line) => text.trim() === "";

/** Not the end of an address that a program has wrapped: `<ada@example.com`, and `>:` in the next line. */
export const isQuoted = ({ text }: Line) => text.startsWith(">") && !/^>\s?[:：]\s*$/.test(text);
