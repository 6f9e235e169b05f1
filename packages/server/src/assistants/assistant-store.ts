import { sql } from "kysely";
import { every, statement, wholeRow } from "../storage/statement.ts";
import type { AssistantRow } from "../storage/tables.ts";

interface ById {
  team_id: string;
  id: string;
}

const changing = ["name", "permissions", "widgets", "channels", "agent_id", "state", "updated_at"] as const;

export const insertAssistant = statement<AssistantRow>((db, param) =>
  db.insertInto("assistants").values(wholeRow(param, "assistants")),
);

export const updateAssistantRow = statement<ById & Pick<AssistantRow, (typeof changing)[number]>>((db, param) =>
  db
    .updateTable("assistants")
    .set(every(param, changing))
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

export const assistantById = statement<ById, AssistantRow>((db, param) =>
  db.selectFrom("assistants").selectAll().where("team_id", "=", param("team_id")).where("id", "=", param("id")),
);

export const assistantByToken = statement<{ team_id: string; token_hash: string }, AssistantRow>((db, param) =>
  db
    .selectFrom("assistants")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("token_hash", "=", param("token_hash")),
);

/** Ends the token that it had. */
export const renewAssistantTokenRow = statement<
  ById & Pick<AssistantRow, "token_hash" | "token_ending" | "updated_at">
>((db, param) =>
  db
    .updateTable("assistants")
    .set(every(param, ["token_hash", "token_ending", "updated_at"]))
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

/** Oldest first, the revoked ones among them. */
export const assistantPage = statement<{ team_id: string; limit: number; offset: number }, AssistantRow>((db, param) =>
  db
    .selectFrom("assistants")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .orderBy("created_at")
    .orderBy("id")
    .limit(param("limit"))
    .offset(param("offset")),
);

export const assistantTotal = statement<{ team_id: string }, { total: number }>((db, param) =>
  db.selectFrom("assistants").select(sql<number>`count(*)`.as("total")).where("team_id", "=", param("team_id")),
);

export const markAssistantUsed = statement<ById & { last_used_at: number }>((db, param) =>
  db
    .updateTable("assistants")
    .set({ last_used_at: param("last_used_at") })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);
