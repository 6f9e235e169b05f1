/** Mails that a server fetches from a Dovecot while it is killed over and over: each is in once (docs/decisions/0059-incoming-mail.md). */
import { setTimeout as delay } from "node:timers/promises";
import { startDovecot } from "@frontdesk/testing/dovecot";
import { query } from "@frontdesk/testing/second-app";
import { engine } from "@frontdesk/testing/test-kit";
import { afterAll, expect, test } from "vitest";
import { call } from "./counting-subscriber.ts";
import { disorderIn, rowsOf } from "./disorder.ts";
import { seeded } from "./kill-while-writing.ts";
import { newServerProcess, type ServerProcess } from "./server-process.ts";

const KILLS = 50;
const PARTS = 5;
const MAILS = 1_000;
/** The kill comes after so many more mails were taken or imported, and so many milliseconds later. */
const MOST_MAILS_BEFORE = 24;
const LONGEST_DELAY_MS = 60;
/** Every so many mails one has files. */
const WITH_FILES_EVERY = 5;
const SEED = 20_261_128;
const USER = "support";
const LONGER_THAN_LEASES_MS = 5 * 60_000;

/** Each of a sender of its own: many mails of one are held. */
function mailOf(n: number): string {
  const head = `From: p${n}@people.example\r\nMessage-ID: <${n}@people.example>\r\nSubject: Mail ${n}\r\n`;
  const text = `mail ${n}\r\n`;
  if (n % WITH_FILES_EVERY > 0) return `${head}\r\n${text}`;
  const part = (headers: string, content: string) => `--b\r\n${headers}\r\n\r\n${content}\r\n`;
  const file = (name: string) =>
    `Content-Type: text/csv\r\nContent-Disposition: attachment; filename="${name}-${n}.csv"`;
  const parts = [part("Content-Type: text/plain", text), part(file("a"), "1,2"), part(file("b"), "3,4")];
  return `${head}MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${parts.join("")}--b--\r\n`;
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const ALL = numbers(1, MAILS);
const textsOf = (ns: number[]) => ns.map((n) => `mail ${n}`).toSorted();
const namesOf = (ns: number[]) =>
  ns.flatMap((n) => (n % WITH_FILES_EVERY === 0 ? [`a-${n}.csv`, `b-${n}.csv`] : [])).toSorted();

/** What a killed process held is free at once: mailboxes of PostgreSQL's processes, and jobs. */
async function killAndStartAtOnce(server: ServerProcess): Promise<void> {
  await server.kill();
  const storage = server.open();
  for (const table of ["jobs", "mail_readers"]) {
    await storage.write(null, (db) =>
      rowsOf(db, `UPDATE ${table} SET lease_until = lease_until - ${LONGER_THAN_LEASES_MS}`),
    );
  }
  await storage.close();
  await server.start();
}

const dovecot = await startDovecot();
afterAll(() => dovecot.stop());
const postgres = engine === "postgres" ? process.env.TEST_POSTGRES_URL : undefined;
const server = await newServerProcess(postgres, { CHANNEL_ALLOWED_NETWORKS: "127.0.0.0/8" });
afterAll(() => server.remove());
const team = await server.team("Acme");
await server.start();
const storage = server.open();
afterAll(() => storage.close());
const column = async (text: string) => (await query(storage, text)).map((row) => Object.values(row)[0]);
const count = async (table: string) => Number((await column(`SELECT count(*) AS n FROM ${table}`))[0]);
const TAKEN = "mail_imports";
const IMPORTED = "messages WHERE type = 'message'";
const random = seeded(SEED);
const hits = { taking: 0, importing: 0, done: 0 };

test("a mailbox is connected to, and mails come in while no server runs", async () => {
  dovecot.deliver(USER, mailOf(0));
  const { host, port, password } = dovecot;
  const inbound = { kind: "imap", host, port, security: "none", username: USER, password };
  const settings = { address: "support@acme.example", inbound };
  await call(server, team, "/channels", { channel: "email", widget_id: team.widgetId, settings });
  await expect.poll(() => column("SELECT last_uid FROM mail_folders")).toEqual([1]);
  await server.kill();
  for (const n of ALL) dovecot.deliver(USER, mailOf(n));
  await killAndStartAtOnce(server);
});

// In parts, none of which takes too long on a busy machine.
test.each(numbers(1, PARTS))("mails come in while the server is killed (part %i)", async () => {
  for (let kill = 1; kill <= KILLS / PARTS; kill += 1) {
    // Now it is killed by what it has taken, now by what it has imported.
    const table = random() < 0.5 ? TAKEN : IMPORTED;
    const from = await count(table);
    const enough = Math.min(MAILS, from + Math.floor(random() * MOST_MAILS_BEFORE));
    await expect.poll(() => count(table), { interval: 2 }).toBeGreaterThanOrEqual(enough);
    await delay(random() * LONGEST_DELAY_MS);
    await killAndStartAtOnce(server);
    const [taken, imported] = [await count(TAKEN), await count(IMPORTED)];
    hits[taken < MAILS ? "taking" : imported < MAILS ? "importing" : "done"] += 1;
  }
});

test("each of them is in once, with its files and one event", async () => {
  console.log(`Kills while mails were fetched: ${hits.taking}, while the last were imported: ${hits.importing}.`);
  // The premise: most strike while there is something to lose.
  expect(hits.done).toBeLessThan(KILLS / 2);
  await expect.poll(() => count(IMPORTED)).toBeGreaterThanOrEqual(MAILS);
  await expect.poll(() => count("jobs WHERE state IN ('waiting', 'running')")).toBe(0);
  const texts = await column(`SELECT content FROM ${IMPORTED}`);
  expect(texts.map((text) => String(text).trim()).toSorted()).toEqual(textsOf(ALL));
  expect((await column("SELECT name FROM attachments")).toSorted()).toEqual(namesOf(ALL));
  expect(await count("events WHERE name = 'message.received'")).toBe(MAILS);
  expect(await count("conversations")).toBe(MAILS);
  expect(await column("SELECT DISTINCT state FROM mail_imports")).toEqual(["imported"]);
  expect(await disorderIn(storage)).toEqual([]);
});
