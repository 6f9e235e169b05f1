/** New files are run, checked and bounded without being listed anywhere (docs/decisions/0036-guards-by-construction.md). */
import { globSync, readdirSync, readFileSync } from "node:fs";
import { join, matchesGlob, relative } from "node:path";
import { API } from "typescript/unstable/sync";
import { expect, test } from "vitest";
import config, { POSTGRES_TESTS } from "../../vitest.config.ts";
import { root, sourceFiles } from "./source-files.ts";

interface Project {
  name: string;
  include: string[];
}
const projects = (config.test?.projects ?? []).map((project) => (project as { test: Project }).test);

const NOT_OURS = new Set(["node_modules", "dist", "data", "coverage"]);
const filesLike = (pattern: string) =>
  globSync(pattern, { cwd: root, exclude: (name) => NOT_OURS.has(name.split("/").at(-1) ?? "") });

const isIn = (project: Pick<Project, "include"> | undefined, path: string) =>
  project?.include.some((pattern) => matchesGlob(path, pattern)) ?? false;

test("every test file belongs to a project of the test run", () => {
  const files = filesLike("**/*.{test,spec}.*");
  expect(files.length).toBeGreaterThan(200);
  expect(files.filter((path) => !projects.some((project) => isIn(project, path)))).toEqual([]);
});

test("the tests beside a store run on both engines, at the latest in test:deep, and every statement in npm test", () => {
  const folders = new Set(filesLike("packages/server/src/*/*-store.ts").map((path) => path.split("/")[3]));
  // The doctor checks both engines in any case, in its own tests.
  folders.delete("doctor");
  expect(folders.size).toBeGreaterThan(15);
  const onSqlite = projects.find(({ name }) => name === "server on SQLite");
  for (const project of [onSqlite, { include: POSTGRES_TESTS.deep }]) {
    expect([...folders].filter((folder) => !isIn(project, `packages/server/src/${folder}/some.test.ts`))).toEqual([]);
  }
  const everyStatement = "packages/server/src/storage/every-statement.test.ts";
  expect(filesLike(everyStatement)).toEqual([everyStatement]);
  expect(isIn({ include: POSTGRES_TESTS.quick }, everyStatement)).toBe(true);
});

/** Programs in the guides and the dashboard, to be copied: tests run them unchanged. */
const SHOWN = /^docs\/guide\/|^packages\/dashboard\/src\/settings\/widgets\/identity\/sign\.mjs$/;

test("the compiler checks every program of the repository", () => {
  const api = new API({ cwd: root });
  try {
    const configs = ["tsconfig.json", ...filesLike("packages/*/tsconfig.json")];
    const checked = new Set(
      configs.flatMap((path) => api.parseConfigFile(join(root, path)).fileNames.map((file) => relative(root, file))),
    );
    const programs = filesLike("**/*.{ts,tsx,mts,js,mjs,cjs}").filter((path) => !SHOWN.test(path));
    expect(programs.length).toBeGreaterThan(900);
    expect(programs.filter((path) => !checked.has(path))).toEqual([]);
  } finally {
    api.close();
  }
});

/** Which of our packages a package may import. */
const KNOWS: Record<string, string[]> = {
  client: ["@frontdesk/core"],
  core: [],
  dashboard: ["@frontdesk/client", "@frontdesk/core"],
  server: ["@frontdesk/core"],
  // Test helpers: nothing that is shipped imports them.
  testing: ["@frontdesk/client", "@frontdesk/core", "@frontdesk/server"],
  widget: ["@frontdesk/client"],
};

test("every package names what it imports, knows only the packages it may, and reaches into none", () => {
  const { workspaces } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { workspaces: string[] };
  expect(workspaces.map((path) => path.replace("packages/", "")).sort()).toEqual(Object.keys(KNOWS));
  expect(readdirSync(join(root, "packages")).sort()).toEqual(Object.keys(KNOWS));

  for (const [name, known] of Object.entries(KNOWS)) {
    const manifest = JSON.parse(readFileSync(join(root, `packages/${name}/package.json`), "utf8"));
    const declared = Object.keys(name === "testing" ? manifest.devDependencies : (manifest.dependencies ?? {}));
    expect(declared.filter((dependency) => dependency.startsWith("@frontdesk/")).sort()).toEqual(known);
    for (const { path, imports } of sourceFiles(`packages/${name}/src`, /\.tsx?$/)) {
      const foreign = imports.filter((specifier) =>
        specifier.startsWith("packages/")
          ? !specifier.startsWith(`packages/${name}/`)
          : !specifier.startsWith("node:") &&
            !(name === "testing" && /^(scripts|stories)\//.test(specifier)) &&
            !declared.includes(packageOf(specifier)),
      );
      expect({ path, foreign }).toEqual({ path, foreign: [] });
    }
  }
});

function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}
