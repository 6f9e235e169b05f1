/**
 * The calls of `statement` as the compiler sees them: their places, and the parameters of their types. Types do not exist at
 * run time, so a test that compares them with the statement's parameters has to use the compiler (about a second).
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CallExpression, Node, SourceFile as ParsedFile } from "typescript/unstable/ast";
import {
  isArrowFunction,
  isCallExpression,
  isFunctionDeclaration,
  isFunctionExpression,
  isIdentifier,
  isMethodDeclaration,
} from "typescript/unstable/ast/is";
import { API, type Checker } from "typescript/unstable/sync";
import { root } from "./source-files.ts";

export interface Call {
  /** From the root. */
  path: string;
  line: number;
  /** The called name. */
  callee: string;
  /** The name of the innermost function around it, `?` for an anonymous one; null at the top of its module. */
  within: string | null;
  /** The members of its first type argument; null when it has none. */
  params: string[] | null;
}

/** Every call of a plain name in the files, in order. */
export function callsIn(paths: readonly string[]): Call[] {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-types-"));
  const config = join(folder, "tsconfig.json");
  const files = paths.map((path) => join(root, path));
  writeFileSync(config, JSON.stringify({ extends: join(root, "tsconfig.json"), files, include: [] }));
  const api = new API({ cwd: root });
  try {
    const [project] = api.updateSnapshot({ openProjects: [config] }).getProjects();
    if (!project) throw new Error("The compiler opened no project.");
    return paths.flatMap((path) => {
      const file = project.program.getSourceFile(join(root, path));
      if (!file) throw new Error(`The compiler does not know ${path}.`);
      return callsBelow(file, file, null, path, project.checker);
    });
  } finally {
    api.close();
    rmSync(folder, { recursive: true });
  }
}

function callsBelow(node: Node, file: ParsedFile, within: string | null, path: string, checker: Checker): Call[] {
  const calls: Call[] = [];
  if (isCallExpression(node) && isIdentifier(node.expression)) {
    const line = file.getLineAndCharacterOfPosition(node.expression.getStart(file)).line + 1;
    calls.push({ path, line, callee: node.expression.text, within, params: paramsOf(node, checker) });
  }
  const inner = functionName(node) ?? within;
  node.forEachChild((child) => {
    calls.push(...callsBelow(child, file, inner, path, checker));
  });
  return calls;
}

function functionName(node: Node): string | undefined {
  if (isFunctionDeclaration(node)) return node.name?.text ?? "?";
  return isArrowFunction(node) || isFunctionExpression(node) || isMethodDeclaration(node) ? "?" : undefined;
}

function paramsOf(call: CallExpression, checker: Checker): string[] | null {
  const [argument] = call.typeArguments ?? [];
  if (call.expression.getText() !== "statement" || !argument) return null;
  const type = checker.getTypeFromTypeNode(argument);
  return type ? checker.getPropertiesOfType(type).map(({ name }) => name) : null;
}
