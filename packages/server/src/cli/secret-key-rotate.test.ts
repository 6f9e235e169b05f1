/** The sealing key is changed (docs/decisions/0034-changing-the-sealing-key.md). */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openBin } from "@frontdesk/testing/frontdesk-bin";
import { query } from "@frontdesk/testing/second-app";
import { expect, test } from "vitest";
import { resealAll } from "../access/reseal.ts";
import { unlockVault } from "../access/secret-key.ts";
import { type SealedColumn, sealedColumns, type Vault } from "../access/vault.ts";
import { findVaultKey, replaceKey } from "../access/vault-key-file.ts";
import { migrations } from "../storage/migrations/index.ts";
import { columnTypes } from "../storage/migrations/migration.ts";

const [bin, named] = [await openBin(), await openBin()];
const ID = "00000000-0000-7000-8000-000000000001";
const ada = ["--name", "Ada", "--email", "ada@acme.test", "--password", "correct horse"];

test("every column that is named so holds sealed texts, and is sealed again", () => {
  const texts = migrations.flatMap(({ statements }) => statements(columnTypes.sqlite)).join("\n");
  const named = [...texts.matchAll(/\b(\w+_sealed)\b/g)].map(([, column]) => column);
  expect(new Set(sealedColumns.map((column) => column.split(".")[1]))).toEqual(new Set(named));
});

/** A sealed text in each column, as the present key seals it. */
async function sealSomething({ storage, dataDir }: typeof bin, count: number): Promise<void> {
  const [team] = await query(storage, "SELECT team_id FROM teams");
  const teamId = String(team?.team_id);
  const [widget] = await query(storage, "SELECT id FROM widgets");
  const [apiKey] = await query(storage, "SELECT id FROM api_keys");
  const vault = await unlockVault({ secretKey: undefined, dataDir }, storage);
  const seal = (column: SealedColumn, id: string) => vault.seal(`${column} ${id}`, { column, teamId, id });
  await query(
    storage,
    `UPDATE widgets SET identity_secret_sealed = '${seal("widgets.identity_secret_sealed", String(widget?.id))}'`,
  );
  for (let index = 0; index < count; index += 1) {
    const id = `${ID.slice(0, -4)}${String(index).padStart(4, "0")}`;
    await query(
      storage,
      `INSERT INTO webhooks (team_id, id, name, endpoint_url, is_active, events, secret_sealed, next_secret_sealed, next_secret_at, created_at, updated_at)
       VALUES ('${teamId}', '${id}', 'hook', 'https://a.test/', 1, '[]', '${seal("webhooks.secret_sealed", id)}', '${seal("webhooks.next_secret_sealed", id)}', 0, 0, 0)`,
    );
    await query(
      storage,
      `INSERT INTO jobs (team_id, id, kind, payload_sealed, state, attempts, run_at, created_at)
       VALUES ('${teamId}', '${id}', 'send-mail', '${index === 0 ? "" : seal("jobs.payload_sealed", id)}', 'waiting', 0, 9000000000000, 0)`,
    );
    await query(
      storage,
      `INSERT INTO erasures (team_id, id, what, text_sealed, state, requested_by, requested_at, finished_at, erased)
       VALUES ('${teamId}', '${id}', 'message', '${seal("erasures.text_sealed", id)}', 'done', '{}', 0, 0, '{}')`,
    );
    await query(
      storage,
      `INSERT INTO erased_contacts (team_id, erasure_id, contact_id, naming_sealed)
       VALUES ('${teamId}', '${id}', '${id}', '${seal("erased_contacts.naming_sealed", id)}')`,
    );
    const answer = `${apiKey?.id} key ${index}`;
    await query(
      storage,
      `INSERT INTO idempotency_keys (team_id, api_key_id, "key", fingerprint, status, body_sealed, created_at)
       VALUES ('${teamId}', '${apiKey?.id}', 'key ${index}', '', 200, '${seal("idempotency_keys.body_sealed", answer)}', 0)`,
    );
  }
}

/** What identifies the rows of tables without an id. */
const IDS: Record<string, string> = {
  idempotency_keys: `cast(api_key_id as text) || ' ' || "key"`,
  erased_contacts: "contact_id",
  ai_settings: "ai_id",
};

/** Opens every sealed text; answers how many there are, and by which keys they are sealed. */
async function openAll({ storage }: typeof bin, vault: Vault): Promise<{ total: number; by: Set<string | undefined> }> {
  const found: { total: number; by: Set<string | undefined> } = { total: 0, by: new Set() };
  for (const column of sealedColumns) {
    const [table, name] = column.split(".");
    const id = IDS[table ?? ""] ?? "id";
    const rows = await query(
      storage,
      `SELECT team_id, ${id} AS id, ${name} AS sealed FROM ${table} WHERE ${name} <> ''`,
    );
    for (const row of rows) {
      const place = { column, teamId: String(row.team_id), id: String(row.id) };
      expect(vault.open(String(row.sealed), place)).toBe(`${column} ${row.id}`);
      found.total += 1;
      found.by.add(String(row.sealed).split(".")[1]);
    }
  }
  return found;
}

