import type { Tool, ToolAnnotations } from "../packages/core/src/contract/tool.ts";
import { tools } from "../packages/core/src/contract/tools.ts";
import { assistantPermissions } from "../packages/core/src/domain/assistant-permissions.ts";
import { fieldsOf } from "../packages/server/src/http/pages/reference-contents.ts";
import { fence, fieldTable, joined, slug, table } from "./markdown.ts";

/** `docs/reference/tools.md`: the 21 tools from the catalogue. */
export function toolReference(): string {
  const all: Tool[] = Object.values(tools);
  return joined(
    "# Frontdesk assistant tools",
    "Generated from the contract by `npm run reference`. Do not edit it by hand. To connect an assistant and call tools, see [the guide](../guide/assistants.md).",
    table(
      ["Tool", "Permission", "What it does"],
      all.map(({ name, title, permission, annotations, confirmed }) => [
        `[${name}](#${slug(name)})`,
        `\`${permission}\``,
        [title, inWords(annotations), confirmed && "asks for confirmation"].filter(Boolean).join("; "),
      ]),
    ),
    "## Permissions",
    table(
      ["Permission", "What it allows"],
      Object.entries(assistantPermissions).map(([name, { explanation }]) => [`\`${name}\``, explanation]),
    ),
    ...all.map(entry),
  );
}

function entry({ name, description, permission, annotations, input, example }: Tool): string {
  const fields = fieldsOf(input);
  return joined(
    `## ${name}`,
    description,
    `Needs \`${permission}\`. It ${inWords(annotations)}.`,
    fields.length === 0 ? "It takes no arguments." : fieldTable(fields, "request"),
    fence("json", JSON.stringify(example.input)),
    "Returns:",
    fence("json", JSON.stringify(example.output, null, 2)),
  );
}

function inWords({ readOnlyHint, destructiveHint, openWorldHint }: ToolAnnotations): string {
  if (readOnlyHint) return "only reads data";
  if (destructiveHint) return "makes a destructive change";
  return openWorldHint ? "sends something to the visitor" : "changes data";
}
