import type { AuditEntry } from "@frontdesk/core/contract/session";
import { expect, test } from "vitest";
import { auditTable } from "./audit-download.ts";

const entry = (name: string): AuditEntry => ({
  id: "01980c60-5d70-7ac9-b8e3-1f602d7e9a08",
  at: "2026-11-21T07:05:06.307Z",
  actor: { kind: "agent", id: "01980c60-5d70-7ac9-b8e3-1f602d7e9a09", name },
  action: "create-widget",
  what: { widget: { id: "1", name: 'The "Shop"' } },
  ip: null,
});

test("the table has a line for each entry, with quotes doubled", () => {
  const [head, line, end] = auditTable([entry("Ada")]).split("\r\n");
  expect(head).toBe('\uFEFF"at","who","what","ip","action","details"');
  expect(line).toMatch(/^"2026-11-21T07:05:06.307Z","Ada",".+","","create-widget","\{""widget"".+\}"$/);
  expect(line).toContain('The \\""Shop\\""');
  expect(end).toBe("");
});

test("a name is never a formula in a spreadsheet", () => {
  for (const sign of ["=", "+", "-", "@"]) expect(auditTable([entry(`${sign}cmd|x`)])).toContain(`"'${sign}cmd|x"`);
});
