import { statement } from "../../storage/statement.ts";
import type { MessageRow } from "../../storage/tables.ts";

/** A reply or note after a sort number, written in one of these ways. */
export const writtenByPerson = statement<
  Pick<MessageRow, "team_id" | "conversation_id"> & { after: number; vias: string },
  Pick<MessageRow, "id">
>((db, param, dialect) =>
  db
    .selectFrom("messages")
    .select("id")
    .where("team_id", "=", param("team_id"))
    .where("conversation_id", "=", param("conversation_id"))
    .where("sort_number", ">", param("after"))
    .where("agent_id", "is not", null)
    .where((row) => dialect.isInTexts(row.ref("sent_via"), param("vias")))
    .limit(1),
);
