import type { AuditEntry } from "@frontdesk/core/contract/session";
import type { AuditedOperation } from "@frontdesk/core/domain/policy";
import { askSession } from "../../service/ask-session.ts";
import { auditActor, auditSentence } from "./audit-sentence.ts";

const PAGE_SIZE = 100;
/** As many lines as a spreadsheet opens easily; for more, filter by person or action. */
const LINES_MAX = 20_000;
/** By then every browser has started to save. */
const SAVING_MS = 10_000;

/** Saves the newest lines that fit as CSV, with sentences in the agent's language. */
export async function downloadAuditLog(asked: { action?: AuditedOperation; actor_id?: string }): Promise<void> {
  const entries: AuditEntry[] = [];
  let before: string | null = null;
  do {
    const query = { ...asked, limit: PAGE_SIZE, ...(before !== null && { before }) };
    const page: { entries: AuditEntry[]; next: string | null } = await askSession("listAuditLog", { query });
    entries.push(...page.entries);
    before = page.next;
  } while (before !== null && entries.length < LINES_MAX);
  const file = URL.createObjectURL(new Blob([auditTable(entries)], { type: "text/csv;charset=utf-8" }));
  const link = Object.assign(document.createElement("a"), { href: file, download: "audit-log.csv" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(file), SAVING_MS);
}

/** CSV as in RFC 4180, with a byte order mark, by which spreadsheets detect UTF-8. */
export function auditTable(entries: readonly AuditEntry[]): string {
  const lines = entries.map((entry) => [
    entry.at,
    auditActor(entry.actor),
    auditSentence(entry),
    entry.ip ?? "",
    entry.action,
    JSON.stringify(entry.what),
  ]);
  const table = [["at", "who", "what", "ip", "action", "details"], ...lines];
  return `\uFEFF${table.map((line) => line.map(cell).join(",")).join("\r\n")}\r\n`;
}

/** Quoted; an apostrophe precedes what a spreadsheet would read as a formula, because names come from outside. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
