/**
 * Every statement of the product runs on this run's engine, against a migrated database in which each table has one row. All ids are
 * one id, all texts one text and all numbers 1, so every join meets its row. Errors in syntax, columns or types show here,
 * also for statements whose own tests run on one engine only.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engine, openTestStorage } from "@frontdesk/testing/test-kit";
import { expect, onTestFinished, test } from "vitest";
import { everyStatement, type NamedStatement } from "../../../../stories/house/every-statement.ts";
import { columnsOf } from "./columns.ts";
import type { Database, Storage } from "./database.ts";
import { contactMatch, contactTerms } from "./dialect.ts";
import { openStorage } from "./open-storage.ts";
import { type CompiledStatement, textStatement } from "./statement.ts";

const ID = "01990000-0000-7000-8000-000000000001";
const TEXT = "text";
const VALUES = { id: ID, text: TEXT, integer: 1, flag: 1 };

const NO_ROW = "no row";
const IDS = JSON.stringify([ID]);

/** Statements that go on after an id. */
const afterIds = (...names: string[]) => Object.fromEntries(names.map((name) => [`${name}.after`, ID]));

/** Parameters that are no column of a table that their statement names; `statement.parameter` for one statement alone. */
const OTHER_PARAMETERS: Record<string, string | number | null> = {
  about: JSON.stringify([TEXT]),
  active_from: 0,
  active_until: 2,
  after_id: ID,
  "advanceCounters.events": 1,
  after: 0,
  addresses: JSON.stringify([TEXT]),
  agent_ids: IDS,
  answered_from: 0,
  answered_to: 2,
  after_cited: TEXT,
  after_uncited: TEXT,
  from_day: "",
  to_day: "zzz",
  "aiAnswerTimes.to": 2,
  "aiOutcomes.to": 2,
  "auditPage.before": ID,
  before: 2,
  before_day: TEXT,
  before_id: ID,
  before_last: 0,
  busy: "[]",
  "callsAfter.after": ID,
  ...afterIds(
    "auditNaming",
    "mailsAfter",
    "namingOfDoers.conversations",
    "namingOfDoers.assignments",
    "namingOfDoers.episodes",
  ),
  ...afterIds("namingOfDoers.erasures", "namingOfDoers.holds"),
  change: 1,
  contact_ids: IDS,
  contact_needle: TEXT,
  conversation_ids: IDS,
  "countWordsIn.words": '[["text","txet",1]]',
  created_before: 2,
  delivered_before: 2,
  digits: TEXT,
  digits_terms: contactTerms(ID, "phone_digits", [TEXT]),
  doer: "{}",
  done_before: 2,
  ended_before: 2,
  event: TEXT,
  event_numbers: "[1]",
  failed_before: 2,
  far: 2,
  "firstAttemptsOfOthers.but": "[]",
  "mailboxesOfDead.living": IDS,
  forgiven_words: JSON.stringify([
    { piece: TEXT, other_piece: TEXT, third_piece: TEXT, patterns: JSON.stringify([TEXT]) },
  ]),
  fresh: "fresh",
  from: 1,
  from_words: JSON.stringify([TEXT]),
  ids: IDS,
  is_handed_over: 0,
  is_unread: 0,
  kept: ID,
  least: 1,
  lease_before: 2,
  lease_far: 2,
  latest: 6_000,
  "publishedArticlesAfter.after": ID,
  limit: 10,
  lists: JSON.stringify([TEXT]),
  look: 10,
  match: contactMatch(ID, [TEXT], null),
  mentioned: null,
  message_ids: IDS,
  message_needle: TEXT,
  mine: null,
  most: 1,
  needle: TEXT,
  needle_terms: contactTerms(ID, "search_text", [TEXT]),
  now: 1,
  offset: 0,
  other_id: ID,
  others: JSON.stringify([TEXT]),
  per_team: 10,
  pattern: `%${TEXT}%`,
  "putArticleWords.words": '[["text","txet",1]]',
  quoted_name: TEXT,
  rank_from: 0,
  rank_to: 2,
  reach: 10,
  "releaseClaims.but": "[]",
  rows: "[]",
  sealed: TEXT,
  sealed_now: "v2.",
  searched_words: JSON.stringify([{ word: TEXT, stem: TEXT }]),
  seen_attempts: 1,
  seen_before: 2,
  silent_since: 1,
  since: 1,
  steady_now: 1,
  step: 1,
  "filteredPiece.status": "open",
  "filteredOfContactsHolding.status": "open",
  "filteredForgivingPiece.status": "open",
  tag_ids: IDS,
  "filteredPiece.tag_ids": JSON.stringify([{ tag_id: ID }]),
  "filteredOfContactsHolding.tag_ids": JSON.stringify([{ tag_id: ID }]),
  "filteredForgivingPiece.tag_ids": JSON.stringify([{ tag_id: ID }]),
  to: "zzz",
  token_hashes: '["hash"]',
  types: JSON.stringify([TEXT]),
  until: 0,
  until_id: ID,
  up_to: 1,
  visible_channels: null,
  visible_widgets: null,
  waiting_from: 0,
  waiting_to: 2,
  words: JSON.stringify([TEXT]),
  "writeQueue.due_from": 0,
  "anonymizeEpisodes.new_id": ID,
  "anonymizeAiEpisodes.new_id": ID,
  "blankToolCalls.about": ID,
  event_ids: IDS,
  "eventsAbout.about": IDS,
  vias: JSON.stringify([TEXT]),
};

const statements = await everyStatement();

