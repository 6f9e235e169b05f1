import type { SealedPlace } from "../access/vault.ts";
import { every, statement, wholeRow } from "../storage/statement.ts";
import type { WidgetRow } from "../storage/tables.ts";

export const insertWidget = statement<WidgetRow>((db, param) =>
  db.insertInto("widgets").values(wholeRow(param, "widgets")),
);

/** A removed widget is unknown here, and in every other statement that finds widgets. */
export const widgetById = statement<{ team_id: string; id: string }, WidgetRow>((db, param) =>
  db
    .selectFrom("widgets")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id"))
    .where("removed_at", "is", null),
);

export const updateWidgetRow = statement<Pick<WidgetRow, "team_id" | "id" | "name" | "settings">>((db, param) =>
  db
    .updateTable("widgets")
    .set(every(param, ["name", "settings"]))
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

/** What the identity secret of a widget is sealed for. */
export const identitySecretPlace = ({ team_id, id }: Pick<WidgetRow, "team_id" | "id">): SealedPlace => ({
  column: "widgets.identity_secret_sealed",
  teamId: team_id,
  id,
});

export const identitySecretOfWidget = statement<
  Pick<WidgetRow, "team_id" | "id">,
  Pick<WidgetRow, "identity_secret_sealed">
>((db, param) =>
  db
    .selectFrom("widgets")
    .select("identity_secret_sealed")
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

export const setIdentitySecret = statement<
  Pick<WidgetRow, "team_id" | "id" | "identity_secret_sealed" | "identity_secret_at">
>((db, param) =>
  db
    .updateTable("widgets")
    .set(every(param, ["identity_secret_sealed", "identity_secret_at"]))
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

/** A page has loaded it: the first time stays, the last one is updated. */
export const markWidgetSeen = statement<Pick<WidgetRow, "team_id" | "id" | "seen_on"> & { last_seen_at: number }>(
  (db, param) =>
    db
      .updateTable("widgets")
      .set(({ fn, ref }) => ({
        first_seen_at: fn.coalesce(ref("first_seen_at"), param("last_seen_at")),
        last_seen_at: param("last_seen_at"),
        seen_on: param("seen_on"),
      }))
      .where("team_id", "=", param("team_id"))
      .where("id", "=", param("id")),
);

/** Every widget is in the directory, written in the widget's own commit. */
export const insertInWidgetDirectory = statement<{ widget_id: string; team_id: string }>((db, param) =>
  db.insertInto("widget_directory").values(wholeRow(param, "widget_directory")),
);

/** Only its name stays, for what still names it. */
export const markWidgetRemoved = statement<{ team_id: string; id: string; removed_at: number }>((db, param) =>
  db
    .updateTable("widgets")
    .set({
      removed_at: param("removed_at"),
      ...{ icon: null, settings: null, identity_secret_sealed: null, identity_secret_at: null, seen_on: null },
    })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

/** Once nothing refers to it any more. */
export const deleteWidget = statement<{ team_id: string; id: string }>((db, param) =>
  db.deleteFrom("widgets").where("team_id", "=", param("team_id")).where("id", "=", param("id")),
);

export const deleteFromWidgetDirectory = statement<{ widget_id: string }>((db, param) =>
  db.deleteFrom("widget_directory").where("widget_id", "=", param("widget_id")),
);

/** The team of a widget, for visitors and commands that name only the widget. */
export const teamOfWidget = statement<{ id: string }, { team_id: string }>((db, param) =>
  db.selectFrom("widget_directory").select("team_id").where("widget_id", "=", param("id")),
);

/** Oldest first (decision 26). */
export const widgetPage = statement<{ team_id: string; limit: number; offset: number }, WidgetRow>((db, param) =>
  db
    .selectFrom("widgets")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("removed_at", "is", null)
    .orderBy("created_at")
    .orderBy("id")
    .limit(param("limit"))
    .offset(param("offset")),
);
