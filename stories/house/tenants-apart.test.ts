/**
 * Invariant 4: teams are isolated, in every statement that is declared anywhere; so the tables can be sharded by team
 * (docs/decisions/0041-ready-for-a-cluster.md). The keys of the tables are checked by `storage/keys.test.ts`.
 */
import { expect, test } from "vitest";
import { columnsOf } from "../../packages/server/src/storage/columns.ts";
import { tableKind } from "../../packages/server/src/storage/table-kinds.ts";
import { everyStatement } from "./every-statement.ts";
import { shapeOf } from "./sql-shape.ts";

/**
 * Statements over all teams, each with its reason. The cost of a new one must depend on what is due, not on the number of
 * teams.
 */
const OVER_TEAMS: Record<string, string> = {
  allTeams: "the command line lists the teams",
  anyTeam: "set-up and restore ask whether there is a team",
  teamOfApiKey: "the command line names a key by its id alone",
  teamOfAssistant: "the command line names an assistant by its id alone",
  teamOfAgent: "the command line names an agent by their id alone",
  agentsByEmail: "signing in names an e-mail, which people of several teams may have",
  teamsWithDueJobs: "the job runner looks for what is due",
  teamsWithOldJobs: "clean-up",
  dueTimers: "the timer worker looks for what is due",
  nextTimer: "the timer worker sleeps until then",
  providersToShow: "the sign-in page, before a team is known",
  teamsWithOldTimers: "clean-up",
  dueTurns: "the worker of the AI's turns looks for what is due",
  freeEveryTurn: "a process that starts alone frees what the one before it had claimed",
  openBreakers: "metrics",
  teamsWithOldRuns: "clean-up",
  teamsWithOldContactUsage: "clean-up",
  failedTimers: "doctor tells of timers that were given up",
  teamsWithOldAnswers: "clean-up",
  teamsWithLateErasures: "clean-up",
  teamsWithOldErasures: "clean-up",
  teamsWithEventsAboutErasing: "clean-up",
  teamsWithOldItems: "clean-up",
  teamsWithRemovedQueues: "clean-up",
  teamsWithOldCalls: "clean-up",
  teamsWithOldChanges: "clean-up",
  teamsWithOldConfirmations: "clean-up",
  teamsWithOldHeldReplies: "clean-up",
  teamsWithUnusedFiles: "clean-up",
  teamsWithOldSessions: "clean-up",
  teamsWithOldBrowsers: "clean-up",
  teamsWithOldChallenges: "clean-up",
  teamsWithOldSecondSteps: "clean-up",
  passkeysOfOtherHosts: "doctor counts those that PUBLIC_URL has orphaned",
  teamsWithOldAudit: "clean-up",
  teamsWithOldAppTokens: "clean-up",
  teamsWithOldAppGrants: "clean-up",
  teamsWithOldMails: "clean-up",
  teamsWithOldSpam: "clean-up",
  deleteEverySession: "a restore signs everybody out",
  deleteEverySecondStep: "a restore ends what was begun",
  deleteEveryBrowser: "a restore trusts no browser",
  deleteEveryAppToken: "a restore disconnects apps",
  deleteEveryAppGrant: "the same",
  endEveryJobLease: "a restore runs no job of then",
  deleteEveryPasswordReset: "a restore ends all links",
  queuesWithWork: "the outbox worker looks for what waits",
  endLeases: "a process that starts alone ends what the one before it had claimed",
  waitingItems: "metrics",
  mailboxesDue: "the mail reader looks for accounts that have changed",
  mailboxesOfDead: "the mail reader looks for mailboxes of processes that died",
  mailboxesOfReader: "a process that stops gives its mailboxes back",
  teamsWithContactsLeftOnline: "presence of a process that crashed is ended",
  teamsWithAgentsLeftOnline: "presence of a process that crashed is ended",
};

/** A backup reads all rows, and a restore writes all. */
const WHOLE_TABLE = /^rowsOf\(\w+\)\.(count|firstPage|nextPage|insert)$/;

const isOfTeams = ({ table }: { table: string }) => table in columnsOf && tableKind(table) === "team";

