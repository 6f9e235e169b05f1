/** The source files of the packages, for house tests. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

export interface SourceFile {
  /** From the root, with slashes: `packages/server/src/app.ts`. */
  path: string;
  text: string;
  /** Its imports: package names unchanged, own files by their path from the root. Type imports included. */
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

/** An import is at the start of a line: one within a string does not count. */
function importsOf(path: string, text: string): string[] {
  const found = text.matchAll(/^(?:import|export)\s[^"=]*?\bfrom\s*"([^"]+)"|\bimport\s*\(?\s*"([^"]+)"/gm);
  const specifiers = [...found].map(([, from, bare]) => String(from ?? bare));
  return specifiers.map((specifier) =>
    specifier.startsWith(".") ? relative(root, resolve(root, dirname(path), specifier)) : specifier,
  );
}
