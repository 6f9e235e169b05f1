/** What an erasure leaves on the disk: nothing (docs/decisions/0053-erasing.md). */
import { databaseBytes } from "@frontdesk/testing/database-bytes";
import { inDepth } from "@frontdesk/testing/depth";
import { query, sqlText } from "@frontdesk/testing/second-app";
import { engine, startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { adaReplies, veraWrites, type Written } from "@frontdesk/testing/vera";
import pg from "pg";
import { describe, expect, inject, onTestFinished, test } from "vitest";

const kit = await startTestApp();
const { app, storage, team, dataDir } = kit;
// Jobs run in a server that has been started.
await app.start();

/** Enough for pages that SQLite splits while it writes: in those it leaves copies of rows. PostgreSQL splits none of a table. */
const MESSAGES = engine === "sqlite" ? 120 : inDepth(30, 120);

let canaries = 0;
function canary(): string {
  canaries += 1;
  return `canary${canaries}x`;
}

interface Person extends Written {
  words: string[];
}

/** Two people who write in turn, each with words of their own. */
async function twoPeople(acme: TestTeam): Promise<[Person, Person]> {
  const begun = async (): Promise<Person> => {
    const [name, email, text] = [canary(), canary(), canary()];
    const written = await veraWrites(acme, { name, email: `${email}@acme.test`, content: text });
    return { ...written, words: [name, email, text] };
  };
  const people: [Person, Person] = [await begun(), await begun()];
  for (let count = 0; count < MESSAGES; count += 1) {
    for (const { words, conversationId } of people) {
      const word = canary();
      await adaReplies(acme, conversationId, { content: `${word} ${"lorem ipsum ".repeat((count * 7) % 60)}` });
      words.push(word);
    }
  }
  return people;
}

async function done(act: () => Promise<{ status: number }>): Promise<void> {
  expect((await act()).status).toBeLessThan(300);
  const running = "SELECT id FROM erasures WHERE finished_at IS NULL";
  await expect.poll(() => query(storage, running)).toEqual([]);
}

/** Every byte that the engine could still read as a row, as text. */
async function onDisk(): Promise<string> {
  if (engine === "sqlite") return databaseBytes(dataDir);
  await query(storage, "CREATE EXTENSION IF NOT EXISTS pageinspect");
  const tuples = await query(
    storage,
    `SELECT encode(t_data, 'escape') AS bytes
     FROM (SELECT oid::regclass::text AS name, pg_relation_size(oid) / 8192 AS pages FROM pg_class
           WHERE relkind IN ('r', 't') AND relnamespace <> 'pg_catalog'::regnamespace) AS tables,
       generate_series(0, pages - 1) AS page, heap_page_items(get_raw_page(name, page::int))
     WHERE t_data IS NOT NULL`,
  );
  return tuples.map(({ bytes }) => bytes).join("\n");
}

describe("an erased contact", () => {
  test("leaves no word on the disk, and a neighbour keeps theirs", async () => {
    const acme = await team();
    const [vera, neighbour] = await twoPeople(acme);
    const before = await onDisk();
    expect(vera.words.filter((word) => !before.includes(word))).toEqual([]);
    await done(() => acme.delete(`/contacts/${vera.contactId}`));
    const after = await onDisk();
    expect(vera.words.filter((word) => after.includes(word))).toEqual([]);
    expect(neighbour.words.filter((word) => !after.includes(word))).toEqual([]);
  });

  test.runIf(engine === "sqlite")("leaves no term in the search index", async () => {
    const acme = await team();
    const { contactId } = await veraWrites(acme, { name: "Vera ϟϡϝ" });
    await query(storage, "CREATE VIRTUAL TABLE terms USING fts5vocab(contact_search, row)");
    const found = async () => query(storage, "SELECT term FROM terms WHERE term LIKE '%' || lower(hex('ϟϡϝ'))");
    expect(await found()).toHaveLength(1);
    await done(() => acme.delete(`/contacts/${contactId}`));
    expect(await found()).toEqual([]);
    await query(storage, "DROP TABLE terms");
  });
});

test("a redacted message leaves no word on the disk", async () => {
  const acme = await team();
  const word = canary();
  const { messageId } = await veraWrites(acme, { content: `My card is ${word}` });
  expect(await onDisk()).toContain(word);
  await done(() => acme.post(`/messages/${messageId}/redact`));
  expect(await onDisk()).not.toContain(word);
});

test.runIf(engine === "sqlite")("an erasure is not done while another process reads what was deleted", async () => {
  const acme = await team();
  const word = canary();
  const { contactId } = await veraWrites(acme, { content: word });
  const reading = Promise.withResolvers<void>();
  const reader = storage.read(async (db) => {
    await db.all(sqlText("SELECT team_id FROM teams"), {});
    await reading.promise;
  });
  const { body } = await acme.delete(`/contacts/${contactId}`);
  const state = async () => (await acme.get(`/erasures/${body.data.id}`)).body.data.attributes.state;
  await expect
    .poll(async () => (await query(storage, `SELECT * FROM messages WHERE content = '${word}'`)).length)
    .toBe(0);
  expect(await state()).toBe("running");
  reading.resolve();
  await reader;
  await expect.poll(state).toBe("done");
  expect(await onDisk()).not.toContain(word);
});

test.runIf(engine === "postgres")(
  "an erasure is not done while a transaction in another database keeps what was deleted",
  async () => {
    const acme = await team();
    const word = canary();
    const { contactId } = await veraWrites(acme, { content: word });
    const other = new pg.Client({ connectionString: inject("postgresUrl") });
    await other.connect();
    onTestFinished(() => other.end());
    await other.query("BEGIN");
    await other.query("SELECT pg_current_xact_id()");
    const { body } = await acme.delete(`/contacts/${contactId}`);
    const state = async () => (await acme.get(`/erasures/${body.data.id}`)).body.data.attributes.state;
    const waiting =
      "SELECT count(*) AS count FROM pg_stat_activity WHERE query LIKE '%AS is_kept%' AND pid <> pg_backend_pid()";
    await expect.poll(async () => Number((await query(storage, waiting))[0]?.count)).toBe(1);
    expect(await state()).toBe("running");
    await other.query("COMMIT");
    await expect.poll(state).toBe("done");
    expect(await onDisk()).not.toContain(word);
  },
);
