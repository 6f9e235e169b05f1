import { statement, wholeRow } from "../storage/statement.ts";
import type { ExternalMessageRow, MessageRow } from "../storage/tables.ts";

type ByExternalId = Pick<ExternalMessageRow, "team_id" | "account_id" | "external_id" | "direction">;

/** The message that has this external id. */
export const externalMessage = statement<ByExternalId, MessageRow>((db, param) =>
  db
    .selectFrom("external_messages")
    .innerJoin("messages", (join) =>
      join
        .onRef("messages.team_id", "=", "external_messages.team_id")
        .onRef("messages.id", "=", "external_messages.message_id"),
    )
    .selectAll("messages")
    .where("external_messages.team_id", "=", param("team_id"))
    .where("external_messages.account_id", "=", param("account_id"))
    .where("external_messages.external_id", "=", param("external_id"))
    .where("external_messages.direction", "=", param("direction")),
);

/** Stores the external id of a sent message; changes nothing when it is stored already, or the message was erased meanwhile. */
export const noteExternalMessage = statement<Omit<ExternalMessageRow, "conversation_id">>((db, param) =>
  db
    .insertInto("external_messages")
    .columns(["team_id", "account_id", "external_id", "direction", "conversation_id", "message_id"])
    .expression((query) =>
      query
        .selectFrom("messages")
        .select([
          "messages.team_id",
          param("account_id").as("account_id"),
          param("external_id").as("external_id"),
          param("direction").as("direction"),
          "messages.conversation_id",
          "messages.id",
        ])
        .where("messages.team_id", "=", param("team_id"))
        .where("messages.id", "=", param("message_id")),
    )
    .onConflict((conflict) => conflict.columns(["team_id", "account_id", "external_id", "direction"]).doNothing()),
);

export const insertExternalMessage = statement<ExternalMessageRow>((db, param) =>
  db.insertInto("external_messages").values(wholeRow(param, "external_messages")),
);
