import { expect, test } from "vitest";
import { migrations } from "../../packages/server/src/storage/migrations/index.ts";
import { columnTypes } from "../../packages/server/src/storage/migrations/migration.ts";
import { everyStatement } from "./every-statement.ts";

/** The installation's own tables, and the directory that sign-in starts from. */
const WITHOUT_TEAM = new Set(["installation", "schema_migrations"]);
const DIRECTORIES = new Set(["sign_ins"]);

const tables = migrations
  .flatMap(({ statements }) => statements(columnTypes.postgres))
  .flatMap((text) => [...text.matchAll(/^CREATE TABLE (\w+) \(([\s\S]*)\)\s*$/g)])
  .map(([, name, body]) => ({ name: name as string, body: body as string }));

test("every table carries the team, and every key of it starts with the team", () => {
  expect(tables.length).toBeGreaterThan(15);
  for (const { name, body } of tables.filter((table) => !WITHOUT_TEAM.has(table.name))) {
    expect(body, name).toMatch(/\bteam_id uuid\b/);
    if (DIRECTORIES.has(name)) continue;
    const keys = [...body.matchAll(/(?:PRIMARY KEY|UNIQUE|FOREIGN KEY) \(([^)]*)\)/g)].map(
      (match) => match[1] as string,
    );
    const single = /team_id uuid PRIMARY KEY/.test(body);
    expect(single || keys.length > 0, name).toBe(true);
    for (const key of keys) expect(key, name).toMatch(/^team_id\b/);
  }
});

/**
 * Statements that look over the teams on purpose: start-up, the command line (also where it names a thing by its id), sign-in, a restore, the queue's "who has work" and the
 * clean-up's "who has what to delete".
 */
const OVER_TEAMS = new Set([
  "allTeams",
  "anyTeam",
  "wasMigrated",
  "signInsByEmail",
  "peopleWhoSignIn",
  "teamOfWidget",
  "teamOfApiKey",
  "teamOfAssistant",
  "teamOfAgent",
  "teamsWithDueJobs",
  "teamsWithOldJobs",
  "teamsWithOldAnswers",
  "teamsWithOldDeliveries",
  "teamsWithOldCalls",
  "teamsWithOldChanges",
  "teamsWithOldConfirmations",
  "teamsWithUnusedFiles",
  "teamsWithOldSessions",
  "teamsWithOldAudit",
  "teamsWithOldMails",
  "deleteEverySession",
  "deleteEveryPasswordReset",
  "queuesWithWork",
  "endLeases",
  "waitingDeliveries",
  "teamsWithContactsLeftOnline",
  "teamsWithAgentsLeftOnline",
]);

/** A backup reads every row there is, and a restore writes every one. */
const WHOLE_TABLE = /^rowsOf\(\w+\)\.(count|firstPage|nextPage|insert)$/;

/** A statement names a table of the teams, in whatever SQL it is written. */
const OF_TEAMS = new RegExp(
  `\\b(${tables
    .map(({ name }) => name)
    .filter((name) => !WITHOUT_TEAM.has(name))
    .join("|")})\\b`,
);

test("every statement filters by the team, on both engines", async () => {
  const found = (await everyStatement()).filter(({ name }) => !WHOLE_TABLE.test(name));
  expect(found.length).toBeGreaterThan(300);
  const names = new Set(found.map(({ name }) => name));
  expect([...OVER_TEAMS].filter((name) => !names.has(name))).toEqual([]);

  for (const { name, statement } of found.filter((one) => !OVER_TEAMS.has(one.name))) {
    for (const engine of ["sqlite", "postgres"] as const) {
      const { sql } = statement.compiled(engine);
      if (!OF_TEAMS.test(sql)) continue;
      const team = /^insert/.test(sql) ? /^insert into "\w+" \([^)]*"team_id"/ : /where [\s\S]*"team_id" = /;
      expect(sql, `${name} on ${engine}`).toMatch(team);
    }
  }
});
