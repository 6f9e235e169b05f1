/**
 * `node scripts/long-functions.ts`: prints the functions over 120 lines and the files over 450 of the repository. A house test
 * keeps the two lists from growing (STYLE.md: a longer one is a state machine that has not been drawn yet).
 */
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Node, SourceFile } from "typescript/unstable/ast";
import {
  isArrowFunction,
  isCallExpression,
  isFunctionDeclaration,
  isFunctionExpression,
  isIdentifier,
  isMethodDeclaration,
  isPropertyAssignment,
  isStringLiteral,
  isVariableDeclaration,
} from "typescript/unstable/ast/is";
import { API } from "typescript/unstable/sync";
import { PROJECT_ROOT } from "./ensure-dependencies.mjs";

const MOST_LINES_OF_FUNCTION = 120;
const MOST_LINES_OF_FILE = 450;

const SOURCES = ["packages/**/*.{ts,tsx,mjs}", "{stories,scripts,bench,soak,eval}/**/*.{ts,tsx,mjs}", "*.ts"];
const NOT_OURS = new Set(["node_modules", "dist"]);

export interface Long {
  /** A file by its path from the root, a function by path and name: `packages/server/src/app.ts createApp`. */
  name: string;
  lines: number;
}

/** Longest first. */
export function longFiles(): Long[] {
  const files = sources().map((path) => ({
    name: path,
    lines: linesIn(readFileSync(join(PROJECT_ROOT, path), "utf8")),
  }));
  return files.filter(({ lines }) => lines > MOST_LINES_OF_FILE).sort(longestFirst);
}

/** Longest first; a nested function also counts for the outer one. */
export function longFunctions(): Long[] {
  const long: Long[] = [];
  eachParsed(sources(), (path, file) => {
    const visit = (node: Node, parent: Node | undefined): void => {
      const name = functionName(node, parent);
      if (name !== undefined) {
        const lines = linesIn(node.getText(file));
        if (lines > MOST_LINES_OF_FUNCTION) long.push({ name: `${path} ${name}`, lines });
      }
      node.forEachChild((child) => visit(child, node));
    };
    visit(file, undefined);
  });
  return long.sort(longestFirst);
}

function sources(): string[] {
  const exclude = (path: string) => NOT_OURS.has(path.split("/").at(-1) ?? "");
  return globSync(SOURCES, { cwd: PROJECT_ROOT, exclude }).sort();
}

/** Parses only: no types, no imports. */
function eachParsed(paths: readonly string[], look: (path: string, file: SourceFile) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-lengths-"));
  const config = join(folder, "tsconfig.json");
  const compilerOptions = { noResolve: true, noLib: true, types: [], allowJs: true, jsx: "preserve" };
  writeFileSync(
    config,
    JSON.stringify({ compilerOptions, files: paths.map((path) => join(PROJECT_ROOT, path)), include: [] }),
  );
  const api = new API({ cwd: PROJECT_ROOT });
  try {
    const [project] = api.updateSnapshot({ openProjects: [config] }).getProjects();
    for (const path of paths) {
      const file = project?.program.getSourceFile(join(PROJECT_ROOT, path));
      if (!file) throw new Error(`The compiler does not know ${path}.`);
      look(path, file);
    }
  } finally {
    api.close();
    rmSync(folder, { recursive: true });
  }
}

/**
 * Undefined unless it is a function, and for functions that only group tests; an anonymous one is named after the call it is
 * passed to.
 */
function functionName(node: Node, parent: Node | undefined): string | undefined {
  if (isFunctionDeclaration(node)) return node.name?.text ?? "default";
  if (isMethodDeclaration(node)) return node.name.getText();
  if (!isArrowFunction(node) && !isFunctionExpression(node)) return undefined;
  if (parent && (isVariableDeclaration(parent) || isPropertyAssignment(parent))) return parent.name.getText();
  if (parent && isCallExpression(parent)) {
    if (/^describe\b/.test(parent.expression.getText())) return undefined;
    const title = parent.arguments.find((argument) => isStringLiteral(argument));
    if (title) return title.getText();
    if (isIdentifier(parent.expression)) return `${parent.expression.text}(…)`;
  }
  return "?";
}

const linesIn = (text: string): number => text.trimEnd().split("\n").length;
const longestFirst = (one: Long, other: Long): number => other.lines - one.lines || one.name.localeCompare(other.name);

function print(title: string, long: readonly Long[]): void {
  console.log(`${title} (${long.length}):`);
  for (const { name, lines } of long) console.log(`${String(lines).padStart(6)}  ${name}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  print(`Functions over ${MOST_LINES_OF_FUNCTION} lines`, longFunctions());
  print(`Files over ${MOST_LINES_OF_FILE} lines`, longFiles());
}
