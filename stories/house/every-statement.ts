import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Statement } from "../../packages/server/src/storage/statement.ts";
import { root } from "./source-files.ts";

/** Every statement that a store exports, by its name. */
export async function everyStatement(): Promise<{ name: string; statement: Statement<never, unknown> }[]> {
  const found: { name: string; statement: Statement<never, unknown> }[] = [];
  const folder = join(root, "packages/server/src");
  const stores = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith("-store.ts"),
  );
  for (const file of stores) {
    const module: Record<string, unknown> = await import(join(folder, file));
    for (const [name, value] of Object.entries(module)) {
      if (typeof value === "object" && value !== null && "compiled" in value) {
        found.push({ name, statement: value as Statement<never, unknown> });
      }
    }
  }
  return found;
}
