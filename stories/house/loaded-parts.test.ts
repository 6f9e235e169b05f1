/** What the dashboard loads later waits for a connection (docs/decisions/0027-dashboard.md). */
import { expect, test } from "vitest";
import { sourceFiles } from "./source-files.ts";

const files = sourceFiles("packages/dashboard/src", /\.tsx?$/);
const LOADERS = ["lazyPart", "lazyScreen", "backgroundPart", "loadPart", "preloadPart"];
/** The one place that knows what a lazy component of React and of the router does when its file can't be loaded. */
const LAZY = "packages/dashboard/src/ui/lazy-part.ts";
const TEXTS = ["texts", "texts-of-screens"].map((name) => `packages/dashboard/src/texts/${name}.ts`);

/** The names of the functions in whose arguments this place of a text is. */
function callsAround(text: string, place: number): string[] {
  const calls: string[] = [];
  let closed = 0;
  for (let at = place - 1; at >= 0; at -= 1) {
    if (text[at] === ")") closed += 1;
    if (text[at] !== "(") continue;
    if (closed > 0) closed -= 1;
    else calls.push(/(\w+)$/.exec(text.slice(0, at))?.[1] ?? "");
  }
  return calls;
}

const bareImports = (text: string): string[] =>
  [...text.matchAll(/(?<!typeof )\bimport\(\s*"([^"]+)"/g)]
    .filter(({ index }) => !callsAround(text, index).some((name) => LOADERS.includes(name)))
    .map(([, name]) => name as string);

test("every import() of the dashboard is loaded by a function that waits for a connection", () => {
  expect(files.filter(({ text }) => /\bimport\(/.test(text)).length).toBeGreaterThan(20);
  expect(files.flatMap(({ path, text }) => bareImports(text).map((name) => `${path}: ${name}`))).toEqual([]);
  // The premise: a bare one is found.
  expect(
    bareImports('lazy(() => import("./a.tsx")); lazyPart(() => import("./b.tsx"), "B"); import("./c.ts");'),
  ).toEqual(["./a.tsx", "./c.ts"]);
});

test("React's lazy, the router's, and texts in files of their own are used in one place each", () => {
  const lazy = files.filter(({ text }) =>
    /\b(?:lazy|lazyRouteComponent|lazyFn)\b(?! )/.test(text.replace(/["`].*?["`]/g, "")),
  );
  expect(lazy.map(({ path }) => path)).toEqual([LAZY]);
  const globs = files.filter(({ text }) => text.includes("import.meta.glob"));
  expect(globs.map(({ path }) => path).sort()).toEqual(TEXTS.toSorted());
  for (const { path, text } of globs)
    expect({ path, waits: text.includes("loadPart(file)") }).toEqual({ path, waits: true });
});
