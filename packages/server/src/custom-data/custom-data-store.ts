import { every, statement, wholeRow } from "../storage/statement.ts";
import type { CustomDataRow, CustomFieldRow } from "../storage/tables.ts";

interface OfTeam {
  team_id: string;
}

/** The public part of a custom field. */
export type ShownField = Pick<CustomFieldRow, "id" | "name">;

export const insertCustomField = statement<CustomFieldRow>((db, param) =>
  db.insertInto("custom_fields").values(wholeRow(param, "custom_fields")),
);

export const customFieldByName = statement<OfTeam & { name: string }, ShownField>((db, param) =>
  db
    .selectFrom("custom_fields")
    .select(["id", "name"])
    .where("team_id", "=", param("team_id"))
    .where("name", "=", param("name")),
);

/** Every custom field of the team, oldest first. */
export const allCustomFields = statement<OfTeam, ShownField>((db, param) =>
  db.selectFrom("custom_fields").select(["id", "name"]).where("team_id", "=", param("team_id")).orderBy("id"),
);

/** One value of a contact, under its name. */
export type CustomValueRow = Pick<CustomDataRow, "field_id" | "value" | "updated_at" | "source"> & { name: string };

/** The custom data of a contact, oldest field first. */
export const customDataOfContact = statement<OfTeam & { contact_id: string }, CustomValueRow>((db, param) =>
  db
    .selectFrom("custom_data")
    .innerJoin("custom_fields", (join) =>
      join
        .onRef("custom_fields.team_id", "=", "custom_data.team_id")
        .onRef("custom_fields.id", "=", "custom_data.field_id"),
    )
    .select(["custom_data.field_id", "custom_fields.name", "custom_data.value"])
    .select(["custom_data.updated_at", "custom_data.source"])
    .where("custom_data.team_id", "=", param("team_id"))
    .where("custom_data.contact_id", "=", param("contact_id"))
    .orderBy("custom_data.field_id"),
);

type OfContact = OfTeam & Pick<CustomDataRow, "contact_id" | "field_id">;

export const customValue = statement<OfContact, Pick<CustomDataRow, "value" | "updated_at" | "source">>((db, param) =>
  db
    .selectFrom("custom_data")
    .select(["value", "updated_at", "source"])
    .where("team_id", "=", param("team_id"))
    .where("contact_id", "=", param("contact_id"))
    .where("field_id", "=", param("field_id")),
);

export const insertCustomValue = statement<CustomDataRow>((db, param) =>
  db.insertInto("custom_data").values(wholeRow(param, "custom_data")),
);

export const updateCustomValue = statement<CustomDataRow>((db, param) =>
  db
    .updateTable("custom_data")
    .set(every(param, ["value", "updated_at", "source"]))
    .where("team_id", "=", param("team_id"))
    .where("contact_id", "=", param("contact_id"))
    .where("field_id", "=", param("field_id")),
);

export const deleteCustomValue = statement<OfContact>((db, param) =>
  db
    .deleteFrom("custom_data")
    .where("team_id", "=", param("team_id"))
    .where("contact_id", "=", param("contact_id"))
    .where("field_id", "=", param("field_id")),
);

// The team's fields, as an admin manages them

export const customFieldById = statement<OfTeam & { id: string }, ShownField>((db, param) =>
  db
    .selectFrom("custom_fields")
    .select(["id", "name"])
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

/** A custom field, and how many contacts have a value of it. */
export interface FieldInUse extends ShownField {
  contacts: number;
}

/** Every custom field of the team with its use, oldest first. */
export const customFieldsInUse = statement<OfTeam, FieldInUse>((db, param) =>
  db
    .selectFrom("custom_fields")
    .leftJoin("custom_data", (join) =>
      join
        .onRef("custom_data.team_id", "=", "custom_fields.team_id")
        .onRef("custom_data.field_id", "=", "custom_fields.id"),
    )
    .select(["custom_fields.id", "custom_fields.name"])
    .select((row) => row.fn.count<number>("custom_data.contact_id").as("contacts"))
    .where("custom_fields.team_id", "=", param("team_id"))
    .groupBy(["custom_fields.id", "custom_fields.name"])
    .orderBy("custom_fields.id"),
);

export const renameCustomField = statement<OfTeam & Pick<CustomFieldRow, "id" | "name">>((db, param) =>
  db
    .updateTable("custom_fields")
    .set({ name: param("name") })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

/** A field of which no contact has a value any more. */
export const deleteCustomField = statement<OfTeam & { id: string }>((db, param) =>
  db.deleteFrom("custom_fields").where("team_id", "=", param("team_id")).where("id", "=", param("id")),
);

/** Every contact's value of a field. */
export const deleteValuesOfField = statement<OfTeam & { field_id: string }>((db, param) =>
  db.deleteFrom("custom_data").where("team_id", "=", param("team_id")).where("field_id", "=", param("field_id")),
);
