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
 * Statements that look over the teams on purpose: start-up, the command line, sign-in, a restore, the queue's "who has work" and the
 * clean-up's "who has what to delete".
 */
const OVER_TEAMS = new Set([
  "allTeams",
  "anyTeam",
  "wasMigrated",
  "signInsByEmail",
  "peopleWhoSignIn",
  "teamOfWidget",
  "teamsWithDueJobs",
  "nextJobTime",
  "teamsWithOldJobs",
  "teamsWithOldAnswers",
  "teamsWithOldDeliveries",
  "teamsWithOldCalls",
  "teamsWithOldChanges",
  "teamsWithOldConfirmations",
  "teamsWithUnusedFiles",
  "teamsWithOldSessions",
  "teamsWithOldAudit",
  "deleteEverySession",
  "deleteEveryPasswordReset",
  "queuesWithWork",
  "endLeases",
  "waitingDeliveries",
  "teamsWithContactsLeftOnline",
  "teamsWithAgentsLeftOnline",
]);

test("every statement filters by the team, on both engines", async () => {
  const found = await everyStatement();
  expect(found.length).toBeGreaterThan(40);

  for (const { name, statement } of found) {
    for (const engine of ["sqlite", "postgres"] as const) {
      const { sql } = statement.compiled(engine);
      if (/"installation"/.test(sql) || OVER_TEAMS.has(name)) continue;
      const team = /^insert/.test(sql) ? /^insert into "\w+" \([^)]*"team_id"/ : /where [\s\S]*"team_id" = /;
      expect(sql, `${name} on ${engine}`).toMatch(team);
    }
  }
});