test("the key is changed in two steps, each of which may end at any point", async () => {
  await bin.call(["setup", "--team", "Acme", ...ada, "--widget", "Website", "--api-key", "main"]);
  await sealSomething(bin, 3);
  const file = join(bin.dataDir, "secret.key");
  const old = readFileSync(file, "utf8");
  const vaultNow = () => unlockVault({ secretKey: undefined, dataDir: bin.dataDir }, bin.storage);
  const before = await vaultNow();
  const all = 1 + 3 * 6 - 1;
  expect(await openAll(bin, before)).toEqual({ total: all, by: new Set([before.fingerprint]) });

  // Ended after the old key was moved away, with an incomplete new one.
  replaceKey(bin.dataDir, Buffer.from(old, "base64"), Buffer.from(old, "base64"));
  expect((await vaultNow()).fingerprint).toBe(before.fingerprint);

  const made = await bin.json(["secret-key", "rotate"]);
  expect(made).toMatchObject({ code: 0, answer: { step: "made" } });
  expect(readFileSync(`${file}.previous`, "utf8")).toBe(old);
  const between = await vaultNow();
  expect([between.previousFingerprint, between.fingerprint === before.fingerprint]).toEqual([
    before.fingerprint,
    false,
  ]);
  expect((await openAll(bin, between)).total).toBe(all);

  // Ended in the middle of sealing again, several times: what was sealed stays, and every value can be opened.
  for (let writes = 1; writes < 6; writes += 1) {
    let left = writes;
    const dying = {
      ...bin.storage,
      write: ((teamId, work) => {
        if (left === 0) return Promise.reject(new Error("The process ended here."));
        left -= 1;
        return bin.storage.write(teamId, work);
      }) as typeof bin.storage.write,
    };
    await expect(resealAll(dying, between)).rejects.toThrow("ended here");
    expect((await openAll(bin, await vaultNow())).total).toBe(all);
  }
  const done = await bin.json(["secret-key", "rotate"]);
  expect(done).toMatchObject({ code: 0, answer: { step: "resealed" } });
  expect((await bin.json(["secret-key", "rotate"])).answer).toMatchObject({ step: "resealed", resealed: 0 });

  // The old key opens nothing any more, and is needed no more.
  renameSync(`${file}.previous`, `${file}.away`);
  const after = await vaultNow();
  expect(await openAll(bin, after)).toEqual({ total: all, by: new Set([between.fingerprint]) });
  const oldKey = Buffer.from(old, "base64");
  await expect(unlockVault({ secretKey: oldKey, dataDir: join(bin.dataDir, "x") }, bin.storage)).rejects.toThrow(
    "encrypted with a different key",
  );
  rmSync(`${file}.away`);
});

test("a command that is killed while it seals again loses nothing", async () => {
  const key = () => findVaultKey({ secretKey: undefined, dataDir: bin.dataDir });
  await bin.json(["secret-key", "rotate"]);
  await sealMore();
  const rotating = bin.start(["secret-key", "rotate"]);
  const ended = new Promise((resolve) => rotating.once("exit", resolve));
  // Killed once some of them are done; a process that was faster has already ended.
  const vault = await unlockVault({ secretKey: undefined, dataDir: bin.dataDir }, bin.storage);
  await expect
    .poll(async () => (await openAll(bin, vault)).by.has(vault.fingerprint) || rotating.exitCode !== null, {
      interval: 5,
    })
    .toBe(true);
  rotating.kill("SIGKILL");
  await ended;
  const before = await openAll(bin, await unlockVault({ secretKey: undefined, dataDir: bin.dataDir }, bin.storage));
  expect((await bin.json(["secret-key", "rotate"])).code).toBe(0);
  rmSync(`${key()?.source}.previous`);
  const after = await openAll(bin, await unlockVault({ secretKey: undefined, dataDir: bin.dataDir }, bin.storage));
  expect(after).toEqual({ total: before.total, by: new Set([vault.fingerprint]) });

  /** As a server does that was not restarted, with the key before; more than are sealed anew at once. */
  async function sealMore(): Promise<void> {
    const previous = key()?.previous;
    const [team] = await query(bin.storage, "SELECT team_id FROM teams");
    const teamId = String(team?.team_id);
    const vault = await unlockVault({ secretKey: previous, dataDir: bin.dataDir }, bin.storage);
    const rows = Array.from({ length: 1_000 }, (_, index) => {
      const id = `${ID.slice(0, -5)}1${String(index).padStart(4, "0")}`;
      const sealed = vault.seal(`jobs.payload_sealed ${id}`, { column: "jobs.payload_sealed", teamId, id });
      return `('${teamId}', '${id}', 'send-mail', '${sealed}', 'waiting', 0, 9000000000000, 0)`;
    });
    await query(
      bin.storage,
      `INSERT INTO jobs (team_id, id, kind, payload_sealed, state, attempts, run_at, created_at) VALUES ${rows.join()}`,
    );
  }
});

test("a key in the settings is changed by them: both are set, then everything is sealed again", async () => {
  const [old, fresh] = [randomBytes(32).toString("base64"), randomBytes(32).toString("base64")];
  await named.call(["setup", "--team", "Acme", ...ada], { SECRET_KEY: old });
  expect(existsSync(join(named.dataDir, "secret.key"))).toBe(false);
  const asked = await named.call(["secret-key", "rotate"], { SECRET_KEY: old });
  expect(asked).toMatchObject({ code: 1, stderr: expect.stringContaining("Set SECRET_KEY_PREVIOUS") });
  const alone = await named.call(["secret-key", "rotate"], { SECRET_KEY: fresh });
  expect(alone).toMatchObject({ code: 1, stderr: expect.stringContaining("encrypted with a different key") });
  const both = await named.call(["secret-key", "rotate"], { SECRET_KEY: fresh, SECRET_KEY_PREVIOUS: old });
  expect(both).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("SECRET_KEY_PREVIOUS is no longer used"),
  });
  expect((await named.call(["key", "list"], { SECRET_KEY: fresh })).code).toBe(0);
  expect((await named.call(["key", "list"], { SECRET_KEY: old })).code).toBe(1);
  expect([...asked.stderr, ...both.stdout].join("")).not.toContain(old);
});
