/** Every place that files are written to has a line in the erasure list: what is forgotten there is never erased. */
import { expect, test } from "vitest";
import { elsewhereErased, fileWriters } from "../../packages/server/src/privacy/where-erased.ts";
import { type SourceFile, sourceFiles } from "./source-files.ts";

const SERVER = "packages/server/src/";
/** What of Node's file modules writes, or opens what may be written. */
const WRITES =
  /^(?:open|write|writeFile|appendFile|createWriteStream|mkdtemp|copyFile|cp|rename|link|symlink|truncate|writev)(?:Sync)?$/;
const KEEPS = /\b(?:drafts|createDrafts\([^)]*\))\s*\.(?:receive|make)\(|\bfileStorage\s*\.put\(/;

const fromFileModules = ({ text }: SourceFile): string[] =>
  [...text.matchAll(/^import (?!type)([^;]*?) from "(?:node:)?fs(?:\/promises)?";/gm)].map(([, names]) => names ?? "");

const namesIn = (imported: string): string[] =>
  imported.split(/[{},]/).map((name) => name.trim().split(/\s+as\s+/)[0] ?? "");

const files = sourceFiles("packages/server/src");

test("the parts of Node's file modules are imported by name, so that what writes can be seen", () => {
  const whole = files.filter((file) => fromFileModules(file).some((imported) => !imported.trim().startsWith("{")));
  expect(whole.map(({ path }) => path)).toEqual([]);
});

test("every source file that writes to a disk or bucket says what is erased there", () => {
  const writers = files
    .filter(
      (file) =>
        KEEPS.test(file.text) ||
        fromFileModules(file)
          .flatMap(namesIn)
          .some((name) => WRITES.test(name)),
    )
    .map(({ path }) => path.slice(SERVER.length));
  expect(writers.sort()).toEqual(Object.keys(fileWriters).sort());
});

test("every place for files has a writer", () => {
  const places = Object.keys(elsewhereErased).filter((place) => place.startsWith("files/") || place === "backups");
  const written = Object.values(fileWriters).filter((place) => typeof place === "string");
  expect(places.filter((place) => !written.includes(place as never))).toEqual([]);
});
