/**
 * The floor of the import of mails: one FETCH of all, and for each mail its key, a file that is on the disk, one reading by the MIME
 * parser, and one commit with the rows that a message has. No threads, no rules, no events.
 *
 * Reads a `MailFloorSpec` from standard input, prints the seconds that it took. Environment: DATABASE_URL, or FLOOR_FILE.
 */
import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, rename } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { ImapFlow } from "imapflow";
import pg from "pg";
import PostalMime from "postal-mime";

export interface MailFloorSpec {
  port: number;
  user: string;
  password: string;
  folder: string;
}

type Row = [id: string, key: string, sender: string, subject: string, content: string];

const TABLES = [
  "CREATE TABLE floor_contacts (id TEXT PRIMARY KEY, sender TEXT)",
  "CREATE TABLE floor_conversations (id TEXT PRIMARY KEY, subject TEXT)",
  "CREATE TABLE floor_messages (id TEXT PRIMARY KEY, content TEXT)",
  "CREATE TABLE floor_imports (key TEXT PRIMARY KEY, id TEXT)",
];

const { port, user, password, folder }: MailFloorSpec = JSON.parse(await text(process.stdin));
const store = process.env.DATABASE_URL ? await postgres(process.env.DATABASE_URL) : sqlite(join(folder, "floor.db"));
await mkdir(join(folder, "mails"), { recursive: true });
const client = new ImapFlow({
  ...{ host: "127.0.0.1", port, secure: false, doSTARTTLS: false, logger: false },
  auth: { user, pass: password },
});
await client.connect();
await client.mailboxOpen("INBOX", { readOnly: true });
const began = performance.now();
for await (const { source } of client.fetch("1:*", { source: true })) if (source) await take(source);
console.log((performance.now() - began) / 1_000);
await client.logout();
await store.end();

async function take(raw: Buffer): Promise<void> {
  const id = randomUUID();
  const path = join(folder, "mails", id);
  await onDisk(`${path}.new`, (handle) => handle.writeFile(raw));
  await rename(`${path}.new`, path);
  await onDisk(join(folder, "mails"));
  const { from, subject = "", text: content = "" } = await PostalMime.parse(raw);
  await store.insert([id, createHash("sha256").update(raw).digest("hex"), from?.address ?? "", subject, content]);
}

async function onDisk(path: string, write?: (handle: Awaited<ReturnType<typeof open>>) => Promise<void>) {
  const handle = await open(path, write ? "wx" : "r");
  await write?.(handle);
  await handle.sync();
  await handle.close();
}

function sqlite(file: string) {
  const db = new DatabaseSync(file);
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  for (const table of TABLES) db.exec(table);
  const [contact, conversation, message, imported] = ["contacts", "conversations", "messages", "imports"].map((name) =>
    db.prepare(`INSERT INTO floor_${name} VALUES (?, ?)`),
  );
  return {
    async insert([id, key, sender, subject, content]: Row) {
      db.exec("BEGIN");
      contact?.run(id, sender);
      conversation?.run(id, subject);
      message?.run(id, content);
      imported?.run(key, id);
      db.exec("COMMIT");
    },
    end: async () => db.close(),
  };
}

async function postgres(url: string) {
  const db = new pg.Client(url);
  await db.connect();
  for (const table of TABLES) await db.query(table);
  const insert = `WITH a AS (INSERT INTO floor_contacts VALUES ($1, $3)), b AS (INSERT INTO floor_conversations VALUES ($1, $4)),
    c AS (INSERT INTO floor_messages VALUES ($1, $5)) INSERT INTO floor_imports VALUES ($2, $1)`;
  return {
    async insert(row: Row) {
      await db.query({ name: "insert", text: insert, values: row });
    },
    end: () => db.end(),
  };
}
