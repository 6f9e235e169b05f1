/** Markdown from plain values, for the pages of the reference. */
import type { Field } from "../packages/server/src/http/pages/reference-contents.ts";

export function fieldTable(fields: readonly Field[], place: "request" | "answer"): string {
  return table(
    ["Name", "Type", place === "request" ? "Required" : "Always there", "Bounds", "Meaning"],
    fields.map(({ path, type, required, bounds, description }) => [
      `\`${path}\``,
      type,
      required ? "yes" : "no",
      bounds.join("; "),
      description ?? "",
    ]),
  );
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

export function fence(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}

export function joined(...parts: readonly string[]): string {
  return `${parts
    .map((part) => part.trim())
    .filter(Boolean)
    .join("\n\n")}\n`;
}

/** The anchor of a heading on the usual sites. */
export function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(" ", "-")
    .replaceAll(/[^\w-]/g, "");
}
