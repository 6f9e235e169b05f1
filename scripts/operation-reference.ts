/** `docs/reference/operations.md`: every operation of the product, with its file, its addresses and who may perform it. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { rest } from "../packages/core/src/contract/rest.ts";
import { tools } from "../packages/core/src/contract/tools.ts";
import { type OperationName, type PolicyRow, policy, scopesFor } from "../packages/core/src/domain/policy.ts";
import { joined, table } from "./markdown.ts";

const SERVER = join(import.meta.dirname, "../packages/server/src");
const RANKS = { member: "agents", admin: "admins", owner: "owners" } as const;

export function operationReference(): string {
  const files = filesOfOperations();
  return joined(
    "# Operations",
    "Every operation of the product: the file that decides it, the REST address and the assistant tool that reach it, and who may perform it. Made from the sources by `npm run reference`; please do not edit it by hand.",
    "Paths are in `packages/server/src`. What has neither an address nor a tool is asked by the dashboard, the widget, the command line or the service itself. The system may perform everything.",
    table(
      ["Operation", "File", "REST", "Tool", "Who may"],
      (Object.keys(policy) as OperationName[]).map((name) => [
        `\`${name}\``,
        `\`${files.get(name) ?? notFound(name)}\``,
        Object.values(rest)
          .filter(({ performs }) => performs === name)
          .map(({ method, path }) => `${method} ${path}`)
          .join("<br>"),
        Object.values(tools)
          .filter(({ performs }) => performs === name)
          .map((tool) => tool.name)
          .join("<br>"),
        whoMay(name, policy[name]),
      ]),
    ),
  );
}

/** The file of each operation, by name. */
function filesOfOperations(): Map<string, string> {
  const files = new Map<string, string>();
  for (const file of globSync("**/*.ts", { cwd: SERVER }).filter((path) => !path.endsWith(".test.ts"))) {
    const text = readFileSync(join(SERVER, file), "utf8");
    for (const [, name = ""] of text.matchAll(/\bname: "([a-z-]+)",\s+mode: /g)) files.set(name, file);
  }
  return files;
}

function notFound(name: string): never {
  throw new Error(`No file declares the operation ${name}.`);
}

function whoMay(name: OperationName, row: PolicyRow): string {
  const scopes = scopesFor(name);
  return [
    scopes && `keys with \`${scopes.join("`, `")}\``,
    row.assistant && `assistants with \`${row.assistant.join("` or `")}\``,
    row.agent && RANKS[row.agent],
    row.visitor && "visitors",
    row.channel && "channels",
    row.automation && "automations",
    row.ai && "the built-in AI",
  ]
    .filter(Boolean)
    .join("; ");
}
