import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { referenceFiles } from "../../scripts/write-reference.ts";
import { root } from "./source-files.ts";

const NOT_OURS = ["node_modules", ".git", "data", "coverage", ".cache"];
const files = globSync("**/*", { cwd: root, exclude: (name) => NOT_OURS.includes(name.split("/").at(-1) ?? "") });
const documents = files.filter((path) => path.endsWith(".md")).map((path) => ({ path, text: read(path) }));

describe("the reference", () => {
  test.each(Object.entries(referenceFiles()))(
    "%s is what the contract says; else run: npm run reference",
    (path, text) => {
      expect(read(path) === text).toBe(true);
    },
  );
});

describe("the documents", () => {
  test("link only to what is there", () => {
    for (const { path, text } of documents) {
      for (const [, target = ""] of withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^(https?|mailto):/.test(target)) continue;
        const [file, anchor] = target.split("#");
        const linked = file ? join(dirname(path), file) : path;
        expect(existsSync(join(root, linked)), `${target} in ${path}`).toBe(true);
        if (anchor) expect(anchorsOf(read(linked)), `${target} in ${path}`).toContain(anchor);
      }
    }
  });

  test("name no package registry and no path of a developer's machine", () => {
    const registry =
      /\b(registry|mirror|proxy|packages|repo)\.[a-z0-9-]+\.[a-z]{2,}|npmjs|artifactory|verdaccio|nexus/i;
    const path = /(?<![\w.:/}-])\/(home|root|tmp|work|mnt|opt|srv|Users)\/|\b[A-Z]:\\/;
    for (const document of documents) {
      expect(registry.exec(document.text)?.[0], document.path).toBeUndefined();
      expect(path.exec(document.text)?.[0], document.path).toBeUndefined();
    }
  });

  test("name only files that exist", () => {
    for (const { path, text } of documents) {
      // The specification is unchanged, with names of pages that do not exist here.
      if (path.startsWith("docs/reference/") || path.startsWith("docs/specification/")) continue;
      // A name that begins with a slash is a path of the service.
      for (const [, name = ""] of text.matchAll(/`([\w.*-][\w./*-]*\.(?:ts|mjs|md|json|yaml))`/g)) {
        const pattern = new RegExp(`(^|/)${name.split("*").map(escaped).join("[^/]*")}$`);
        expect(
          files.some((file) => pattern.test(file)),
          `${name} in ${path}`,
        ).toBe(true);
      }
    }
  });
});

test("ARCHITECTURE.md names every folder of the server, and is short enough to be read", () => {
  const text = read("ARCHITECTURE.md");
  const folders = globSync("packages/server/src/*/", { cwd: root }).map((path) => path.split("/")[3]);
  expect(folders.length).toBeGreaterThan(15);
  for (const folder of folders) expect(text).toContain(`${folder}/`);
  expect(text.length).toBeLessThan(12_000);
});

describe("the decisions", () => {
  const pages = documents.filter(({ path }) => /^docs\/decisions\/\d{4}-/.test(path));

  test("have each a number of its own, a line in the index, and say what was rejected", () => {
    expect(pages.length).toBeGreaterThan(10);
    expect(new Set(pages.map(({ path }) => path.slice(0, 19))).size).toBe(pages.length);
    const index = read("docs/decisions/README.md");
    for (const { path, text } of pages) {
      expect(index).toContain(`(${path.replace("docs/decisions/", "")})`);
      if (path.includes("/0000-")) continue;
      for (const heading of ["Context", "Decision", "Consequences", "Rejected"]) {
        expect(text, path).toContain(`\n## ${heading}\n`);
      }
    }
  });

  test("have a line for every dependency, and for nothing else", () => {
    const lines = [...read("docs/decisions/0008-dependencies.md").matchAll(/^\| ((?:`[^`]+`(?:, )?)+) \|/gm)];
    const named = lines.flatMap(([, cell = ""]) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
    expect(named.sort()).toEqual([...new Set(dependencies().map(({ name }) => name))].sort());
  });

  test("hold every dependency to one exact version", () => {
    for (const { name, version, manifest } of dependencies()) {
      expect(version, `${name} in ${manifest}`).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
    }
  });
});

function dependencies(): { name: string; version: string; manifest: string }[] {
  return files
    .filter((path) => /^(packages\/[\w-]+\/)?package\.json$/.test(path))
    .flatMap((manifest) => {
      const { dependencies, devDependencies, optionalDependencies, peerDependencies } = JSON.parse(read(manifest));
      const all: Record<string, string> = {
        ...peerDependencies,
        ...optionalDependencies,
        ...devDependencies,
        ...dependencies,
      };
      return Object.entries(all).map(([name, version]) => ({ name, version, manifest }));
    });
}

/** The anchors that the usual sites give to headings. */
function anchorsOf(text: string): string[] {
  return [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(" ", "-")
      .replaceAll(/[^\w-]/g, ""),
  );
}

function withoutCode(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```/gm, "");
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}
