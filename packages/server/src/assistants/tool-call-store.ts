import { sql } from "kysely";
import { statement } from "../storage/statement.ts";
import type { ToolCallRow } from "../storage/tables.ts";

/** Some calls at once. `rows`: `rowsParam` of them. */
export const insertToolCalls = statement<{ team_id: string; rows: string }>((db, param, dialect) => {
  const columns = {
    assistant_id: "id",
    id: "id",
    tool: "text",
    arguments: "text",
    outcome: "text",
    message: "text",
    duration_ms: "integer",
    called_at: "integer",
  } as const;
  const names = Object.keys(columns) as (keyof typeof columns)[];
  return db
    .insertInto("tool_calls")
    .columns(["team_id", ...names])
    .expression(({ selectFrom }) =>
      selectFrom(dialect.listedRows<Omit<ToolCallRow, "team_id">>(param("rows"), columns).as("list")).select([
        param("team_id").as("team_id"),
        ...names,
      ]),
    );
});

/** Of one connection, the newest first. */
export const toolCallPage = statement<
  { team_id: string; assistant_id: string; limit: number; offset: number },
  ToolCallRow
>((db, param) =>
  db
    .selectFrom("tool_calls")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("assistant_id", "=", param("assistant_id"))
    .orderBy("id", "desc")
    .limit(param("limit"))
    .offset(param("offset")),
);

/** How many there are, counted no further than `most`. */
export const toolCallTotal = statement<{ team_id: string; assistant_id: string; most: number }, { total: number }>(
  (db, param) =>
    db
      .selectFrom(
        db
          .selectFrom("tool_calls")
          .select("id")
          .where("team_id", "=", param("team_id"))
          .where("assistant_id", "=", param("assistant_id"))
          .limit(param("most"))
          .as("counted"),
      )
      .select(sql<number>`count(*)`.as("total")),
);

/**
 * Which calls have expired: those with an earlier id. Ids rise with time, and the calls of a connection are stored in their
 * order, so its old ones are found without another index. Connections come first in a cross join, because SQLite keeps to its
 * order: by its own choice it reads every call of the team (284 ms of a million, instead of 0.1 ms).
 */
export interface OldCalls {
  before_id: string;
}

/** The teams that have old calls, each once. */
export const teamsWithOldCalls = statement<OldCalls, { team_id: string }>((db, param) =>
  db
    .selectFrom("teams")
    .select("team_id")
    .where(({ exists, selectFrom, val }) =>
      exists(
        selectFrom("assistants")
          .crossJoin("tool_calls")
          .select(val(1).as("one"))
          .whereRef("assistants.team_id", "=", "teams.team_id")
          .whereRef("tool_calls.team_id", "=", "teams.team_id")
          .whereRef("tool_calls.assistant_id", "=", "assistants.id")
          .where("tool_calls.id", "<", param("before_id")),
      ),
    ),
);

/** Deletes old calls of the team, at most `limit` of them. */
export const deleteOldCalls = statement<OldCalls & { team_id: string; limit: number }>((db, param) =>
  db
    .deleteFrom("tool_calls")
    .where("team_id", "=", param("team_id"))
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple("assistant_id", "id"),
        "in",
        selectFrom("assistants")
          .crossJoin("tool_calls as old")
          .select(["old.assistant_id", "old.id"])
          .where("assistants.team_id", "=", param("team_id"))
          .where("old.team_id", "=", param("team_id"))
          .whereRef("old.assistant_id", "=", "assistants.id")
          .where("old.id", "<", param("before_id"))
          .limit(param("limit"))
          .$asTuple("assistant_id", "id"),
      ),
    ),
);
