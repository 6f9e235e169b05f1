/** The bounds for strangers as a Markdown table, for SECURITY.md and the settings guide. */
import {
  type Bound,
  type BoundedAct,
  type CountedBy,
  strangerBounds,
} from "../packages/server/src/limits/stranger-bounds.ts";
import { table } from "./markdown.ts";

const MB = 1_048_576;
const KB = 1_024;
const BEGIN = "<!-- bounds: written by npm run reference -->";
const END = "<!-- end of bounds -->";

const COLUMNS: readonly (readonly [title: string, by: CountedBy])[] = [
  ["Visitor token", "token"],
  ["IP address", "address"],
  ["Network (IPv6 /48)", "network"],
  ["Team", "team"],
  ["Mailbox", "mailbox"],
];

export function boundsTable(): string {
  const rows = Object.values<BoundedAct>(strangerBounds).map((act) => [
    act.fixed ? `${act.what} (fixed)` : act.what,
    act.where,
    ...COLUMNS.map(([, by]) =>
      act.bounds
        .filter((bound) => bound.by === by)
        .map((bound) => words(act, bound))
        .join(", "),
    ),
  ]);
  return table(["What", "Where", ...COLUMNS.map(([title]) => title)], rows);
}

/**
 * A document with the current table between its two markers.
 *
 * @throws Error when the markers are missing
 */
export function withBounds(document: string): string {
  const [before, rest] = document.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined)
    throw new Error("The document has no place for the table of bounds.");
  return `${before}${BEGIN}\n${boundsTable()}\n${END}${after}`;
}

function words({ unit }: BoundedAct, { limit, per, answer, fitsOneFile }: Bound): string {
  const span = per === "at once" ? per : per === "15 minutes" ? `in ${per}` : per === "hour" ? "an hour" : "a minute";
  const largest = fitsOneFile && per === "minute" ? ", or one file of `UPLOAD_MAX_MB`" : "";
  return `${unit === undefined ? limit.toLocaleString("en") : bytes(limit)} ${span}${largest}${answer === 503 ? " (503)" : ""}`;
}

function bytes(count: number): string {
  return count % MB === 0 ? `${(count / MB).toLocaleString("en")} MB` : `${(count / KB).toLocaleString("en")} kB`;
}
