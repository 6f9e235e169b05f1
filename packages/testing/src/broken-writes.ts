/** Which writes something makes, and a database that refuses one kind of them: by triggers, on the real engine. */
import type { Storage } from "@frontdesk/server/storage/database";
import { query } from "./second-app.ts";

const KINDS = ["INSERT", "UPDATE", "DELETE"] as const;

/** A kind of write, as `INSERT messages`. */
export type Write = `${(typeof KINDS)[number]} ${string}`;

/** The writes that `act` makes and that follow from it until it resolves, each once, in the order of their names. */
export async function writesOf(
  storage: Storage,
  tables: readonly string[],
  act: () => Promise<unknown>,
): Promise<Write[]> {
  await query(storage, "CREATE TABLE noted_writes (kind TEXT PRIMARY KEY)");
  const writes = tables.flatMap((table) => KINDS.map((kind): Write => `${kind} ${table}`));
  const removals: (() => Promise<void>)[] = [];
  for (const write of writes) {
    const note = `INSERT INTO noted_writes VALUES ('${write}') ON CONFLICT DO NOTHING`;
    removals.push(await addTrigger(storage, write, note));
  }
  await act();
  for (const remove of removals) await remove();
  const noted = await query(storage, "SELECT kind FROM noted_writes ORDER BY kind");
  await query(storage, "DROP TABLE noted_writes");
  return noted.map(({ kind }) => kind as Write);
}

/** From now on the database refuses each such write, until the returned function is called. */
export function breakWrites(storage: Storage, write: Write): Promise<() => Promise<void>> {
  const refusal =
    storage.engine === "sqlite" ? "SELECT RAISE(ABORT, 'Refused by the test.')" : "RAISE 'Refused by the test.'";
  return addTrigger(storage, write, refusal);
}

async function addTrigger(storage: Storage, write: Write, body: string): Promise<() => Promise<void>> {
  const [kind, table] = write.split(" ");
  const name = `on_${kind?.toLowerCase()}_${table}`;
  if (storage.engine === "sqlite") {
    await query(storage, `CREATE TRIGGER ${name} AFTER ${kind} ON ${table} BEGIN ${body}; END`);
    return async () => void (await query(storage, `DROP TRIGGER ${name}`));
  }
  await query(
    storage,
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body}; RETURN NULL; END $$`,
  );
  await query(storage, `CREATE TRIGGER ${name} AFTER ${kind} ON ${table} FOR EACH ROW EXECUTE FUNCTION ${name}()`);
  return async () => {
    await query(storage, `DROP TRIGGER ${name} ON ${table}`);
    await query(storage, `DROP FUNCTION ${name}()`);
  };
}
