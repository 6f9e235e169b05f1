/**
 * `npm run bench:size`: every list, search and deep page with 10,000 messages in 1,000 conversations, and with 1,000,000 in
 * 100,000, in one run on each engine. Prints how many times slower the p99 is with the large data. The rows are inserted by
 * SQL, spread over a year as real ones are.
 *
 * --engine  sqlite or postgres alone
 * --only    a part of a request's name
 * --small   100,000 messages instead of a million
 * --json    one JSON document instead of lines
 */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { INBOX_PREFIX } from "../packages/core/src/contract/inbox.ts";
import type { LoadResult } from "./load.ts";
import { readOptions } from "./options.ts";
import { type Env, load, onEachEngine, type Place, setUpTeam, startOurs, type Team } from "./processes.ts";

const options = readOptions(["json", "engine", "only"], { small: { type: "boolean", default: false } });
const SECONDS = 3;
const FEW = 1_000;
const MANY = options.small ? 10_000 : 100_000;
const MESSAGES_EACH = 10;
const YEAR_MS = 365 * 24 * 60 * 60 * 1_000;

interface Seeded extends Team {
  env: Env;
  conversations: number;
  conversationId: string;
}

const addresses: Record<string, (at: Seeded) => string> = {
  "contacts, first page": () => "/contacts?limit=10",
  "contacts, middle page": ({ conversations }) => `/contacts?limit=10&page=${conversations / 20}`,
  "contacts, last page": ({ conversations }) => `/contacts?limit=10&page=${conversations / 10}`,
  "contacts, search for one": () => "/contacts?search=v777@",
  "contacts, search for a hundredth": () => "/contacts?search=team142",
  "contacts, search for two words": () => "/contacts?search=team%2042",
  "contacts, search for all": () => "/contacts?search=visitor",
  "contacts, search by two letters": () => "/contacts?search=77",
  "contacts, search by id": ({ widgetId }) => `/contacts?search=${widgetId}`,
  "conversations, first page": () => "/conversations/all?limit=10",
  "conversations, middle page": ({ conversations }) => `/conversations/all?limit=10&page=${conversations / 20}`,
  "conversations, last page": ({ conversations }) => `/conversations/all?limit=10&page=${conversations / 10}`,
  "conversations, all fields": () =>
    "/conversations/all?limit=10&include_fields=contact_name,latest_message,agents,unread_messages",
  "messages, first page": ({ conversationId }) => `/conversations/${conversationId}/messages`,
  "messages, search": ({ conversationId }) => `/conversations/${conversationId}/messages?search=line%203`,
  "inbox, open": () => `${INBOX_PREFIX}/conversations?view=open`,
  "inbox, all from half a year ago on": ({ widgetId }) =>
    `${INBOX_PREFIX}/conversations?view=all&before=${HALF_A_YEAR_AGO},${widgetId}`,
  "inbox, mine": () => `${INBOX_PREFIX}/conversations?view=mine`,
  "inbox, a tag of every tenth": () => `${INBOX_PREFIX}/conversations?view=open&tag_id=${TAG_ID}`,
  "inbox, a channel that has none": () => `${INBOX_PREFIX}/conversations?view=all&channel=email`,
  "inbox, counts": () => `${INBOX_PREFIX}/counts`,
  "inbox, a search for one": () => `${INBOX_PREFIX}/search?q=visitor%20777%20`,
  "inbox, a search in vain": () => `${INBOX_PREFIX}/search?q=no%20such%20words`,
  "inbox, a conversation": ({ conversationId }) => `${INBOX_PREFIX}/conversations/${conversationId}`,
};
const HALF_A_YEAR_AGO = new Date(Date.now() - YEAR_MS / 2).toISOString();
const TAG_ID = "01900000-0000-7000-8000-000000000001";

interface Row {
  engine: string;
  request: string;
  few: LoadResult;
  many: LoadResult;
  /** p99 with the large data to p99 with the small. */
  p99: number;
}

const rows: Row[] = [];

