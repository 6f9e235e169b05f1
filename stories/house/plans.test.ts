/**
 * docs/decisions/0043-planner-statistics.md: on SQLite a statement reads what it is about, and not all rows of the team. (PostgreSQL
 * knows its tables by its own statistics.)
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { openSqlite } from "../../packages/server/src/storage/sqlite.ts";
import { everyStatement } from "./every-statement.ts";

/** Tables of which a team has few rows: people and settings. */
const FEW_ROWS =
  /^(teams|team_counters|agents|ai_settings|api_keys|articles|assistants|canned_replies|channel_accounts|custom_fields|retention|saved_views|tags|webhooks|widgets)$/;

/** Statements that may read all of a team's rows of a larger table, each with its reason. */
const WHOLE_TEAMS: Record<string, string> = {
  newestEvent: "the last row of the key",
  oldestEvent: "the first row of the key",
  latestErasures: "the last rows of the key",
  standingHolds: "put by hand, and few",
  countsOfSites: "at most ten sites of 500 pages, counted while a page shows them",
  sitesOfTeam: "at most ten",
  deleteAccountsOfWidget: "the channel accounts of a team, which are few",
  deleteSomeImportsOfWidget: "goes by the channel accounts of a team, which are few",
  "deletionsOfMailboxes.mails":
    "when a widget is removed: all but those of erasures under way have gone with their messages",
  failedJobs: "a command of the operator",
  deleteOldSessions: "clean-up: of agents, who are few",
  deleteOldBrowsers: "clean-up: of agents, who are few",
  deleteOldChallenges: "clean-up: of the last minutes",
  deleteOldSecondSteps: "clean-up: of the last minutes",
  aiRunPage: "the runs of 30 days, read in their order as far as the page",
  aiRunTotal: "the runs of 30 days, counted in an index",
  freeEveryTurnOf: "when the AI is switched off: turns of the last seconds",
  vectorVersions: "one row a team",
  someVector: "the first one, wherever it is",
  deleteVectors: "when a team has no embedding model any more",
  vectorsOfNoArticle: "of the job that embeds articles: those whose article is gone",
  deleteOldContactUsage: "clean-up: of the contacts that the AI has answered today, and on days that are over",
  teamsWithOldContactUsage: "the same",
  agentsWithApp: "the list of people: apps of agents, who are few",
  agentsWithPasskey: "the list of people: passkeys of agents, who are few",
  agentsWithOtherSessions: "when single sign-on becomes required: sessions of agents, who are few",
  deleteSessionsOfProvider: "when a provider is removed: sessions of agents, who are few",
  deleteStepsOfProvider: "when a provider is removed: second steps of the last minutes",
  deleteStepsOfSid: "a logout that a provider reports: second steps of the last minutes",
  deleteSessionsOfSid: "a logout that a provider reports: sessions of agents, who are few",
  deleteOldLogouts: "those of the last minutes",
  domainsOfTeam: "at most 50",
  providersOfTeam: "at most 10",
  deleteRemovedItems: "clean-up: those of removed queues",
  deleteOldAppGrants: "clean-up: a person has consented to each, so they are few",
  teamsWithOldAppGrants: "the same",
  "deletionsOfAgent.held_replies": "replies of the last seconds, and those that were not sent",
  "deletionsOfAgent.timers": "those of such replies",
};

/** A backup reads all rows; the command that seals secrets anew, too. */
const WHOLE_TABLE = /^(rowsOf\(\w+\)\.|sealedTexts\.)/;

const file = join(mkdtempSync(join(tmpdir(), "frontdesk-plans-")), "frontdesk.db");
const storage = openSqlite(file);
await storage.migrate();
await storage.close();
const database = new DatabaseSync(file, { readOnly: true });
const partial = new Set(
  database
    .prepare(`SELECT i.name FROM pragma_table_list AS t, pragma_index_list(t.name) AS i WHERE i.partial`)
    .all()
    .map(({ name }) => name),
);

test("no statement reads all of a team's rows on SQLite but those that are named here, and each of these does", async () => {
  const whole = new Set<string>();
  for (const { name, statement } of await everyStatement()) {
    if (WHOLE_TABLE.test(name)) continue;
    for (const { table, index } of wholeTeamsIn(statement.compiled("sqlite").sql)) {
      // A partial index has the rows that are under way.
      if (!FEW_ROWS.test(table) && !partial.has(index)) whole.add(name);
    }
  }
  expect([...whole].sort()).toEqual(Object.keys(WHOLE_TEAMS).sort());
});

/** Where the plan narrows a table down by `team_id` alone. */
function wholeTeamsIn(sql: string): { table: string; index: string }[] {
  return stepsOf(sql).flatMap((step) => {
    const [, alias = "", index = ""] = /^SEARCH (\S+) .*?USING .*?(\w+) \(team_id=\?\)/.exec(step) ?? [];
    if (!alias) return [];
    const [, table = alias] = new RegExp(`"(\\w+)" as "${alias}"`).exec(sql) ?? [];
    return [{ table, index }];
  });
}

/** @returns nothing for what SQLite cannot read: a statement for PostgreSQL */
function stepsOf(sql: string): string[] {
  try {
    return database
      .prepare(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => String(detail));
  } catch (error) {
    if (String(error).includes("near") || String(error).includes("unrecognized token")) return [];
    throw error;
  }
}
