import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");

test.each(["sign.mjs", "sign.py", "sign.php", "sign.rb"])("%s is what the guide has", (name) => {
  expect(read(`identity/${name}`)).toBe(read(`../../../../../docs/guide/identity/${name}`));
});

test("what a page says is what the guide has", () => {
  const [, snippet] = /IDENTIFY_SNIPPET = `([^`]+)`/.exec(read("identity-signers.ts")) ?? [];
  expect(snippet).toBeTruthy();
  expect(read("../../../../../docs/guide/widget.md")).toContain(snippet);
});
