import { type ExpressionBuilder, sql } from "kysely";
import type { Dialect } from "../storage/dialect.ts";
import { type Param, statement } from "../storage/statement.ts";
import type { ContactRow, Tables } from "../storage/tables.ts";
import type { Named } from "./naming.ts";

/** A contact as it is hidden: with what it is named by in texts about others, which is deleted with it. */
export type ContactToHide = Named & Pick<ContactRow, "id" | "last_active_at">;

/** The columns of a contact to hide. The e-mail of a contact can be changed; the addresses that its mails came from stay. */
export function columnsToHide(
  row: ExpressionBuilder<Tables, "contacts">,
  param: Param<{ team_id: string }>,
  dialect: Dialect,
) {
  const addresses = row
    .selectFrom("contact_identities")
    .select(({ ref }) => dialect.valuesOf(ref("contact_identities.value")).as("values"))
    .where("contact_identities.team_id", "=", param("team_id"))
    .whereRef("contact_identities.contact_id", "=", "contacts.id")
    .where("contact_identities.kind", "=", sql.lit("email"));
  return [
    ...(["id", "last_active_at", "name", "email", "phone_digits", "verified_id"] as const),
    sql<string>`${addresses}`.as("addresses"),
  ] as const;
}

export const contactToHide = statement<{ team_id: string; id: string }, ContactToHide>((db, param, dialect) =>
  db
    .selectFrom("contacts")
    .select((row) => columnsToHide(row, param, dialect))
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);
