import { auditedOperations } from "@frontdesk/core/domain/policy";
import { beforeAll, expect, test } from "vitest";
import { loadTexts } from "../../texts/texts.ts";
import { loadTextsOf } from "../../texts/texts-of-screens.ts";
import { auditAction, auditSentence } from "./audit-sentence.ts";

beforeAll(async () => {
  // Where the texts look up their language.
  Object.assign(globalThis, { document: { documentElement: {} } });
  await loadTexts();
  await loadTextsOf("audit");
});

test("every operation that is audited has its sentence", () => {
  expect(auditedOperations.length).toBeGreaterThan(30);
  for (const action of auditedOperations) {
    const what = { thing: { name: "Shop", role: "CHAT_AGENT_ADMIN" }, before: { name: "Old shop" } };
    const sentence = auditSentence({ action, what });
    expect(sentence, action).toMatch(/^[A-Z].{8,}/);
    expect(sentence, action).not.toMatch(/audit\.|[{}…]/);
    expect(auditAction(action), action).not.toMatch(/audit\.|[{}]/);
  }
});

test("a line says what was changed, and the result", () => {
  const said = (action: string, what: object) => auditSentence({ action, what: { ...what } });
  expect(said("set-agent-role", { agent: { name: "Mia", email: "mia@acme.test", role: "CHAT_AGENT_ADMIN" } })).toMatch(
    /Mia.*Admin/,
  );
  const states = ["active", "paused", "revoked"].map((state) =>
    said("set-assistant-state", { assistant: { name: "Robin", state } }),
  );
  expect(new Set(states).size).toBe(3);
  for (const sentence of states) expect(sentence).toContain("Robin");
  expect(said("update-team", { team: { name: "Acme", api_access: false } })).not.toBe(
    said("update-team", { team: { name: "Acme", api_access: true } }),
  );
  const change = (change: string) => said("write-team-canned-replies", { canned_reply: { name: "ciao" }, change });
  expect(new Set(["add", "update", "remove"].map(change)).size).toBe(3);
  const vip = { id: "1", name: "vip", color: null };
  const merged = said("delete-tag", { tag: vip, merged_into: { ...vip, name: "important" } });
  expect([merged, said("delete-tag", { tag: vip, merged_into: null })]).toEqual([
    "Tag “vip” merged into “important”",
    "Tag “vip” removed",
  ]);
  const changed = ["important", "vip"].map((name) => said("update-tag", { tag: vip, before: { name, color: null } }));
  expect(changed).toEqual(["Tag “important” renamed to “vip”", "Tag “vip” changed"]);
  expect(said("note-failed-sign-in", { agent: { name: null, email: "mia@acme.test" } })).toContain("mia@acme.test");
});

test("an operation without a text on this page is shown by its name", () => {
  expect(auditSentence({ action: "paint-the-office", what: {} })).toBe("paint-the-office");
});
