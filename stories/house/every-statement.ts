import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { migrations } from "../../packages/server/src/storage/migrations/index.ts";
import { productSchema } from "../../packages/server/src/storage/product-schema.ts";
import { declaredStatements, type Statement } from "../../packages/server/src/storage/statement.ts";
import { statementsOf } from "../../packages/server/src/storage/table-rows.ts";
import { root, sourceFiles } from "./source-files.ts";

export interface NamedStatement {
  /** Its export, also inside a record (`piecesOf.open`); for one that is not exported, the constant that holds it. */
  name: string;
  statement: Statement<never, unknown>;
  /** Where `statement` was called: a path from the root, and a line. */
  declared: { path: string; line: number };
}

/**
 * Functions that declare statements after their module has loaded. `everyStatement` calls each with all its possible arguments.
 */
export const DECLARED_ON_DEMAND = new Set(["statementsOf"]);

/** The source files of the server that may declare a statement. */
export const declaringFiles = sourceFiles("packages/server/src").filter(({ imports }) =>
  imports.includes("packages/server/src/storage/statement.ts"),
);

/** Every statement of the server: those of all modules, and those that a backup creates for each table. */
export async function everyStatement(): Promise<NamedStatement[]> {
  const names = new Map<unknown, string>();
  for (const { path } of declaringFiles) {
    const module: Record<string, unknown> = await import(join(root, path));
    for (const [name, value] of Object.entries(module)) nameAll(names, name, value);
  }
  for (const table of productSchema(migrations.map(({ number }) => number)).tables) {
    nameAll(names, `rowsOf(${table.name})`, statementsOf(table));
  }
  return declaredStatements().flatMap(({ statement, declaredAt }) => {
    const declared = placeOf(declaredAt);
    return isProduct(declared.path) ? [{ name: names.get(statement) ?? nameAt(declared), statement, declared }] : [];
  });
}

function nameAll(names: Map<unknown, string>, name: string, value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  if ("compiled" in value) names.set(value, name);
  else if (Object.getPrototypeOf(value) === Object.prototype) {
    for (const [member, inner] of Object.entries(value)) nameAll(names, `${name}.${member}`, inner);
  }
}

/** Statements of tests are not the product's. */
function isProduct(path: string): boolean {
  return path.startsWith("packages/server/src/") && !path.endsWith(".test.ts");
}

/** The first frame of the stack below `statement` itself. */
function placeOf({ stack = "" }: Error): { path: string; line: number } {
  for (const [, file = "", line] of stack.matchAll(/^ +at .*?\(?((?:file:\/\/)?\/[^()]+?):(\d+):\d+\)?$/gm)) {
    const path = relative(root, file.startsWith("file:") ? fileURLToPath(file) : file);
    if (path !== "packages/server/src/storage/statement.ts") return { path, line: Number(line) };
  }
  throw new Error(`A statement was declared nowhere: ${stack}`);
}

function nameAt({ path, line }: { path: string; line: number }): string {
  const text = readFileSync(join(root, path), "utf8").split("\n")[line - 1] ?? "";
  return /(\w+)(?: =|:) statement\b/.exec(text)?.[1] ?? `${path}:${line}`;
}