async function measure({ engine, newEnv }: Place): Promise<void> {
  const few = await seeded(await newEnv(), FEW);
  const many = await seeded(await newEnv(), MANY);
  const [fewPort, manyPort] = [await startOurs(few.env), await startOurs(many.env)];
  for (const [request, address] of Object.entries(addresses)) {
    if (!request.includes(String(options.only))) continue;
    const path = (at: Seeded) => (request.startsWith("inbox") ? address(at) : `/api/v1${address(at)}`);
    const run = (at: Seeded, port: number) =>
      load({
        port,
        connections: 1,
        seconds: SECONDS,
        method: "GET",
        path: path(at),
        headers: { "X-API-KEY": at.apiKey },
      });
    const result = { few: await run(few, fewPort), many: await run(many, manyPort) };
    const row = { engine, request, ...result, p99: result.many.p99 / result.few.p99 };
    rows.push(row);
    if (!options.json) print(row);
  }
}

async function seeded(env: Env, conversations: number): Promise<Seeded> {
  const team = await setUpTeam(env);
  const conversationId = env.DATABASE_URL
    ? await fillPostgres(env.DATABASE_URL, team, conversations)
    : fillSqlite(join(String(env.DATA_DIR), "frontdesk.db"), team, conversations);
  return { ...team, env, conversations, conversationId };
}

function print({ engine, request, few, many, p99 }: Row): void {
  const figures = (result: LoadResult) =>
    `p50 ${result.p50.toFixed(2).padStart(7)}  p99 ${result.p99.toFixed(2).padStart(7)} ms`;
  console.log(
    `${engine.padEnd(9)}${request.padEnd(34)} small ${figures(few)}   large ${figures(many)}   p99 ×${p99.toFixed(2)}`,
  );
}

/** `n` counts from 1; a conversation's contact has its number. Two thirds are resolved. */
const contactText = (n: string) => `'visitor ' || ${n} || ' of team' || (100 + ${n} % 100) || ' '`;

/** A tenth of the conversations has a tag, and a hundredth of the open ones an agent. */
function inboxRows({ teamId, agentId }: Team): string[] {
  const some = (digits: number) => `last_active_at_of_contact % ${digits} = 0`;
  const conversations = `(SELECT conversations.*, contacts.last_active_at / 1000 AS last_active_at_of_contact
    FROM conversations JOIN contacts ON contacts.team_id = conversations.team_id AND contacts.id = conversations.contact_id) AS chosen`;
  return [
    `INSERT INTO tags (team_id, id, name, name_folded, created_at) VALUES ('${teamId}', '${TAG_ID}', 'refund', 'refund', 1)`,
    `INSERT INTO conversation_tags (team_id, conversation_id, tag_id, created_at)
      SELECT team_id, id, '${TAG_ID}', 1 FROM ${conversations} WHERE ${some(10)}`,
    `INSERT INTO assignments (team_id, conversation_id, agent_id, assigned_by, created_at)
      SELECT team_id, id, '${agentId}', '{"system":{}}', 1 FROM ${conversations} WHERE ${some(100)} AND is_resolved = 0`,
    `UPDATE conversations SET assigned_count = 1 WHERE id IN (SELECT conversation_id FROM assignments)`,
  ];
}

