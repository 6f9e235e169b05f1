import { type RawBuilder, type SqlBool, sql } from "kysely";
import { type Param, statement, wholeRow } from "../storage/statement.ts";
import type { HoldRow } from "../storage/tables.ts";

type OfContact = Pick<HoldRow, "team_id" | "contact_id">;

export const holdOn = statement<OfContact, HoldRow>((db, param) =>
  db
    .selectFrom("holds")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("contact_id", "=", param("contact_id")),
);

export const putHold = statement<HoldRow>((db, param) =>
  db
    .insertInto("holds")
    .values(wholeRow(param, "holds"))
    .onConflict((conflict) =>
      conflict.columns(["team_id", "contact_id"]).doUpdateSet((row) => ({
        reason: row.ref("excluded.reason"),
        held_by: row.ref("excluded.held_by"),
        held_at: row.ref("excluded.held_at"),
        until: row.ref("excluded.until"),
      })),
    ),
);

export const deleteHold = statement<OfContact>((db, param) =>
  db.deleteFrom("holds").where("team_id", "=", param("team_id")).where("contact_id", "=", param("contact_id")),
);

/** Of a row of `holds`: it has not ended. */
export const stands = <P extends { now: number }>(param: Param<P>): RawBuilder<SqlBool> =>
  sql`(holds.until is null or holds.until > ${param("now")})`;

/** With the contacts' names, the newest first. */
export const standingHolds = statement<
  { team_id: string; now: number; limit: number },
  HoldRow & { name: string | null; email: string | null }
>((db, param) =>
  db
    .selectFrom("holds")
    .innerJoin("contacts", (join) =>
      join.onRef("contacts.team_id", "=", "holds.team_id").onRef("contacts.id", "=", "holds.contact_id"),
    )
    .selectAll("holds")
    .select(["contacts.name", "contacts.email"])
    .where("holds.team_id", "=", param("team_id"))
    .where(stands(param))
    .orderBy("holds.held_at", "desc")
    .orderBy("holds.contact_id")
    .limit(param("limit")),
);
