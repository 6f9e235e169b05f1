/** The source files of the packages, for tests about the house itself. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

export interface SourceFile {
  /** From the root, with slashes: `packages/server/src/app.ts`. */
  path: string;
  text: string;
  /** What it imports: package names as they stand, own files by their path from the root. Type imports included. */
  imports: string[];
}

/** Every source file below `folder` that is not a test. */
export function sourceFiles(folder: string, source = /\.ts$/): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => source.test(name) && !/(\.test|-for-tests)\.ts$/.test(name))
    .map((name) => {
      const path = join(folder, name);
      const text = readFileSync(join(root, path), "utf8");
      return { path, text, imports: importsOf(path, text) };
    });
}

function importsOf(path: string, text: string): string[] {
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map((match) => match[1] as string);
  return specifiers.map((specifier) =>
    specifier.startsWith(".") ? relative(root, resolve(root, dirname(path), specifier)) : specifier,
  );
}
