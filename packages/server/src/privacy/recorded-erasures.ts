import type { Database, Storage } from "../storage/database.ts";
import { productSchema } from "../storage/product-schema.ts";
import { appliedMigrations, type Row, readRows } from "../storage/table-rows.ts";
import type { ErasureRow, MailImportRow } from "../storage/tables.ts";
import { erasedCounts } from "./erased-counts.ts";
import type { Erased, ErasedMail, ErasureLog, ReadErasures } from "./erasure-log.ts";
import { contactsLeft, conversationsLeft, erasureById } from "./erasure-store.ts";
import { mailsOfErasure } from "./mails-of-erasure.ts";

type Named = Pick<
  ErasureRow,
  "team_id" | "contact_id" | "conversation_id" | "message_id" | "widget_id" | "agent_id" | "finished_at" | "erased"
>;

/** What an erasure was requested for. */
function erasedBy(erasure: Named): Erased[] {
  const { team_id: teamId, contact_id, conversation_id, message_id, widget_id, agent_id } = erasure;
  if (widget_id !== null) return erasesContacts(erasure) ? [{ kind: "widget", teamId, id: widget_id }] : [];
  if (agent_id !== null) return [{ kind: "agent", teamId, id: agent_id }];
  if (message_id !== null) return [{ kind: "message", teamId, id: message_id }];
  if (conversation_id !== null) return [{ kind: "conversation", teamId, id: conversation_id }];
  return contact_id === null ? [] : [{ kind: "contact", teamId, id: contact_id }];
}

/** A widget that had no contact may come back. */
const erasesContacts = ({ finished_at, erased }: Named): boolean =>
  finished_at === null || erasedCounts(erased).contacts > 0;

/**
 * Writes an erasure to the record outside the database, with the contacts and conversations that it hides, and with their mails, which
 * a mailbox may offer again. A repeat writes it again.
 */
export async function recordErasure(
  storage: Storage,
  log: ErasureLog,
  { teamId, erasureId }: { teamId: string; erasureId: string },
): Promise<void> {
  const which = { team_id: teamId, erasure_id: erasureId };
  const [erasure, contacts, conversations] = await storage.read((db) =>
    Promise.all([
      db.first(erasureById, { team_id: teamId, id: erasureId }),
      db.all(contactsLeft, which),
      db.all(conversationsLeft, which),
    ]),
  );
  if (!erasure) return;
  const own = erasedBy(erasure);
  const hidden = [
    ...contacts.map(({ contact_id }): Erased => ({ kind: "contact", teamId, id: contact_id })),
    // Of a conversation that stays, the texts alone go, which a restored backup loses by the next run. It has none of later mails.
    ...conversations
      .filter(({ texts_up_to }) => texts_up_to === null)
      .map(({ conversation_id }): Erased => ({ kind: "conversation", teamId, id: conversation_id })),
  ];
  const isOwn = ({ kind, id }: Erased) => own.some((one) => one.kind === kind && one.id === id);
  const mails = await mailsOfErasure(storage, erasure, { contacts, conversations });
  log.append([...own, ...hidden.filter((one) => !isOwn(one)), ...mails], erasure.requested_at);
}

/** Adds what the database has and the record has not: other machines have records of their own. */
export async function completeErasureLog(
  db: Database,
  log: ErasureLog,
  known: ReadErasures | undefined,
  now: number,
): Promise<void> {
  const { tables } = productSchema((await appliedMigrations(db)).map(({ number }) => number));
  const missing: (Erased | ErasedMail)[] = [];
  const add = async (name: "erasures" | "mail_imports", erasedIn: (row: never) => (Erased | ErasedMail)[]) => {
    const table = tables.find((one) => one.name === name);
    if (!table) return;
    const named = (row: Row) => Object.fromEntries(table.columns.map((column, index) => [column, row[index]]));
    for await (const page of readRows(db, table)) {
      const erased = page.flatMap((row) => erasedIn(named(row) as never));
      missing.push(...erased.filter((one) => !known?.has(one)));
    }
  };
  await add("erasures", erasedBy);
  await add("mail_imports", erasedMail);
  log.append(missing, now);
}

/** Earlier versions have left the state as it was. */
function erasedMail({ team_id, account_id, key, state, message_id }: MailImportRow): ErasedMail[] {
  const isErased = state === "erased" || (message_id === null && ["imported", "held"].includes(state));
  return isErased ? [{ kind: "mail", teamId: team_id, accountId: account_id, key }] : [];
}