const statements = (await everyStatement())
  .filter(({ name }) => !WHOLE_TABLE.test(name))
  .flatMap(({ name, statement }) =>
    (["sqlite", "postgres"] as const).map((engine) => {
      const { sql } = statement.compiled(engine);
      return { name, engine, sql, shape: shapeOf(sql) };
    }),
  );
const found = new Set(statements.map(({ name }) => name));

/** The statements with this property on one engine. */
const namesWhere = (isSo: (one: (typeof statements)[number]) => boolean) =>
  [...new Set(statements.filter(isSo).map(({ name }) => name))].sort();

test("every statement reaches rows of one team that it is given, but for the looks over all teams that are named here", () => {
  expect(found.size).toBeGreaterThan(300);
  const over = namesWhere(({ shape }) => shape.reaches.some((reach) => isOfTeams(reach) && !reach.ofGivenTeam));
  expect(over).toEqual(Object.keys(OVER_TEAMS).sort());
});

test("tables are joined within a team, also in looks over all teams", () => {
  const apart = statements.filter(({ shape }) => shape.reaches.some((reach) => isOfTeams(reach) && !reach.ofOneTeam));
  expect(apart.map(({ name, engine, sql }) => ({ name, engine, sql }))).toEqual([]);
});

test("an insert says which team the row is of, and whose row it may meet", () => {
  for (const { name, shape } of statements) {
    for (const { table, columns, conflict } of shape.inserts.filter(isOfTeams)) {
      expect({ name, table, columns }).toEqual({ name, table, columns: expect.arrayContaining(["team_id"]) });
      if (conflict) expect({ name, table, first: conflict[0] }).toEqual({ name, table, first: "team_id" });
    }
  }
});

test("no row moves to another team", () => {
  expect(namesWhere(({ shape }) => shape.updatedColumns.includes("team_id"))).toEqual([]);
});

// A cluster cannot plan it.
test("no insert has a query among its values", () => {
  const asking = namesWhere(({ shape }) => shape.inserts.some(({ asksInValues }) => asksInValues));
  expect(asking).toEqual([]);
});

test("what a statement does is read from its text", () => {
  const given = { ofGivenTeam: true, ofOneTeam: true };
  const team = '"a"."team_id" = $1';
  expect(shapeOf(`select * from "a" where ${team} and "id" = $2`).reaches).toEqual([{ table: "a", ...given }]);
  for (const loose of [
    'select * from "a" where "id" = $1',
    `select * from "a" where (${team} or "id" = $2)`,
    `select * from "a" where not (${team})`,
    `select case when ${team} then 1 end from "a"`,
    'select * from "a" where "team_id" is distinct from $1',
    'delete from "a" where "id" in (select "id" from "b" where "b"."team_id" = $1)',
    'update "a" set "id" = $1 where "team_id" > $2',
  ]) {
    expect(
      shapeOf(loose).reaches.find(({ table }) => table === "a"),
      loose,
    ).toMatchObject({ ofGivenTeam: false });
  }
  const joined = (on: string) => shapeOf(`select * from "a" inner join "b" as "c" on ${on} where ${team}`).reaches;
  expect(joined('"c"."team_id" = "a"."team_id" and "c"."id" = "a"."id"')).toEqual([
    { table: "a", ...given },
    { table: "b", ...given },
  ]);
  expect(joined('"c"."id" = "a"."id"')[1]).toEqual({ table: "b", ofGivenTeam: false, ofOneTeam: false });
  expect(
    shapeOf(
      'with "x" as (select "team_id" from "a") select * from "x" where exists (select 1 from "b" where "b"."team_id" = "x"."team_id")',
    ).reaches,
  ).toEqual([
    { table: "a", ofGivenTeam: false, ofOneTeam: true },
    { table: "b", ofGivenTeam: false, ofOneTeam: true },
  ]);
  expect(
    shapeOf(
      'insert into "a" ("team_id", "n") values ($1, (select max("n") from "b")) on conflict ("n") do update set "team_id" = $2',
    ),
  ).toEqual({
    reaches: [{ table: "b", ofGivenTeam: false, ofOneTeam: true }],
    inserts: [{ table: "a", columns: ["team_id", "n"], asksInValues: true, conflict: ["n"] }],
    updatedColumns: ["team_id"],
  });
});
