import { sql } from "kysely";
import { statement, wholeRow } from "../storage/statement.ts";
import type { OwnReadRow } from "../storage/tables.ts";

/** How far an agent has read some conversations; those without a row were never read. */
export const ownReadsIn = statement<
  { team_id: string; agent_id: string; conversation_ids: string },
  Pick<OwnReadRow, "conversation_id" | "read_number">
>((db, param, dialect) =>
  db
    .selectFrom("own_reads")
    .select(["conversation_id", "read_number"])
    .where("team_id", "=", param("team_id"))
    .where("agent_id", "=", param("agent_id"))
    .where((row) => dialect.isIn(row.ref("conversation_id"), param("conversation_ids"))),
);

export const putOwnRead = statement<OwnReadRow>((db, param) =>
  db
    .insertInto("own_reads")
    .values(wholeRow(param, "own_reads"))
    .onConflict((conflict) =>
      conflict
        .columns(["team_id", "agent_id", "conversation_id"])
        .doUpdateSet({ read_number: sql.ref("excluded.read_number") }),
    ),
);
