/** Rows that name an agent by more than an id. They are read in pieces, outside of any write; `about` is made by `listParam`. */
import { statement } from "../storage/statement.ts";
import type { AuditRow, ChannelAccountRow, EventRow, MailRow, MessageRow } from "../storage/tables.ts";

interface OfTeam {
  team_id: string;
}
type Page = OfTeam & { after: string; about: string; limit: number };

/** Where it is stored who did something (`Doer`), and the id by which the rows are read. */
const DOERS = {
  conversations: ["id", "resolved_by"],
  assignments: ["conversation_id", "assigned_by"],
  episodes: ["conversation_id", "resolved_by"],
  erasures: ["id", "requested_by"],
  holds: ["contact_id", "held_by"],
} as const;
type TableOfDoers = keyof typeof DOERS;

/** Typed as one of the tables: the columns of each are in the list. */
const placeOf = (table: TableOfDoers) => {
  const [id, column] = DOERS[table] as (typeof DOERS)["conversations"];
  return { of: table as "conversations", id, column };
};

/** The ids of rows after the id `after` whose doer is like `about`, each once. */
function doersNaming(table: TableOfDoers) {
  const { of, id, column } = placeOf(table);
  return statement<Page, { id: string }>((db, param, dialect) =>
    db
      .selectFrom(of)
      .select(`${of}.${id} as id`)
      .distinct()
      .where("team_id", "=", param("team_id"))
      .where(id, ">", param("after"))
      .where((row) => dialect.isLikeOne(row.ref(column), param("about")))
      .orderBy(id)
      .limit(param("limit")),
  );
}

function renameDoers(table: TableOfDoers) {
  const { of, id, column } = placeOf(table);
  return statement<OfTeam & { ids: string; about: string; doer: string }>((db, param, dialect) =>
    db
      .updateTable(of)
      .set({ [column]: param("doer") })
      .where("team_id", "=", param("team_id"))
      .where((row) => dialect.isIn(row.ref(id), param("ids")))
      .where((row) => dialect.isLikeOne(row.ref(column), param("about"))),
  );
}

export const namingOfDoers = {
  conversations: doersNaming("conversations"),
  assignments: doersNaming("assignments"),
  episodes: doersNaming("episodes"),
  erasures: doersNaming("erasures"),
  holds: doersNaming("holds"),
} as const;

export const renamingOfDoers = {
  conversations: renameDoers("conversations"),
  assignments: renameDoers("assignments"),
  episodes: renameDoers("episodes"),
  erasures: renameDoers("erasures"),
  holds: renameDoers("holds"),
} as const satisfies Record<keyof typeof namingOfDoers, unknown>;

export const tablesOfDoers = Object.keys(namingOfDoers) as TableOfDoers[];

export const eventsNaming = statement<
  OfTeam & { after: number; up_to: number; about: string },
  Pick<EventRow, "number" | "id" | "data">
>((db, param, dialect) =>
  db
    .selectFrom("events")
    .select(["number", "id", "data"])
    .where("team_id", "=", param("team_id"))
    .where("number", ">", param("after"))
    .where("number", "<=", param("up_to"))
    .where((row) => dialect.isLikeOne(row.ref("data"), param("about")))
    .orderBy("number"),
);

type AuditLine = Pick<AuditRow, "id" | "actor_id" | "what" | "ip">;

/** Lines after the line `after` that are about an agent, or by them. */
export const auditNaming = statement<Page & { agent_id: string }, AuditLine>((db, param, dialect) =>
  db
    .selectFrom("audit_log")
    .select(["id", "actor_id", "what", "ip"])
    .where("team_id", "=", param("team_id"))
    .where("id", ">", param("after"))
    .where((row) =>
      row.or([row("actor_id", "=", param("agent_id")), dialect.isLikeOne(row.ref("what"), param("about"))]),
    )
    .orderBy("id")
    .limit(param("limit")),
);

export const replaceLine = statement<Pick<AuditRow, "team_id" | "id" | "what" | "ip">>((db, param) =>
  db
    .updateTable("audit_log")
    .set({ what: param("what"), ip: param("ip") })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

/** Mails after the mail `after`, with the agent who sent each and the brand that it is sent for. */
export const mailsAfter = statement<
  OfTeam & { after: string; limit: number },
  Pick<MailRow, "sender"> &
    Pick<MessageRow, "id" | "agent_id"> &
    Pick<ChannelAccountRow, "settings"> & { brand: string | null }
>((db, param) =>
  db
    .selectFrom("mails")
    .innerJoin("messages", (join) =>
      join.onRef("messages.team_id", "=", "mails.team_id").onRef("messages.id", "=", "mails.message_id"),
    )
    .innerJoin("channel_accounts", (join) =>
      join
        .onRef("channel_accounts.team_id", "=", "mails.team_id")
        .onRef("channel_accounts.id", "=", "mails.account_id"),
    )
    .leftJoin("widgets", (join) =>
      join
        .onRef("widgets.team_id", "=", "channel_accounts.team_id")
        .onRef("widgets.id", "=", "channel_accounts.home_widget_id"),
    )
    .select(["messages.id", "messages.agent_id", "mails.sender", "channel_accounts.settings", "widgets.name as brand"])
    .where("mails.team_id", "=", param("team_id"))
    .where("mails.message_id", ">", param("after"))
    .orderBy("mails.message_id")
    .limit(param("limit")),
);

export const renameSender = statement<Pick<MailRow, "team_id" | "message_id" | "sender">>((db, param) =>
  db
    .updateTable("mails")
    .set({ sender: param("sender") })
    .where("team_id", "=", param("team_id"))
    .where("message_id", "=", param("message_id")),
);