test("every statement runs on this engine, and answers with the columns and types of the other one", async () => {
  const { storage } = await openTestStorage();
  const answers = await runEvery(storage);
  expect(answers.size).toBeGreaterThan(450);
  expect([...answers.values()].filter((answer) => answer !== NO_ROW).length).toBeGreaterThan(225);

  // SQLite is always available, PostgreSQL only in its own run.
  if (engine === "sqlite") return;
  const dataDir = mkdtempSync(join(tmpdir(), "frontdesk-test-"));
  const onSqlite = openStorage({ databaseUrl: undefined, dataDir });
  onTestFinished(async () => {
    await onSqlite.close();
    rmSync(dataDir, { recursive: true });
  });
  const sameOnBoth = (found: Map<string, string>) =>
    Object.fromEntries(
      [...found].filter(([name]) => !statements.some((one) => one.name === name && onlyEngineOf(one))),
    );
  expect(sameOnBoth(answers)).toEqual(sameOnBoth(await runEvery(onSqlite)));
});

/** Runs each statement in a transaction that is rolled back; answers the columns of its first row and their types. */
async function runEvery(storage: Storage): Promise<Map<string, string>> {
  await storage.migrate();
  await storage.write(null, fillEveryTable);
  const answers = new Map<string, string>();
  const failures: string[] = [];
  for (const { name, statement } of statements.filter(
    (one) => (onlyEngineOf(one) ?? storage.engine) === storage.engine,
  )) {
    const compiled: CompiledStatement<never> = statement.compiled(storage.engine);
    try {
      // An insert is run beside the row that is there where it says what to do about it, and in an empty table.
      if (!compiled.sql.startsWith("insert") || / on conflict /.test(compiled.sql)) {
        answers.set(name, await runOnce(storage, { name, statement }));
      }
      const target = /\binsert into "(\w+)"/.exec(compiled.sql)?.[1];
      if (target) answers.set(`${name} into an empty table`, await runOnce(storage, { name, statement }, target));
    } catch (error) {
      failures.push(`${name}: ${(error as Error).message}\n  ${compiled.sql}`);
    }
  }
  expect(failures).toEqual([]);
  return answers;
}

async function runOnce(
  storage: Storage,
  { name, statement }: Pick<NamedStatement, "name" | "statement">,
  emptied?: string,
): Promise<string> {
  const rollback = new Error("rolled back");
  let answer = NO_ROW;
  const compiled: CompiledStatement<never> = statement.compiled(storage.engine);
  const work = async (db: Database) => {
    if (emptied || compiled.sql.startsWith("delete")) await ignoreForeignKeys(db);
    if (emptied) await db.run(textStatement(`DELETE FROM ${emptied}`), {});
    const row = await db.first(statement, parametersOf(name, compiled) as never);
    if (row) answer = shapeOf(row);
    throw rollback;
  };
  await storage.write(null, work).catch((error) => {
    if (error !== rollback) throw error;
  });
  return answer;
}

/** For the rest of a transaction that is rolled back: what refers to a deleted row stays as it is. */
async function ignoreForeignKeys(db: Database): Promise<void> {
  const text =
    db.engine === "postgres" ? "SET LOCAL session_replication_role = replica" : "PRAGMA defer_foreign_keys = ON";
  await db.run(textStatement(text), {});
}

async function fillEveryTable(db: Database): Promise<void> {
  for (const { name, statement } of statements.filter((one) => /^rowsOf\(\w+\)\.insert$/.test(one.name))) {
    if (name === "rowsOf(installation).insert") await db.run(textStatement("DELETE FROM installation"), {});
    await db.run(statement, parametersOf(name, statement.compiled(db.engine)) as never);
  }
}

function parametersOf<P>(name: string, { sql, params }: CompiledStatement<P>): Record<string, string | number | null> {
  const tables = [...sql.matchAll(/\b(?:from|into|update|join) "(\w+)"/g)].map(([, table]) => table as string);
  return Object.fromEntries(
    params.flatMap((param) => (param === null ? [] : [[param, valueFor(`${name}.${param}`, param, tables)]])),
  );
}

/** By the first table of the statement that has such a column; for a name that is no column there, by any table. */
function valueFor(place: string, param: string, tables: string[]): string | number | null {
  const columns: Record<string, Record<string, string>> = columnsOf;
  const kind = (names: string[]) => names.map((table) => columns[table]?.[param]).find((found) => found !== undefined);
  const plausible = (found: string | undefined) => found && VALUES[found.replace("?", "") as keyof typeof VALUES];
  const value =
    OTHER_PARAMETERS[place] ??
    plausible(kind(tables)) ??
    OTHER_PARAMETERS[param] ??
    plausible(kind(Object.keys(columns)));
  if (value === undefined && !(param in OTHER_PARAMETERS)) {
    throw new Error(`The parameter ${place} is no column: add it to OTHER_PARAMETERS.`);
  }
  return value ?? null;
}

function shapeOf(row: unknown): string {
  const members = Object.entries(row as object).map(
    ([name, value]) => `${name} ${value === null ? "null" : typeof value}`,
  );
  return members.sort().join(", ");
}

/** The engine of a statement that is written for one. */
function onlyEngineOf({ declared: { path }, name }: NamedStatement): "sqlite" | "postgres" | undefined {
  if (path.endsWith("/storage/postgres.ts")) return "postgres";
  if (!path.endsWith("/storage/engine-facts.ts")) return undefined;
  return name.startsWith("sqlite") ? "sqlite" : "postgres";
}
