import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MANGLED_NAMES } from "./mangled-names.ts";

/** The names in what the application exchanges with others: the service, the page, the frame's document, other tabs. */
const EXCHANGED = [
  ...["visitor", "live", "fields", "rest/contacts", "rest/messages"].map(
    (name) => `../../core/src/contract/${name}.ts`,
  ),
  ...["./messages.ts", "./frame/frame-config.ts"],
];
/** Names in stored values, which a later version reads. */
const STORED = ["draft", "files", "passedEmail", "dismissed", "announced", "message", "refused"];

test("no name that the build makes short is a name that others know", () => {
  const known = EXCHANGED.flatMap((path) =>
    [...readFileSync(new URL(path, import.meta.url), "utf8").matchAll(/\b(\w+)\??:/g)].map(([, name]) => name),
  );
  // The test's premise: names are found.
  expect(known).toEqual(expect.arrayContaining(["client_id", "page_visited", "team_online", "identity", "badge"]));
  expect(MANGLED_NAMES.filter((name) => [...known, ...STORED].includes(name))).toEqual([]);
});

test("every name that is made short is one that the application has", () => {
  const code = ["./frame/", "../../client/src/"].flatMap((folder) =>
    readdirSync(new URL(folder, import.meta.url)).map((name) =>
      readFileSync(new URL(folder + name, import.meta.url), "utf8"),
    ),
  );
  const all = code.join("\n");
  expect(MANGLED_NAMES.filter((name) => !new RegExp(`\\b${name}\\b`).test(all))).toEqual([]);
  expect(new Set(MANGLED_NAMES).size).toBe(MANGLED_NAMES.length);
});
