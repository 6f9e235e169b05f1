import { openVault } from "../access/vault.ts";
import { findVaultKey, keyFile } from "../access/vault-key-file.ts";
import type { Settings } from "../config.ts";
import { installationValue } from "../setup/installation-store.ts";
import type { Storage } from "../storage/database.ts";
import { type PostgresFacts, postgresFacts, sqliteDamage, sqliteFacts } from "../storage/engine-facts.ts";
import { SchemaTooNew, SchemaTooOld } from "../storage/migrate.ts";
import { appliedMigrations } from "../storage/table-rows.ts";
import { allTeams } from "../teams/team-store.ts";
import type { Check } from "./check.ts";
import { failedJobs, failedTimers, newestEvent } from "./doctor-store.ts";

const POSTGRES_OLDEST = 15;
const EXTENSIONS = ["pg_trgm", "btree_gin"];
/** Clocks of two machines differ a little; a difference like this is a clock that is not synchronised. */
const CLOCK_DIFFERENCE_MS = 10_000;
/** An event is never newer than now, except for a clock that was set back a little. */
const CLOCK_BEHIND_MS = 60_000;
/** Long before this check was written: a clock that shows less was never set. */
const EARLIEST_NOW = Date.parse("2025-01-01T00:00:00Z");

/** The engine: reached, new enough, undamaged. */
export async function checkEngine(storage: Storage): Promise<Check> {
  const name = "storage";
  if (storage.engine === "sqlite") {
    const { facts, damage } = await storage.read(async (db) => ({
      facts: await db.first(sqliteFacts, {}),
      damage: await db.first(sqliteDamage, {}),
    }));
    if (damage && damage.found !== "ok") {
      const says = `The database file is damaged: ${damage.found}`;
      return {
        name,
        state: "problem",
        says,
        do: "Stop the server, keep a copy of DATA_DIR, and restore the last backup.",
      };
    }
    return { name, state: "ok", says: `SQLite ${facts?.version}, built in. The database file is intact.` };
  }
  const facts = await storage.read((db) => db.first(postgresFacts, {}));
  return facts ? judgePostgres(facts) : { name, state: "problem", says: "PostgreSQL returned no result." };
}

/** What PostgreSQL reports of itself. */
export function judgePostgres({ version, version_number, encoding, extensions }: PostgresFacts): Check {
  const name = "storage";
  const says = `PostgreSQL ${version}, ${encoding}.`;
  if (version_number < POSTGRES_OLDEST * 10_000) {
    return { name, state: "problem", says, do: `Frontdesk needs PostgreSQL ${POSTGRES_OLDEST} or newer.` };
  }
  if (encoding !== "UTF8") {
    const make =
      "Frontdesk needs UTF8 for text in every language. Create a database with it (CREATE DATABASE … ENCODING 'UTF8').";
    return { name, state: "problem", says, do: make };
  }
  const missing = EXTENSIONS.filter((extension) => !(JSON.parse(extensions) as string[]).includes(extension));
  if (missing.length > 0) {
    const lacking = `${says} Missing extensions: ${missing.join(", ")}.`;
    return { name, state: "problem", says: lacking, do: "Install PostgreSQL's contrib package on its machine." };
  }
  return { name, state: "ok", says };
}

/** The schema: that of this program, an older one, or a newer one. */
export async function checkMigrations(storage: Storage): Promise<Check> {
  const name = "migrations";
  const applied = await storage.read(appliedMigrations);
  if (applied.length === 0) {
    return { name, state: "note", says: "The database is empty.", do: "Nothing. The first start sets it up." };
  }
  try {
    await storage.check();
  } catch (error) {
    if (error instanceof SchemaTooOld) {
      const says = "The data is older than this version of Frontdesk.";
      return { name, state: "problem", says, do: "Run: npx frontdesk migrate (or npm start, which also migrates)" };
    }
    if (error instanceof SchemaTooNew) {
      const says = "The data was migrated by a newer version of Frontdesk.";
      return {
        name,
        state: "problem",
        says,
        do: "Start the newer version, or restore a backup created with this one.",
      };
    }
    throw error;
  }
  return { name, state: "ok", says: `The data is up to date (step ${applied.at(-1)?.number}).` };
}

/**
 * The key that seals secrets: it exists, and is the one that the data was sealed with.
 *
 * @param storage undefined when it cannot be reached: then only the key itself is checked
 */
