import { every, statement } from "../storage/statement.ts";
import type { WidgetRow } from "../storage/tables.ts";

export const insertWidget = statement<WidgetRow>((db, param) =>
  db.insertInto("widgets").values(every(param, ["team_id", "id", "name", "icon", "created_at"])),
);

export const widgetById = statement<{ team_id: string; id: string }, WidgetRow>((db, param) =>
  db.selectFrom("widgets").selectAll().where("team_id", "=", param("team_id")).where("id", "=", param("id")),
);

/** Oldest first (decision 26). */
export const widgetPage = statement<{ team_id: string; limit: number; offset: number }, WidgetRow>((db, param) =>
  db
    .selectFrom("widgets")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .orderBy("created_at")
    .orderBy("id")
    .limit(param("limit"))
    .offset(param("offset")),
);
