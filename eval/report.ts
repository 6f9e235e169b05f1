import { isMissed, type Judged, type Measure, problemOf } from "./measure.ts";
import type { Replayed } from "./measure-replay.ts";

/** How many questions that ended otherwise are shown. */
const SHOWN_MAX = 40;
const TEXT_MAX = 160;

/** The measures as a table; with those of an earlier run, the difference to them. */
export function measureTable(
  measures: readonly Measure[],
  earlier: readonly { name: string; value: number | null }[] | undefined,
): string {
  const head = ["", "Measure", "Result", "Of", "Wanted", ...(earlier ? ["Difference"] : [])];
  const rows = measures.map((each) => [
    each.value === null ? "-" : isMissed(each) ? "✗" : each.wanted ? "✓" : " ",
    each.label,
    shown(each.value, each.unit),
    String(each.of),
    wantedOf(each),
    ...(earlier ? [difference(each, earlier.find(({ name }) => name === each.name)?.value)] : []),
  ]);
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => (row[column] ?? "").length)));
  return [head, ...rows]
    .map((row) =>
      row.map((cell, at) => (at === 2 || at === 3 ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0))),
    )
    .map((cells) => cells.join("  ").trimEnd())
    .join("\n");
}

/** The questions that ended otherwise than they should, each once, with what was said. */
export function problemList(all: readonly Judged[]): string {
  const problems = new Map<string, string>();
  for (const judged of all) {
    const problem = problemOf(judged);
    const { set, question, said } = judged;
    if (problem === undefined || problems.has(question)) continue;
    problems.set(question, `${set}: ${oneLine(question)}\n    ${problem}${said === "" ? "" : `: ${oneLine(said)}`}`);
  }
  const lines = [...problems.values()];
  const more = lines.length - SHOWN_MAX;
  return [...lines.slice(0, SHOWN_MAX), ...(more > 0 ? [`and ${more} more (--json has all of them)`] : [])].join("\n");
}

/** What was asked, what the agent said, and what the AI says, below one another. */
export function sideBySide(all: readonly Replayed[]): string {
  const shownOnes = all.slice(0, SHOWN_MAX).map(({ question, reply, said, end, reason, cited }) => {
    const sources = cited.map(([name = ""]) => oneLine(name)).join("; ");
    // The words of a handoff are ours.
    const ai = end === "handoff" || said === "" ? `(${end}: ${reason})` : `(${end}) ${oneLine(said)}`;
    return [
      `Q      ${oneLine(question)}`,
      `Agent  ${oneLine(reply)}`,
      `AI     ${ai}`,
      ...(sources && [`       ${sources}`]),
    ];
  });
  const more = all.length - SHOWN_MAX;
  const blocks = shownOnes.map((lines) => lines.join("\n"));
  return [...blocks, ...(more > 0 ? [`and ${more} more (--json has all of them)`] : [])].join("\n\n");
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= TEXT_MAX ? line : `${line.slice(0, TEXT_MAX)}…`.toWellFormed();
}

function wantedOf({ wanted, unit }: Measure): string {
  if (!wanted) return "";
  return "atLeast" in wanted ? `≥ ${shown(wanted.atLeast, unit)}` : `≤ ${shown(wanted.atMost, unit)}`;
}

function difference({ value, unit }: Measure, before: number | null | undefined): string {
  if (value === null || before === null || before === undefined) return "";
  const change = value - before;
  return `${change > 0 ? "+" : ""}${shown(change, unit)}`;
}

function shown(value: number | null, unit: Measure["unit"]): string {
  if (value === null) return "-";
  switch (unit) {
    case "%":
      return `${value.toFixed(1)} %`;
    case "ms":
      return `${Math.round(value)} ms`;
    case "tokens":
    case "count":
      return String(Math.round(value));
    default:
      return unit satisfies never;
  }
}
