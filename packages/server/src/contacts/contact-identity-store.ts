import { columnNames } from "../storage/columns.ts";
import { statement, wholeRow } from "../storage/statement.ts";
import type { ContactIdentityRow, ContactRow } from "../storage/tables.ts";

export const insertContactIdentity = statement<ContactIdentityRow>((db, param) =>
  db.insertInto("contact_identities").values(wholeRow(param, "contact_identities")),
);

/** The contact with this identity in an account. */
export const contactByIdentity = statement<Omit<ContactIdentityRow, "contact_id">, ContactRow>((db, param) =>
  db
    .selectFrom("contact_identities")
    .innerJoin("contacts", (join) =>
      join
        .onRef("contacts.team_id", "=", "contact_identities.team_id")
        .onRef("contacts.id", "=", "contact_identities.contact_id"),
    )
    .select(columnNames("contacts").map((column) => `contacts.${column}` as const))
    .where("contact_identities.team_id", "=", param("team_id"))
    .where("contact_identities.account_id", "=", param("account_id"))
    .where("contact_identities.kind", "=", param("kind"))
    .where("contact_identities.value", "=", param("value")),
);
