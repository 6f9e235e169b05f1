/** A search over many contacts leaves time for others, and reads nothing of another team (docs/decisions/0033-search-in-pieces.md). */

import { query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import { createPerform } from "../perform.ts";
import type { Database, Storage } from "../storage/database.ts";
import { contactMatch, contactTerms } from "../storage/dialect.ts";
import type { ContactRow } from "../storage/tables.ts";
import { contactBehind, insertContact } from "./contact-store.ts";
import { findContacts } from "./find-contacts.ts";
import { listContacts } from "./list-contacts.ts";

const { storage, runtime, team } = await startTestApp();
/** Two pieces and a half. */
const MANY = 5_000;

/** Contacts that were active ten at a time, so that pieces end among those of one moment. */
async function contactsOf(acme: TestTeam, names: readonly string[]): Promise<ContactRow[]> {
  const rows = names.map((name, index): ContactRow => {
    const empty = { email: null, email_folded: null, phone: null, phone_digits: "", country_dialing_code: null };
    const unknown = { location: null, browser_type: null, country: null, country_code: null, blocked_at: null };
    const device = {
      email_source: null,
      phone_source: null,
      timezone: null,
      language: null,
      ip: null,
      operating_system: null,
      intake: null,
      conversation_count: 0,
    };
    return {
      ...{
        ...empty,
        ...unknown,
        ...device,
        team_id: acme.teamId,
        id: runtime.newId(),
        widget_id: acme.widgetId,
        channel: "website",
      },
      ...{ name, search_text: `${name}\u001f`, bgcolor: "red", online_status: "offline", is_name_updated: 0 },
      ...{ verified_id: null, verified_email: null, created_at: 0, last_active_at: 1_000 + Math.floor(index / 10) },
    };
  });
  await storage.write(acme.teamId, (db) => Promise.all(rows.map((row) => db.run(insertContact, row))));
  return rows.toSorted((a, b) => b.last_active_at - a.last_active_at || (a.id < b.id ? 1 : -1));
}

/** The storage, and the statements that asked for one row. */
function watched(): { storage: Storage; statements: unknown[] } {
  const statements: unknown[] = [];
  const seen = (db: Database): Database => ({
    ...db,
    first(statement, params) {
      statements.push(statement);
      return db.first(statement, params);
    },
  });
  return { statements, storage: { ...storage, read: (work) => storage.read((db) => work(seen(db))) } };
}

const page = (number: number) => ({ page: number, limit: 100, withPageVisits: false });

test("a search goes through many contacts in pieces, and finds in each what a plain look finds", async () => {
  const acme = await team();
  const rows = await contactsOf(
    acme,
    Array.from({ length: MANY }, (_, index) => (index % 40 === 0 ? `vera ${index}` : `hugo ${index}`)),
  );
  for (const [search, isFound] of [
    ["ve", (name: string) => name.includes("ve")],
    ["qz", () => false],
    ["hugo", (name: string) => name.includes("hugo")],
  ] as const) {
    const ids = rows.filter(({ name }) => isFound(name as string)).map(({ id }) => id);
    const { storage: read, statements } = watched();
    const perform = createPerform(read, runtime);
    for (const number of [1, 2, 49]) {
      const listed = await perform(acme.actor, listContacts, { ...page(number), search });
      expect({ search, total: listed.total }).toEqual({ search, total: ids.length });
      const shown = listed.rows.map(({ contact }) => contact.id);
      expect(shown).toEqual(ids.slice((number - 1) * 100, number * 100));
    }
    // Two borders and the end, for each page.
    expect(statements.filter((statement) => statement === contactBehind)).toHaveLength(9);
    const first = await perform(acme.actor, findContacts, { query: search, limit: 20 });
    expect(first.map(({ id }) => id)).toEqual(ids.slice(0, 20));
  }
});

test("the index holds the terms of each team apart: what one has costs another's search nothing", async () => {
  const [acme, sams] = [await team(), await team()];
  await contactsOf(acme, ["vera", "vera", "vera"]);
  await contactsOf(sams, ["vera"]);
  const matches = ({ teamId }: TestTeam) =>
    query(
      storage,
      storage.engine === "sqlite"
        ? `SELECT rowid FROM contact_search WHERE contact_search MATCH '${contactMatch(teamId, ["vera"], null)}'`
        : `SELECT id FROM contacts WHERE frontdesk_contact_terms(team_id, search_text, phone_digits)
             @> (SELECT array_agg(value) FROM json_array_elements_text('${contactTerms(teamId, "search_text", ["vera"])}'::json) AS list(value))`,
    );
  // Without asking for the team beside it: the index itself has nothing else to show.
  expect([(await matches(acme)).length, (await matches(sams)).length]).toEqual([3, 1]);
});

test("the index follows a contact that is called otherwise, or goes", async () => {
  const acme = await team();
  const [vera] = await contactsOf(acme, ["vera"]);
  const perform = createPerform(storage, runtime);
  const found = async (search: string) => (await perform(acme.actor, findContacts, { query: search, limit: 9 })).length;
  expect([await found("vera"), await found("lena")]).toEqual([1, 0]);
  await query(storage, `UPDATE contacts SET search_text = 'lena' WHERE id = '${vera?.id}'`);
  expect([await found("vera"), await found("lena")]).toEqual([0, 1]);
  await query(storage, `DELETE FROM contacts WHERE id = '${vera?.id}'`);
  expect(await found("lena")).toBe(0);
});
