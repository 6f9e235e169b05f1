/** Architecture, 4 "Group commit", on both engines; `database.ts` has the promises. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { addressOf, openBeside, query, sqlText } from "@frontdesk/testing/second-app";
import { engine, startTestApp } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import { type Database, StorageUnavailable } from "./database.ts";

const { team, storage } = await startTestApp();
const { teamId } = await team();
const [beside, closing] = [await openBeside(storage), await openBeside(storage)];
await query(
  storage,
  "CREATE TABLE notes (name text PRIMARY KEY, parent text REFERENCES notes DEFERRABLE INITIALLY DEFERRED)",
);

const insert = (name: string, parent: string | null = null) =>
  sqlText(`INSERT INTO notes (name, parent) VALUES ('${name}', ${parent === null ? "NULL" : `'${parent}'`})`);
const write = (name: string) => storage.write(teamId, (db) => db.run(insert(name), {}));
const names = async (prefix: string) =>
  (
    await beside.read((db) => db.all(sqlText(`SELECT name FROM notes WHERE name LIKE '${prefix}%' ORDER BY name`), {}))
  ).map(({ name }) => name);

/** How many transactions `act` commits: by the commit frames in SQLite's log, by the units' transaction ids else. */
async function commitsDuring(act: (note: (db: Database) => Promise<void>) => Promise<unknown>): Promise<number> {
  const ids = new Set<unknown>();
  if (engine === "postgres") {
    const current = sqlText("SELECT pg_current_xact_id()::text AS id");
    await act(async (db) => void ids.add((await db.first(current, {}))?.id));
    return ids.size;
  }
  const file = join((await addressOf(storage)).dataDir, "frontdesk.db");
  const reader = new DatabaseSync(file);
  reader.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  await act(async () => {});
  const log = readFileSync(`${file}-wal`);
  reader.close();
  const frameSize = 24 + log.readUInt32BE(8);
  let commits = 0;
  // The second word of a frame's head is the size of the database after the commit; 0 when the frame is no commit.
  for (let at = 32; at + frameSize <= log.length; at += frameSize) commits += log.readUInt32BE(at + 4) > 0 ? 1 : 0;
  return commits;
}

test("writes that come at the same time share few commits; one after another, each has its own", async () => {
  const together = await commitsDuring((note) =>
    Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        storage.write(teamId, async (db) => {
          await note(db);
          await db.run(insert(`together ${n}`), {});
        }),
      ),
    ),
  );
  expect(await names("together")).toHaveLength(100);
  expect(together).toBeLessThanOrEqual(3);

  const apart = await commitsDuring(async (note) => {
    for (let n = 0; n < 10; n += 1) {
      await storage.write(teamId, async (db) => {
        await note(db);
        await db.run(insert(`apart ${n}`), {});
      });
    }
  });
  expect(apart).toBe(10);
});

test("a unit that throws takes back only its own changes", async () => {
  const results = await Promise.allSettled(
    Array.from({ length: 30 }, (_, n) =>
      storage.write(teamId, async (db) => {
        await db.run(insert(`odd ${n}`), {});
        if (n % 3 === 1) throw new Error(`Unit ${n} will not.`);
        // This name is there already.
        if (n % 3 === 2) await db.run(insert("odd 0"), {});
        return n;
      }),
    ),
  );
  for (const [n, result] of results.entries()) {
    if (n % 3 === 0) expect(result).toEqual({ status: "fulfilled", value: n });
    if (n % 3 === 1) expect(result).toMatchObject({ reason: { message: `Unit ${n} will not.` } });
    if (n % 3 === 2) expect(result).toMatchObject({ status: "rejected", reason: { message: /unique/i } });
  }
  const kept = results.flatMap((_result, n) => (n % 3 === 0 ? [`odd ${n}`] : []));
  expect(await names("odd")).toEqual(kept.toSorted());
});

test("statements of a unit that were sent without waiting are taken back with it", async () => {
  const sent = storage.write(teamId, async (db) => {
    await Promise.all([db.run(insert("sent 1"), {}), db.run(insert("sent 1"), {}), db.run(insert("sent 2"), {})]);
  });
  const after = write("sent 3");
  await expect(sent).rejects.toThrow(/unique/i);
  await after;
  expect(await names("sent")).toEqual(["sent 3"]);
});

test("a unit's promise settles when its change is there for everybody, and not before", async () => {
  let finished = false;
  const first = storage.write(teamId, async (db) => {
    await db.run(insert("settled 1"), {});
    finished = true;
  });
  let settled = false;
  const tell = first.then(() => {
    settled = true;
  });
  const second = storage.write(teamId, async (db) => {
    await db.run(insert("settled 2"), {});
    // The first unit is done, but neither committed nor answered; no other connection sees it.
    expect({ finished, settled, seen: await names("settled") }).toEqual({ finished: true, settled: false, seen: [] });
  });
  await tell;
  expect(await names("settled")).toEqual(["settled 1", "settled 2"]);
  await second;
  await Promise.all(
    Array.from({ length: 50 }, async (_, n) => {
      await write(`seen ${n}`);
      expect(await names(`seen ${n}`)).toContain(`seen ${n}`);
    }),
  );
});

test("a rejected unit settles after the commit too, so that a retry finds what the others did", async () => {
  const refused = storage.write(teamId, async () => {
    throw new Error("no");
  });
  const done = write("beside a refusal");
  await refused.catch(() => {});
  expect(await names("beside")).toEqual(["beside a refusal"]);
  await done;
});

test("the units of a team run one after another, in the order they came", async () => {
  const steps: string[] = [];
  await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) =>
      storage.write(teamId, async (db) => {
        steps.push(`${n} begins`);
        await db.run(insert(`turn ${n}`), {});
        await db.first(sqlText("SELECT 1"), {});
        steps.push(`${n} ends`);
        if (n % 4 === 0) throw new Error("no");
      }),
    ),
  );
  expect(steps).toEqual(Array.from({ length: 20 }, (_, n) => [`${n} begins`, `${n} ends`]).flat());
});

test("a unit sees what the units before it have done, and nothing of those that failed", async () => {
  const [, , seen] = await Promise.allSettled([
    write("seen by the next"),
    storage.write(teamId, async (db) => {
      await db.run(insert("seen by nobody"), {});
      throw new Error("no");
    }),
    storage.write(teamId, (db) => db.all(sqlText("SELECT name FROM notes WHERE name LIKE 'seen by%'"), {})),
  ]);
  expect(seen).toMatchObject({ value: [{ name: "seen by the next" }] });
});

test("when the commit itself fails, the whole group fails and nothing of it is stored; the next group goes on", async () => {
  const group = await Promise.allSettled([
    write("commit 1"),
    storage.write(teamId, (db) => db.run(insert("commit 2", "no such parent"), {})),
    write("commit 3"),
  ]);
  expect(group.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(await names("commit")).toEqual([]);
  await write("commit 4");
  expect(await names("commit")).toEqual(["commit 4"]);
});

test("closing waits for the writes that were handed in", async () => {
  const writes = Promise.all(
    Array.from({ length: 20 }, (_, n) => closing.write(teamId, (db) => db.run(insert(`last ${n}`), {}))),
  );
  await closing.close();
  await writes;
  expect(await names("last")).toHaveLength(20);
});

test("what is asked of a closed storage is refused as unavailable, and closing it again changes nothing", async () => {
  const ended = await openBeside(storage);
  await ended.close();
  await ended.close();
  const work = async () => "done";
  for (const ask of [() => ended.write(teamId, work), () => ended.read(work), () => ended.check()]) {
    await expect(ask()).rejects.toThrow(StorageUnavailable);
  }
});
