import { sql } from "kysely";
import { every, statement } from "../storage/statement.ts";
import type { ListCountRow } from "../storage/tables.ts";

/** Adds `count` (it may be negative) to a period of a list. */
export const addToPeriod = statement<ListCountRow>((db, param) =>
  db
    .insertInto("list_counts")
    .values(every(param, ["team_id", "list", "period", "count"]))
    .onConflict((conflict) =>
      conflict
        .columns(["team_id", "list", "period"])
        .doUpdateSet({ count: sql<number>`list_counts.count + ${sql.ref("excluded.count")}` }),
    ),
);

/** The period that row number `offset` (from 0, newest first) falls into, and how many rows are ahead of the period. */
export const periodAtOffset = statement<
  { team_id: string; list: string; offset: number },
  { period: number; ahead: number }
>((db, param) =>
  db
    .selectFrom(
      db
        .selectFrom("list_counts")
        .select(["period", "count"])
        .select(sql<number>`cast(sum(count) over (order by period desc) as bigint) - count`.as("ahead"))
        .where("team_id", "=", param("team_id"))
        .where("list", "=", param("list"))
        .as("periods"),
    )
    .select(["period", "ahead"])
    .where("ahead", "<=", param("offset"))
    .where((row) => sql<boolean>`${row.ref("ahead")} + ${row.ref("count")} > ${param("offset")}`)
    .limit(1),
);
