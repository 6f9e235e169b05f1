/** JSON to be read: a line for each member, and the texts in it with the lines that they have. Anything else is as it is. */
export function inLines(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2).replaceAll(ESCAPES, (part) => (part === "\\n" ? "\n" : part));
  } catch {
    return body;
  }
}

/** Each escape is taken whole: the n in an escaped backslash followed by n is no line. */
const ESCAPES = /\\(?:u[\da-f]{4}|.)/g;
