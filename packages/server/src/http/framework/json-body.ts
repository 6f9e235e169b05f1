import { isUtf8 } from "node:buffer";
import { invalid } from "@frontdesk/core/domain/refusal";
import { HttpProblem } from "./http-problem.ts";

/** Deeper than any body of ours; stops a hostile one before recursive code sees it. */
const MAX_DEPTH = 32;
/** More names and list items than any body of ours has; half a million wrong items would take long to refuse one by one. */
const MAX_PARTS = 10_000;

/**
 * Reads a JSON body strictly (decision 28): nothing is replaced, dropped or accepted twice.
 *
 * @throws HttpProblem 400 when it is no JSON in UTF-8 (a byte order mark included), nested too deeply, or of too many parts
 * @throws Refusal `invalid` on a duplicate name in one object, and on a text with NUL or half a surrogate pair
 */
export function readJsonBody(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new HttpProblem(400, "http.unreadable");
  const text = bytes.toString("utf8");
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    throw new HttpProblem(400, "http.unreadable", { cause });
  }
  checkText(text);
  return body;
}

interface Level {
  /** The names seen in this object; undefined in an array. */
  names: Set<string> | undefined;
  /** The name or index that is being read. */
  at: string | number;
}

/**
 * Scans the text of valid JSON, because the parsed value no longer has duplicate names. Strings are skipped with `indexOf`, so
 * a long one costs next to nothing.
 */
function checkText(text: string): void {
  const levels: Level[] = [];
  let parts = 0;
  const countPart = () => {
    parts += 1;
    if (parts > MAX_PARTS) throw new HttpProblem(400, "http.too-many-parts");
  };
  for (let index = 0; index < text.length; index += 1) {
    const level = levels.at(-1);
    switch (text[index]) {
      case "{":
      case "[":
        if (levels.length === MAX_DEPTH) throw new HttpProblem(400, "http.too-deep");
        levels.push(text[index] === "{" ? { names: new Set(), at: "" } : { names: undefined, at: 0 });
        break;
      case "}":
      case "]":
        levels.pop();
        break;
      case ",":
        if (level && typeof level.at === "number") {
          level.at += 1;
          countPart();
        }
        break;
      case '"': {
        const end = endOfString(text, index);
        const raw = text.slice(index, end + 1);
        const value: string = raw.includes("\\") ? JSON.parse(raw) : raw.slice(1, -1);
        if (level?.names && isName(text, end)) {
          level.at = value;
          countPart();
          if (level.names.has(value)) throw invalid({ [pathOf(levels)]: "field-twice" });
          level.names.add(value);
        }
        // Raw control characters and half pairs cannot be in UTF-8 JSON; only an escape can contain them.
        if (raw.includes("\\u") && (value.includes("\0") || !value.isWellFormed())) {
          throw invalid({ [pathOf(levels)]: "unstorable-text" });
        }
        index = end;
        break;
      }
    }
  }
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === "\\") backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
}

/** Whether the string that ends at `end` is followed by a colon. */
function isName(text: string, end: number): boolean {
  let next = end + 1;
  while (text[next] === " " || text[next] === "\n" || text[next] === "\r" || text[next] === "\t") next += 1;
  return text[next] === ":";
}

function pathOf(levels: readonly Level[]): string {
  return levels.map(({ at }) => at).join(".") || "body";
}
