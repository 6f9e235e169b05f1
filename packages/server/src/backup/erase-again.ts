import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { Refusal } from "@frontdesk/core/domain/refusal";
import type { SystemActor } from "../access/actor.ts";
import { unlockVault } from "../access/secret-key.ts";
import { openVault, type Vault } from "../access/vault.ts";
import { findVaultKey, type KeySettings } from "../access/vault-key-file.ts";
import { removeAgent } from "../agents/remove-agent.ts";
import type { Drafts } from "../files/drafts.ts";
import type { FileStorage } from "../files/file-storage.ts";
import { createRemoval } from "../files/remove-unused-files.ts";
import { OperatorError } from "../operator-error.ts";
import { createPerform, type Perform } from "../perform.ts";
import { eraseContact } from "../privacy/erase-contact.ts";
import { eraseConversation } from "../privacy/erase-conversation.ts";
import { erase } from "../privacy/erase-job.ts";
import {
  distinctMails,
  type Erased,
  type ErasedKind,
  type ErasedMail,
  erasureLog,
  erasureLogFile,
  readErasureLog,
} from "../privacy/erasure-log.ts";
import { lateErasures, teamsWithLateErasures } from "../privacy/erasure-store.ts";
import { completeErasureLog } from "../privacy/recorded-erasures.ts";
import { redactMessage } from "../privacy/redact-message.ts";
import { removeWidget } from "../privacy/remove-widget.ts";
import { createRuntime } from "../runtime.ts";
import type { Storage } from "../storage/database.ts";
import type { ProductTable } from "../storage/product-schema.ts";
import type { Row } from "../storage/table-rows.ts";

/** How many were erased again. */
export interface ErasedAgain {
  /** With their contacts and conversations, which are not counted. */
  widgets: number;
  contacts: number;
  conversations: number;
  messages: number;
  agents: number;
}

export interface EraseAgainOptions extends KeySettings {
  erasures?: string | undefined;
  fileStorage: FileStorage;
  drafts: Drafts;
}

/** What was erased, as all records say that could be read. */
export interface RecordedErasures {
  has(erased: Erased): boolean;
  mails: readonly ErasedMail[];
}

const REASON = "Erased before; a restored backup had it again.";
/** Later than any erasure. */
const EVER = Number.MAX_SAFE_INTEGER;
const KIND_OF_TABLE: Partial<Record<string, ErasedKind>> = {
  contacts: "contact",
  conversations: "conversation",
  messages: "message",
  widgets: "widget",
  agents: "agent",
};

/**
 * Brings all that is known of erasures into the record in DATA_DIR: of a second record, and of the data that is replaced. Undefined
 * when there is no record.
 *
 * @param newKey the key that the backup brings
 * @throws OperatorError when a part of it cannot be read
 */
export async function recordOfErasures(
  storage: Storage,
  { dataDir, erasures: other, ...keys }: EraseAgainOptions,
  newKey: Buffer | undefined,
): Promise<RecordedErasures | undefined> {
  const file = erasureLogFile(dataDir);
  const present = findVaultKey({ dataDir, ...keys });
  const own = present && openVault(present.key, present.previous);
  const vaults: Vault[] = [...(own ? [own] : []), ...(newKey ? [openVault(newKey)] : [])];
  if (own) {
    const known = readErasureLog(file, vaults);
    await storage.read((db) => completeErasureLog(db, erasureLog(dataDir, own), known, Date.now()));
  }
  const records = [file, ...(other ? [other] : [])].flatMap((name) => {
    const record = readErasureLog(name, vaults);
    if (!record && name === other) throw new OperatorError(`The file ${name} does not exist.`);
    if (record && record.unreadable > 0) throw unreadable(name, record.unreadable);
    return record ? [record] : [];
  });
  // Each line names its key, so records can be put one after the other.
  if (other && other !== file) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    appendFileSync(file, `\n${readFileSync(other, "utf8")}`, { mode: 0o600, flush: true });
  }
  if (records.length === 0) return undefined;
  return {
    has: (erased) => records.some((record) => record.has(erased)),
    mails: [...distinctMails(records.flatMap(({ mails }) => mails)).values()],
  };
}

function unreadable(file: string, lines: number): OperatorError {
  return new OperatorError(
    `${lines} erasures in ${file} were recorded with a different key. Restore with that key too (SECRET_KEY and SECRET_KEY_PREVIOUS), or move the file away: then what they erased may come back. No data was changed.`,
  );
}

/** The row's contact, conversation, message or widget, if it was erased. */
export function erasedRow(recorded: RecordedErasures | undefined, table: ProductTable, row: Row): Erased[] {
  const kind = KIND_OF_TABLE[table.name];
  if (!recorded || !kind) return [];
  const valueIn = (column: string) => String(row[table.columns.indexOf(column)]);
  const erased: Erased = { kind, teamId: valueIn("team_id"), id: valueIn("id") };
  return recorded.has(erased) ? [erased] : [];
}

/** Erases to the end: these, and what the backup has of erasures that were under way. */
export async function eraseAgain(
  storage: Storage,
  { dataDir, fileStorage, drafts, ...keys }: EraseAgainOptions,
  toErase: readonly Erased[],
): Promise<ErasedAgain> {
  const teams = () => storage.read((db) => db.all(teamsWithLateErasures, { before: EVER }));
  const counts: ErasedAgain = { widgets: 0, contacts: 0, conversations: 0, messages: 0, agents: 0 };
  if (toErase.length === 0 && (await teams()).length === 0) return counts;
  const runtime = createRuntime(await unlockVault({ dataDir, ...keys }, storage));
  const perform = createPerform(storage, runtime);
  const each = async (kind: ErasedKind) => {
    let done = 0;
    for (const erased of toErase) if (erased.kind === kind && (await begin(perform, erased))) done += 1;
    return done;
  };
  const removeUnusedFiles = createRemoval({ storage, fileStorage, drafts });
  const parts = {
    storage,
    vault: runtime.vault,
    perform,
    // They are in the record already.
    record: async () => {},
    removeFiles: () => removeUnusedFiles(runtime.now(), () => true),
  };
  const eraseAll = async () => {
    for (const { team_id } of await teams()) {
      const left = await storage.read((db) => db.all(lateErasures, { team_id, before: EVER }));
      for (const { id } of left) await erase(parts, { teamId: team_id, erasureId: id });
    }
  };
  counts.widgets = await each("widget");
  // Their contacts are in the record too, and need no erasure of their own.
  if (counts.widgets > 0) await eraseAll();
  counts.contacts = await each("contact");
  counts.conversations = await each("conversation");
  counts.messages = await each("message");
  counts.agents = await each("agent");
  await eraseAll();
  return counts;
}

/** Whether there was something to erase: a conversation may have gone with its contact. */
async function begin(perform: Perform, { kind, teamId, id }: Erased): Promise<boolean> {
  const system: SystemActor = { kind: "system", teamId };
  try {
    if (kind === "message") return await perform(system, redactMessage, { messageId: id, reason: REASON });
    if (kind === "widget") await perform(system, removeWidget, { widgetId: id, reason: REASON, again: true });
    else if (kind === "agent") await perform(system, removeAgent, { agentId: id, again: true });
    else if (kind === "contact") await perform(system, eraseContact, { contactId: id, reason: REASON, again: true });
    else await perform(system, eraseConversation, { conversationId: id, reason: REASON, again: true });
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.reason.name === "not-found") return false;
    throw error;
  }
}
