import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startRedis } from "@frontdesk/testing/redis-server";
import { startS3 } from "@frontdesk/testing/s3-server";
import { query } from "@frontdesk/testing/second-app";
import { engine, openTestStorage } from "@frontdesk/testing/test-kit";
import { pino } from "pino";
import { SMTPServer } from "smtp-server";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { unlockVault } from "../access/secret-key.ts";
import { dataMayBeThere } from "../cli/open-data.ts";
import { createLmtpServer } from "../email/lmtp/lmtp-server.ts";
import { redisConnection } from "../limits/redis-connection.ts";
import { createPerform } from "../perform.ts";
import { createRuntime } from "../runtime.ts";
import { setupTeam } from "../setup/setup-team.ts";
import { systemTimeouts } from "../timeouts.ts";
import type { Check } from "./check.ts";
import { judgeFreeSpace } from "./check-folder.ts";
import { judgePostgres } from "./check-storage.ts";
import { examine } from "./examine.ts";

const folder = mkdtempSync(join(tmpdir(), "frontdesk-test-doctor-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** An installation, and what the doctor says of it. */
async function patient() {
  const { storage, databaseUrl, dataDir } = await openTestStorage();
  const env = { DATA_DIR: dataDir, PORT: "0", ...(databaseUrl && { DATABASE_URL: databaseUrl }) };
  return {
    storage,
    dataDir,
    async setUp() {
      await storage.migrate();
      const runtime = createRuntime(await unlockVault({ secretKey: undefined, dataDir }, storage));
      const perform = createPerform(storage, runtime, { news: () => {}, jobs: () => {} });
      const person = { ownerName: "Ada", email: "ada@acme.test", passwordHash: "hash" };
      const made = { kind: "system", teamId: runtime.newId() } as const;
      return perform(made, setupTeam, { teamName: "Acme", widgetName: "Website", ...person });
    },
    examine: (more: Record<string, string> = {}, now = Date.now) => examine({ ...env, ...more }, dataMayBeThere, now),
  };
}

const [well, ill, fresh, keyless] = [await patient(), await patient(), await patient(), await patient()];

const stateOf = (checks: readonly Check[]) => Object.fromEntries(checks.map(({ name, state }) => [name, state]));
const found = (checks: readonly Check[], name: string) => {
  const check = checks.find((one) => one.name === name);
  if (!check) throw new Error(`There is no check of ${name}.`);
  return check;
};

test("an installation that is well has no problem, and every check says so", async () => {
  await well.setUp();
  const checks = await well.examine();
  expect(stateOf(checks)).toEqual({
    settings: "ok",
    "data folder": "ok",
    disk: "ok",
    files: "note",
    storage: "ok",
    migrations: "ok",
    "encryption key": "ok",
    webhooks: "ok",
    // Tests run at an IP address.
    passkeys: "note",
    channels: "ok",
    clock: "ok",
    jobs: "ok",
    "public address": "note",
    apps: "note",
    mail: "note",
    redis: "note",
    "single sign-on": "note",
  });
  expect(found(checks, "storage").says).toContain(engine === "sqlite" ? "SQLite 3." : "PostgreSQL 1");
  for (const { says } of checks) expect(says).not.toMatch(/undefined|NaN/);
});

test("before the first start there is nothing wrong, and nothing is made", async () => {
  const place = join(folder, "not-yet");
  const checks = await fresh.examine({ DATA_DIR: place, DATABASE_URL: "" });
  expect(stateOf(checks)).toMatchObject({ "data folder": "note", storage: "note", "encryption key": "note" });
  expect(checks.filter(({ state }) => state === "problem")).toEqual([]);
  expect(existsSync(place)).toBe(false);

  const empty = await fresh.examine();
  expect(found(empty, "migrations")).toMatchObject({ state: "note", says: "The database is empty." });
  expect(empty.filter(({ state }) => state === "problem")).toEqual([]);
});

test("every setting that is not right is reported, and the other checks are made", async () => {
  const checks = await well.examine({ PORT: "x", LOG_LEVEL: "loud" });
  expect(found(checks, "settings").says).toMatch(/PORT is "x".*\nLOG_LEVEL is "loud"/);
  expect(stateOf(checks)).toMatchObject({ settings: "problem", storage: "ok", migrations: "ok" });
  const other = await well.examine({ DATABASE_URL: "mysql://x" });
  expect(stateOf(other)).toMatchObject({ settings: "problem", storage: "note" });
  expect(found(other, "storage").says).toContain("once DATABASE_URL is valid");
});

test("a storage that cannot be opened is reported with what to do, and the other checks are made", async () => {
  const place = join(folder, "broken");
  mkdirSync(place, { mode: 0o700 });
  writeFileSync(join(place, "frontdesk.db"), "this is no database ".repeat(500), { mode: 0o600 });
  const broken = await fresh.examine({ DATA_DIR: place, DATABASE_URL: "" });
  expect(found(broken, "storage")).toMatchObject({ state: "problem", do: expect.stringContaining("restore a backup") });
  expect(stateOf(broken)).toMatchObject({ settings: "ok", disk: "ok", clock: "note" });

  const nobody = await fresh.examine({ DATABASE_URL: "postgres://ada:geheim@127.0.0.1:1/x" });
  expect(found(nobody, "storage")).toMatchObject({
    state: "problem",
    says: expect.stringContaining("cannot be reached"),
  });
  expect(JSON.stringify(nobody)).not.toContain("geheim");
});

test("data that is older or newer than the program is reported", async () => {
  await ill.setUp();
  await query(ill.storage, "UPDATE schema_migrations SET number = 9999 WHERE number = 1");
  expect(found(await ill.examine(), "migrations")).toMatchObject({
    state: "problem",
    says: expect.stringContaining("newer"),
  });
  await query(ill.storage, "UPDATE schema_migrations SET number = 0, breaking = 0 WHERE number = 9999");
  expect(found(await ill.examine(), "migrations")).toMatchObject({
    state: "problem",
    do: expect.stringContaining("frontdesk migrate"),
  });
  await query(ill.storage, "UPDATE schema_migrations SET number = 1, breaking = 1 WHERE number = 0");
});

test("a missing or a different key is reported, and none is created", async () => {
  await keyless.setUp();
  const other = await keyless.examine({ SECRET_KEY: randomBytes(32).toString("base64") });
  expect(found(other, "encryption key")).toMatchObject({
    state: "problem",
    says: expect.stringContaining("SECRET_KEY is not"),
  });
  rmSync(join(keyless.dataDir, "secret.key"));
  expect(found(await keyless.examine(), "encryption key")).toMatchObject({
    state: "problem",
    says: expect.stringContaining("missing"),
  });
  expect(existsSync(join(keyless.dataDir, "secret.key"))).toBe(false);
});

test("a clock behind the newest event is reported, one that differs by a few seconds is not", async () => {
  const set = (ms: number) => () => Date.now() + ms;
  const name = "clock";
  expect(found(await well.examine({}, set(-3_600_000)), name)).toMatchObject({
    state: "problem",
    says: expect.stringContaining("but the newest event is from"),
  });
  expect(found(await well.examine({}, set(-1_000)), name).state).toBe("ok");
  expect(found(await well.examine({}, () => 0), name).state).toBe("problem");
  if (engine === "postgres") {
    expect(found(await well.examine({}, set(60_000)), name)).toMatchObject({
      state: "warning",
      says: expect.stringMatching(/PostgreSQL's clock differs by (59|60) s/),
    });
  }
});

test("jobs that were given up are reported with their last error", async () => {
  await query(
    ill.storage,
    `INSERT INTO jobs SELECT team_id, '01a1fcec-49ab-7313-b29f-03d3fc2d3a90', 'send-mail', '', 'failed', 6, 0, NULL, NULL,
      'SMTP_URL is not set', 0, NULL, NULL, NULL FROM teams`,
  );
  expect(found(await ill.examine(), "jobs")).toMatchObject({
    state: "warning",
    says: expect.stringContaining("1 of send-mail (SMTP_URL is not set)"),
    do: expect.stringContaining("SMTP_URL"),
  });
});

test("timers that were given up are reported with their last error", async () => {
  await query(
    ill.storage,
    `INSERT INTO timers SELECT team_id, 'end-snooze', '01a1fcec-49ab-7313-b29f-03d3fc2d3a90', 0, 0, NULL, 7, 'out of time', 1
      FROM teams`,
  );
  expect(found(await ill.examine(), "jobs")).toMatchObject({
    state: "warning",
    says: expect.stringContaining("1 of timer end-snooze (out of time)"),
  });
});

test("files that other users can read are reported", async () => {
  chmodSync(join(well.dataDir, "secret.key"), 0o644);
  expect(found(await well.examine(), "data folder")).toMatchObject({
    state: "warning",
    do: `Restrict access to the owner: chmod go= ${join(well.dataDir, "secret.key")}`,
  });
  chmodSync(join(well.dataDir, "secret.key"), 0o600);
  const file = join(folder, "file");
  writeFileSync(file, "");
  expect(found(await well.examine({ DATA_DIR: file }), "data folder")).toMatchObject({ state: "problem" });
});

test("where files lie a small one is put and taken away again; what does not take it is a problem", async () => {
  const folder = join(well.dataDir, "files");
  const files = async (more: Record<string, string> = {}) => found(await well.examine(more), "files");
  expect(await files()).toMatchObject({ state: "note", says: expect.stringContaining(folder) });
  mkdirSync(folder);
  expect(await files()).toEqual({ name: "files", state: "ok", says: `${folder} is writable.` });
  expect(readdirSync(join(folder, "receiving"))).toEqual([]);
  rmSync(folder, { recursive: true });
  writeFileSync(folder, "");
  expect(await files()).toMatchObject({ state: "problem", do: expect.stringContaining("chown") });
  rmSync(folder);

  const bucket = await startS3();
  onTestFinished(() => bucket.remove());
  expect(await files(bucket.env)).toMatchObject({
    state: "ok",
    says: expect.stringContaining("the bucket acme-files"),
  });
  expect(bucket.objects()).toEqual([]);
  const refused = await files({ ...bucket.env, S3_SECRET_ACCESS_KEY: "geheim" });
  expect(refused).toMatchObject({ state: "problem", says: expect.stringContaining("SignatureDoesNotMatch") });
  expect(JSON.stringify(refused)).not.toContain("geheim");
  const checks = await well.examine({ ...bucket.env, S3_SECRET_ACCESS_KEY: "" });
  expect(found(checks, "settings").says).toContain("S3_SECRET_ACCESS_KEY is missing");
});

test.each([
  ["Enabled", { state: "warning", do: expect.stringContaining("lifecycle rule") }],
  ["Suspended", { state: "warning", says: expect.stringContaining("suspended") }],
  ["off", { state: "ok" }],
  [undefined, { state: "note", says: expect.stringContaining("It is unknown whether the bucket") }],
] as const)("a bucket that keeps old versions of erased files is told of (%s)", async (versioning, expected) => {
  const bucket = await startS3(versioning);
  onTestFinished(() => bucket.remove());
  expect(found(await well.examine(bucket.env), "file versions")).toMatchObject(expected);
});

test("a mail server is greeted; one that is not there is a problem", async () => {
  const server = new SMTPServer({ disabledCommands: ["AUTH", "STARTTLS"] });
  const listening = server.listen(0, "127.0.0.1");
  await once(listening, "listening");
  const { port } = listening.address() as AddressInfo;
  const SMTP_URL = `smtp://127.0.0.1:${port}`;
  expect(found(await well.examine({ SMTP_URL }), "mail")).toMatchObject({ state: "ok" });
  await new Promise<void>((closed) => server.close(() => closed()));
  expect(found(await well.examine({ SMTP_URL }), "mail")).toMatchObject({
    state: "problem",
    says: expect.stringContaining("ECONNREFUSED"),
  });
});

test("a Redis that counts is well; one that is not there, hangs, refuses us or has no room is a problem", async () => {
  const server = await startRedis();
  onTestFinished(() => server.kill());
  const redis = async (REDIS_URL = server.url) => found(await well.examine({ REDIS_URL }), "redis");
  const { host } = new URL(server.url);
  expect(await redis()).toEqual({ name: "redis", state: "ok", says: `${host} responds and counts requests.` });

  const operator = redisConnection(server.url);
  await operator.connect();
  onTestFinished(() => operator.disconnect());
  // A name that the check leaves for a millisecond is all that it writes.
  await expect.poll(() => operator.dbsize()).toBe(0);
  const refused = await redis(server.url.replace("//", "//ada:geheim@"));
  expect(refused).toMatchObject({ state: "problem", says: expect.stringContaining("WRONGPASS") });
  expect(JSON.stringify(refused)).not.toMatch(/geheim|ada/);
  await operator.config("SET", "maxmemory", "1");
  expect(await redis()).toMatchObject({ state: "problem", says: expect.stringContaining("OOM") });
  await operator.config("SET", "maxmemory", "0");

  server.pause();
  const silent = await redis();
  server.resume();
  expect(silent).toMatchObject({ state: "problem", says: expect.stringContaining(`${host} cannot count requests`) });
  await server.kill();
  expect(await redis()).toMatchObject({
    state: "problem",
    says: expect.stringContaining("ECONNREFUSED"),
    do: expect.stringContaining("REDIS_URL"),
  });
});

test("the public address is tried while the server runs; one without https, or that leads elsewhere, is a warning", async () => {
  const listen = async (body: string) => {
    const server = createServer((_request, answer) => answer.end(body)).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    return String((server.address() as AddressInfo).port);
  };
  const PORT = await listen('{"status":"ok"}');
  const elsewhere = await listen("hello");
  const closed = createServer().listen(0, "127.0.0.1");
  await once(closed, "listening");
  const { port: nobody } = closed.address() as AddressInfo;
  await once(closed.close(), "close");
  const address = async (env: Record<string, string>) => found(await well.examine(env), "public address");

  expect(await address({ PORT })).toMatchObject({ state: "ok" });
  expect(await address({ PORT, PUBLIC_URL: `http://127.0.0.1:${elsewhere}` })).toMatchObject({
    state: "warning",
    says: expect.stringContaining("something else responds"),
  });
  expect(await address({ PORT, PUBLIC_URL: `https://127.0.0.1:${nobody}` })).toMatchObject({
    state: "warning",
    says: expect.stringContaining("ECONNREFUSED"),
  });
  expect(await address({ PORT, PUBLIC_URL: "http://chat.acme.test" })).toMatchObject({
    state: "warning",
    says: expect.stringContaining("not https"),
  });
  expect(await address({ PORT: `${nobody}` })).toMatchObject({
    state: "note",
    says: expect.stringContaining("no server responds"),
  });
});

test("where mails are handed over by LMTP, the server responds, or something else does", async () => {
  const lmtp = async (port: number) => found(await well.examine({ LMTP_PORT: `${port}` }), "lmtp");
  const server = createLmtpServer({
    ...{ host: "127.0.0.1", port: 0, timeouts: systemTimeouts, logger: pino({ level: "silent" }) },
    ...{ recipientOf: async () => undefined, deliver: async () => [] },
  });
  const port = await server.start();
  expect(await lmtp(port)).toMatchObject({ state: "ok", says: `127.0.0.1:${port} responds.` });
  await server.stop();
  expect(await lmtp(port)).toMatchObject({ state: "note", says: expect.stringContaining("no server responds") });

  const other = new SMTPServer({ disabledCommands: ["AUTH", "STARTTLS"] });
  const listening = other.listen(0, "127.0.0.1");
  onTestFinished(() => new Promise<void>((done) => other.close(() => done())));
  await once(listening, "listening");
  expect(await lmtp((listening.address() as AddressInfo).port)).toMatchObject({ state: "problem" });
});

test("PostgreSQL must be 15 or newer, in UTF8, with both extensions available", () => {
  const facts = {
    version: "15.1",
    version_number: 150_001,
    encoding: "UTF8",
    extensions: '["pg_trgm","btree_gin"]',
    now: 0,
  };
  expect(judgePostgres(facts).state).toBe("ok");
  expect(judgePostgres({ ...facts, version_number: 140_009 })).toMatchObject({
    state: "problem",
    do: expect.stringContaining("15"),
  });
  expect(judgePostgres({ ...facts, encoding: "LATIN1" })).toMatchObject({ state: "problem" });
  expect(judgePostgres({ ...facts, extensions: '["pg_trgm"]' })).toMatchObject({
    state: "problem",
    says: expect.stringContaining("Missing extensions: btree_gin"),
  });
});

test("little room is a warning, next to none is a problem", () => {
  const states = [50_000_000, 500_000_000, 5_000_000_000].map(
    (free) => judgeFreeSpace("disk", free, "/data", false).state,
  );
  expect(states).toEqual(["problem", "warning", "ok"]);
});