function fillSqlite(file: string, team: Team, conversations: number): string {
  const { teamId, agentId, widgetId } = team;
  const db = new DatabaseSync(file);
  db.function("new_uuid", () => randomUUID());
  const start = Date.now() - YEAR_MS;
  const step = Math.floor(YEAR_MS / conversations);
  const count = (to: number) =>
    `WITH RECURSIVE count(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < ${to})`;
  db.exec("BEGIN");
  db.exec(`INSERT INTO contacts (team_id, id, widget_id, name, email, email_folded, phone_digits, search_text, bgcolor,
      online_status, last_active_at, is_name_updated, created_at)
    ${count(conversations)} SELECT '${teamId}', new_uuid(), '${widgetId}', ${contactText("n")}, 'v' || n || '@example.com',
      'v' || n || '@example.com', '', ${contactText("n")} || char(31) || 'v' || n || '@example.com', '#000000', 'offline',
      ${start} + n * ${step}, 0, ${start} FROM count`);
  db.exec(`INSERT INTO conversations (team_id, id, contact_id, account_id, widget_id, channel, is_resolved, unread_messages,
      last_message_at, last_message_number, last_sort_number, message_count, created_at)
    SELECT team_id, new_uuid(), id, widget_id, widget_id, 'website', row_key % 3 > 0, 0, last_active_at, ${MESSAGES_EACH},
      ${MESSAGES_EACH}, ${MESSAGES_EACH}, created_at FROM contacts`);
  db.exec(`INSERT INTO messages (team_id, conversation_id, sort_number, id, contact_id, agent_id, type, origin, sent_via,
      content, content_folded, created_at)
    ${count(MESSAGES_EACH)} SELECT team_id, id, n, new_uuid(), contact_id, CASE n % 2 WHEN 0 THEN '${agentId}' END,
      'message', 'chat', 'api', 'This is line ' || n || ' of a talk', 'this is line ' || n || ' of a talk', created_at + n
    FROM conversations, count`);
  for (const statement of inboxRows(team)) db.exec(statement);
  db.exec(`UPDATE team_counters SET contacts = ${conversations}, conversations = ${conversations}`);
  db.exec("COMMIT; ANALYZE");
  const row = db.prepare("SELECT id FROM conversations LIMIT 1 OFFSET ?").get(conversations / 2);
  db.close();
  return String(row?.id);
}

async function fillPostgres(url: string, team: Team, conversations: number): Promise<string> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await fillWith(client, team, conversations);
  } finally {
    await client.end();
  }
}

async function fillWith(client: pg.Client, team: Team, conversations: number): Promise<string> {
  const { teamId, agentId, widgetId } = team;
  const start = Date.now() - YEAR_MS;
  const step = Math.floor(YEAR_MS / conversations);
  await client.query(`INSERT INTO contacts (team_id, id, widget_id, name, email, email_folded, phone_digits, search_text,
      bgcolor, online_status, last_active_at, is_name_updated, created_at)
    SELECT '${teamId}', gen_random_uuid(), '${widgetId}', ${contactText("n")}, 'v' || n || '@example.com',
      'v' || n || '@example.com', '', ${contactText("n")} || chr(31) || 'v' || n || '@example.com', '#000000', 'offline',
      ${start} + n::bigint * ${step}, 0, ${start} FROM generate_series(1, ${conversations}) AS n`);
  await client.query(`INSERT INTO conversations (team_id, id, contact_id, account_id, widget_id, channel, is_resolved,
      unread_messages, last_message_at, last_message_number, last_sort_number, message_count, created_at)
    SELECT team_id, gen_random_uuid(), id, widget_id, widget_id, 'website', (last_active_at % 3 > 0)::int, 0, last_active_at,
      ${MESSAGES_EACH}, ${MESSAGES_EACH}, ${MESSAGES_EACH}, created_at FROM contacts`);
  await client.query(`INSERT INTO messages (team_id, conversation_id, sort_number, id, contact_id, agent_id, type, origin,
      sent_via, content, content_folded, created_at)
    SELECT team_id, id, n, gen_random_uuid(), contact_id, CASE n % 2 WHEN 0 THEN '${agentId}'::uuid END, 'message',
      'chat', 'api', 'This is line ' || n || ' of a talk', 'this is line ' || n || ' of a talk', created_at + n
    FROM conversations, generate_series(1, ${MESSAGES_EACH}) AS n`);
  for (const statement of inboxRows(team)) await client.query(statement);
  await client.query(`UPDATE team_counters SET contacts = ${conversations}, conversations = ${conversations}`);
  await client.query("VACUUM ANALYZE");
  const { rows: found } = await client.query("SELECT id FROM conversations OFFSET $1 LIMIT 1", [conversations / 2]);
  return found[0].id;
}

await onEachEngine(options.engine, measure);
if (options.json) console.log(JSON.stringify(rows));
