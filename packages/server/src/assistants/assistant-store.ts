import { type Kysely, sql } from "kysely";
import { every, statement, wholeRow } from "../storage/statement.ts";
import type { AssistantRow, Tables } from "../storage/tables.ts";
import type { AssistantState, AssistantWithCreator } from "./assistant.ts";

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

/** Connections with their creators. */
export const withCreator = (db: Kysely<Tables>) =>
  db
    .selectFrom("assistants")
    .leftJoin("agents", (join) =>
      join.onRef("agents.team_id", "=", "assistants.team_id").onRef("agents.id", "=", "assistants.created_by"),
    )
    .selectAll("assistants")
    .select(["agents.role as creator_role", "agents.status as creator_status"]);

export const assistantById = statement<ById, AssistantWithCreator>((db, param) =>
  withCreator(db).where("assistants.team_id", "=", param("team_id")).where("assistants.id", "=", param("id")),
);

/** For the command line, which names a connection by id only. */
export const teamOfAssistant = statement<{ id: string }, { team_id: string }>((db, param) =>
  db.selectFrom("assistants").select("team_id").where("id", "=", param("id")),
);

export const assistantByToken = statement<{ team_id: string; token_hash: string }, AssistantWithCreator>((db, param) =>
  withCreator(db)
    .where("assistants.team_id", "=", param("team_id"))
    .where("assistants.token_hash", "=", param("token_hash")),
);

/** Ends the previous token. */
export const renewAssistantTokenRow = statement<
  ById & Pick<AssistantRow, "token_hash" | "token_ending" | "created_by" | "updated_at">
>((db, param) =>
  db
    .updateTable("assistants")
    .set(every(param, ["token_hash", "token_ending", "created_by", "updated_at"]))
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

/** Oldest first, including revoked ones. */
export const assistantPage = statement<{ team_id: string; limit: number; offset: number }, AssistantWithCreator>(
  (db, param) =>
    withCreator(db)
      .where("assistants.team_id", "=", param("team_id"))
      .orderBy("assistants.created_at")
      .orderBy("assistants.id")
      .limit(param("limit"))
      .offset(param("offset")),
);

/** The connections an agent created that are not revoked, oldest first. */
export const assistantsOfCreator = statement<{ team_id: string; created_by: string }, AssistantWithCreator>(
  (db, param) =>
    withCreator(db)
      .where("assistants.team_id", "=", param("team_id"))
      .where("assistants.created_by", "=", param("created_by"))
      .where("assistants.state", "<>", sql.lit("revoked" satisfies AssistantState))
      .orderBy("assistants.created_at")
      .orderBy("assistants.id"),
);

/** The connection of an app that this agent has allowed, unless it is revoked. */
export const assistantOfApp = statement<{ team_id: string; created_by: string; app_key: string }, AssistantWithCreator>(
  (db, param) =>
    withCreator(db)
      .where("assistants.team_id", "=", param("team_id"))
      .where("assistants.created_by", "=", param("created_by"))
      .where("assistants.app_key", "=", param("app_key"))
      .where("assistants.state", "<>", sql.lit("revoked" satisfies AssistantState))
      .orderBy("assistants.created_at"),
);

export const updateAppRow = statement<ById & { app: string; updated_at: number }>((db, param) =>
  db
    .updateTable("assistants")
    .set(every(param, ["app", "updated_at"]))
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

/** Those whose grant names the widget. */
export const assistantsNaming = statement<{ team_id: string; widget_id: string }, AssistantRow>((db, param) =>
  db
    .selectFrom("assistants")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where((row) => sql<boolean>`${row.ref("widgets")} like '%' || ${param("widget_id")} || '%'`)
    .orderBy("id"),
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