export async function checkVaultKey(settings: Settings, storage: Storage | undefined): Promise<Check> {
  const name = "encryption key";
  const found = findVaultKey(settings);
  const sealedWith = storage && (await fingerprintIn(storage));
  const bring = `Restore ${keyFile(settings.dataDir)} from your copy, or set SECRET_KEY to its contents.`;
  if (!found) {
    if (sealedWith)
      return { name, state: "problem", says: "The key that the data was encrypted with is missing.", do: bring };
    return { name, state: "note", says: "There is no key yet. The first start creates it." };
  }
  if (!storage)
    return {
      name,
      state: "note",
      says: `${found.source} is a valid key. Without the database it cannot be checked against the data.`,
    };
  if (sealedWith === undefined)
    return { name, state: "note", says: `${found.source} is a valid key. No data is encrypted with it yet.` };
  const vault = openVault(found.key, found.previous);
  if (sealedWith !== vault.fingerprint && sealedWith === vault.previousFingerprint) {
    const says = `${found.source} is a new key, and the data is still encrypted with the previous one.`;
    return { name, state: "warning", says, do: "Restart every server, then run: npx frontdesk secret-key rotate" };
  }
  if (sealedWith !== vault.fingerprint) {
    return {
      name,
      state: "problem",
      says: `${found.source} is not the key that the data was encrypted with.`,
      do: bring,
    };
  }
  return { name, state: "ok", says: `${found.source} is the right key for this data.` };
}

/** This machine's clock: against the newest event, and on PostgreSQL against its server's. */
export async function checkClock(storage: Storage | undefined, now: () => number): Promise<Check> {
  const name = "clock";
  const clockSays = `This machine's time is ${new Date(now()).toISOString()}`;
  const set = "Set this machine's clock and keep it synchronized (systemd-timesyncd, chrony).";
  if (now() < EARLIEST_NOW) return { name, state: "problem", says: `${clockSays}, which is in the past.`, do: set };
  if (!storage) return { name, state: "note", says: `${clockSays}. It cannot be compared with the database.` };

  const newest = await newestEventTime(storage);
  if (newest !== undefined && newest - now() > CLOCK_BEHIND_MS) {
    const says = `${clockSays}, but the newest event is from ${new Date(newest).toISOString()}.`;
    return { name, state: "problem", says, do: set };
  }
  if (storage.engine === "postgres") {
    const before = now();
    const server = (await storage.read((db) => db.first(postgresFacts, {})))?.now ?? before;
    // The answer's time is somewhere between question and answer.
    const difference = server < before ? before - server : Math.max(0, server - now());
    if (difference > CLOCK_DIFFERENCE_MS) {
      const says = `${clockSays}, and PostgreSQL's clock differs by ${Math.round(difference / 1000)} s.`;
      return {
        name,
        state: "warning",
        says,
        do: "Set both clocks and keep them synchronized (systemd-timesyncd, chrony).",
      };
    }
    return { name, state: "ok", says: `${clockSays}. PostgreSQL agrees.` };
  }
  return { name, state: "ok", says: `${clockSays}.` };
}

/** Failed background jobs and timers. */
export async function checkJobs(storage: Storage): Promise<Check> {
  const name = "jobs";
  const failed = new Map<string, { total: number; error: string | null }>();
  for (const { team_id } of await storage.read((db) => db.all(allTeams, {}))) {
    for (const { kind, total, last_error } of await storage.read((db) => db.all(failedJobs, { team_id }))) {
      failed.set(kind, { total: (failed.get(kind)?.total ?? 0) + total, error: last_error });
    }
  }
  for (const { kind, total, last_error } of await storage.read((db) => db.all(failedTimers, {}))) {
    failed.set(`timer ${kind}`, { total, error: last_error });
  }
  if (failed.size === 0) return { name, state: "ok", says: "No failed jobs or timers." };
  const list = [...failed].map(([kind, { total, error }]) => `${total} of ${kind}${error ? ` (${error})` : ""}`);
  const says = `Jobs and timers that failed after several attempts: ${list.join(", ")}.`;
  return { name, state: "warning", says, do: remedyOf(failed) };
}

function remedyOf(failed: ReadonlyMap<string, unknown>): string {
  if (failed.has("send-mail"))
    return "Check SMTP_URL. Then invite the people again, or send them their links yourself.";
  return failed.has("send-replies-mail") ? "Check SMTP_URL." : "See the server's log for details.";
}

async function fingerprintIn(storage: Storage): Promise<string | undefined> {
  return storage.read(async (db) => {
    if ((await appliedMigrations(db)).length === 0) return undefined;
    return (await db.first(installationValue, { name: "vault_fingerprint" }))?.value;
  });
}

async function newestEventTime(storage: Storage): Promise<number | undefined> {
  return storage.read(async (db) => {
    if ((await appliedMigrations(db)).length === 0) return undefined;
    let newest: number | undefined;
    for (const { team_id } of await db.all(allTeams, {})) {
      const event = await db.first(newestEvent, { team_id });
      if (event && event.occurred_at > (newest ?? 0)) newest = event.occurred_at;
    }
    return newest;
  });
}
