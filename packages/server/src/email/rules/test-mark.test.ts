import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { openVault } from "../../access/vault.ts";
import { isTestMark, marksOfIds, newTestMark, testMessageId } from "./test-mark.ts";

const [before, now] = [randomBytes(32), randomBytes(32)];
const vault = openVault(now, before);

test("a mark is known by its installation and for its team, also when it was sealed with the key of before", () => {
  const mark = newTestMark(vault, "acme");
  expect(newTestMark(vault, "acme")).not.toBe(mark);
  expect(isTestMark(vault, "acme", mark)).toBe(true);
  expect(isTestMark(vault, "acme", newTestMark(openVault(before), "acme"))).toBe(true);
  expect(isTestMark(vault, "sams", mark)).toBe(false);
  expect(isTestMark(openVault(randomBytes(32)), "acme", mark)).toBe(false);
});

test("another text that is sealed is no mark", () => {
  const place = { column: "test-mail", teamId: "acme", id: "acme" } as const;
  expect(isTestMark(vault, "acme", vault.seal("secret", place))).toBe(false);
  expect(isTestMark(vault, "acme", vault.seal("", { ...place, column: "webhooks.secret_sealed" }))).toBe(false);
});

test.each(["", "v1.", "v2", `v2.${vault.fingerprint}.`, `v2.${vault.fingerprint}.AAAA`, "x".repeat(100_000)])(
  "%.40j is no mark",
  (text) => {
    expect(isTestMark(vault, "acme", text)).toBe(false);
  },
);

test("a mark is read from a Message-ID of its form alone, and of few of them", () => {
  const mark = newTestMark(vault, "acme");
  const id = testMessageId(mark, "acme.example");
  expect(marksOfIds(["<other@acme.example>", id])).toEqual([mark]);
  expect(marksOfIds([`<x${id.slice(1)}`, id.slice(1), `<frontdesk-test.${"x".repeat(300)}@acme.example>`])).toEqual([]);
  expect(marksOfIds(new Array<string>(500).fill(id))).toHaveLength(10);
});
