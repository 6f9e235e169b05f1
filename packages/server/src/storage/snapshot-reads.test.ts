/** Architecture, 4: "a read never waits for a write"; `database.ts`: "one consistent snapshot". */

import { query, sqlText } from "@frontdesk/testing/second-app";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";

const { team, storage } = await startTestApp();
const acme = await team();
const { teamId } = acme;

const countContacts = sqlText(`SELECT count(*) AS n FROM contacts WHERE team_id = '${teamId}'`);
const countEvents = sqlText(`SELECT max(number) AS n FROM events WHERE team_id = '${teamId}'`);
const visitor = () => acme.post("/contacts/initialize", { widgetId: acme.widgetId });

/** A promise that the test settles. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

test("a reader sees one state from its first statement to its last, whatever is written meanwhile", async () => {
  await visitor();
  const [begun, written] = [gate(), gate()];
  const reading = storage.read(async (db) => {
    const before = [await db.first(countContacts, {}), await db.first(countEvents, {})];
    begun.open();
    await written.opened;
    const after = [await db.first(countContacts, {}), await db.first(countEvents, {})];
    return { before, after };
  });
  await begun.opened;
  for (let n = 0; n < 5; n += 1) expect((await visitor()).status).toBe(200);
  written.open();
  const { before, after } = await reading;
  expect(after).toEqual(before);
  const now = await storage.read((db) => db.first(countContacts, {}));
  expect(Number(now?.n)).toBe(Number(before[0]?.n) + 5);
});

test("a read does not wait for a write that is not finished, and does not see it", async () => {
  const { n: before } = (await storage.read((db) => db.first(countContacts, {}))) ?? {};
  const [begun, finish] = [gate(), gate()];
  const writing = storage.write(teamId, async (db) => {
    await db.run(sqlText(`DELETE FROM page_visits WHERE team_id = '${teamId}'`), {});
    await db.run(sqlText(`DELETE FROM contacts WHERE team_id = '${teamId}'`), {});
    begun.open();
    await finish.opened;
    throw new Error("never mind");
  });
  writing.catch(() => {});
  await begun.opened;
  const reads = await Promise.all(Array.from({ length: 50 }, () => storage.read((db) => db.first(countContacts, {}))));
  expect(reads).toEqual(reads.map(() => ({ n: before })));
  expect((await acme.get("/contacts")).body.meta.pagination.total).toBe(before);
  finish.open();
  await expect(writing).rejects.toThrow("never mind");
});

test("a write does not wait for a reader that takes its time", async () => {
  const [begun, finish] = [gate(), gate()];
  const reading = storage.read(async (db) => {
    await db.first(countContacts, {});
    begun.open();
    await finish.opened;
  });
  await begun.opened;
  expect((await visitor()).status).toBe(200);
  finish.open();
  await reading;
});

test("a long read lets others be answered between its statements, and keeps its snapshot", async () => {
  const long = sqlText(`WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 50000)
    SELECT max(n) AS n FROM numbers`);
  let answered = false;
  const reading = storage.read(async (db) => {
    const before = await db.first(countContacts, {});
    for (let n = 0; n < 200 && !answered; n += 1) await db.all(long, {});
    return { before, after: await db.first(countContacts, {}), meanwhile: answered };
  });
  expect((await visitor()).status).toBe(200);
  answered = true;
  const { before, after, meanwhile } = await reading;
  expect(meanwhile).toBe(true);
  expect(after).toEqual(before);
});

test("who reads cannot write", async () => {
  const erase = sqlText(`UPDATE teams SET name = 'erased' WHERE team_id = '${teamId}'`);
  await expect(storage.read((db) => db.run(erase, {}))).rejects.toThrow(/read-?only/i);
  expect(await query(storage, `SELECT name FROM teams WHERE team_id = '${teamId}'`)).toEqual([{ name: "Acme" }]);
  expect((await acme.get("/contacts")).status).toBe(200);
});

test("a reader that throws harms no reader after it", async () => {
  for (let n = 0; n < 30; n += 1) {
    await expect(
      storage.read(async (db) => {
        await db.first(countContacts, {});
        throw new Error("no");
      }),
    ).rejects.toThrow("no");
    await expect(storage.read((db) => db.all(sqlText("SELECT nothing FROM nowhere"), {}))).rejects.toThrow();
  }
  expect((await acme.get("/contacts")).status).toBe(200);
});

// On a busy machine, all that wait longer than the five seconds in which PostgreSQL has to give a connection get a 503, rightly. So
// many at once wait for a tenth of a second.
const AT_ONCE = 100;
const ROUNDS = 5;

test("a hundred reads at once are all answered, over and over", async () => {
  for (let round = 0; round < 3 * ROUNDS; round += 1) {
    const reads = await Promise.all(
      Array.from({ length: AT_ONCE }, () => storage.read((db) => db.first(countEvents, {}))),
    );
    expect(new Set(reads.map((row) => row?.n)).size).toBe(1);
  }
});

test("a hundred requests at once are all answered, over and over", async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, n) => (n % 10 ? acme.get("/contacts") : visitor())),
    );
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  }
});
