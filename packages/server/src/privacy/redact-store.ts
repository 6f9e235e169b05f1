import { statement } from "../storage/statement.ts";
import type { EventRow, MessageRow } from "../storage/tables.ts";

/** The text of a message goes; the row stays. */
export const emptyMessage = statement<Pick<MessageRow, "team_id" | "conversation_id" | "sort_number">>((db, param) =>
  db
    .updateTable("messages")
    .set({ content: null, content_folded: "" })
    .where("team_id", "=", param("team_id"))
    .where("conversation_id", "=", param("conversation_id"))
    .where("sort_number", "=", param("sort_number")),
);

/** The events about a contact that name one of some messages, whose ids are made by `listParam`. */
export const eventsAbout = statement<
  { team_id: string; contact_id: string; about: string },
  Pick<EventRow, "number" | "id" | "data">
>((db, param, dialect) =>
  db
    .selectFrom("events")
    .select(["number", "id", "data"])
    .where("team_id", "=", param("team_id"))
    .where("contact_id", "=", param("contact_id"))
    .where((row) => dialect.isLikeOne(row.ref("data"), param("about")))
    .orderBy("number"),
);

export const replaceData = statement<Pick<EventRow, "team_id" | "number" | "data">>((db, param) =>
  db
    .updateTable("events")
    .set({ data: param("data") })
    .where("team_id", "=", param("team_id"))
    .where("number", "=", param("number")),
);
