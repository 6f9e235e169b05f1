/** Rows about others in which an erased contact may be named. They are read in pieces, outside of any write. */
import { sql } from "kysely";
import { statement } from "../storage/statement.ts";
import type { AuditRow, EventRow, JobRow, MessageRow, ToolCallRow } from "../storage/tables.ts";

interface OfTeam {
  team_id: string;
}

export const assistantIds = statement<OfTeam, { id: string }>((db, param) =>
  db.selectFrom("assistants").select("id").where("team_id", "=", param("team_id")),
);

export type LoggedCall = Pick<ToolCallRow, "id" | "arguments" | "message">;

/** Some calls of an assistant after the call `after`, oldest first. */
export const callsAfter = statement<OfTeam & { assistant_id: string; after: string; limit: number }, LoggedCall>(
  (db, param) =>
    db
      .selectFrom("tool_calls")
      .select(["id", "arguments", "message"])
      .where("team_id", "=", param("team_id"))
      .where("assistant_id", "=", param("assistant_id"))
      .where("id", ">", param("after"))
      .orderBy("id")
      .limit(param("limit")),
);

/** The line of the call stays, without what it was called with. */
export const emptyCalls = statement<OfTeam & { assistant_id: string; ids: string }>((db, param, dialect) =>
  db
    .updateTable("tool_calls")
    .set({ arguments: sql.lit("{}"), message: null })
    .where("team_id", "=", param("team_id"))
    .where("assistant_id", "=", param("assistant_id"))
    .where((row) => dialect.isIn(row.ref("id"), param("ids"))),
);

/** Jobs that have gone wrong: the answer of a mail server often names the address. */
export const jobErrors = statement<OfTeam, Pick<JobRow, "id"> & { last_error: string }>((db, param) =>
  db
    .selectFrom("jobs")
    .select(["id", (row) => row.ref("last_error").$notNull().as("last_error")])
    .where("team_id", "=", param("team_id"))
    .where("last_error", "is not", null),
);

export const forgetJobErrors = statement<OfTeam & { ids: string }>((db, param, dialect) =>
  db
    .updateTable("jobs")
    .set({ last_error: null })
    .where("team_id", "=", param("team_id"))
    .where((row) => dialect.isIn(row.ref("id"), param("ids"))),
);

export type NamingEvent = Pick<EventRow, "number" | "data"> & { name: string };

/** Events of a part of the log that may name another contact than their own: a browser has gone over to it, or a mail of it came. */
export const namingEvents = statement<OfTeam & { after: number; up_to: number }, NamingEvent>((db, param) =>
  db
    .selectFrom("events")
    .select(["number", "name", "data"])
    .where("team_id", "=", param("team_id"))
    .where("number", ">", param("after"))
    .where("number", "<=", param("up_to"))
    .where("name", "in", [sql.lit("visitor-session.moved"), sql.lit("system-line.added")])
    .orderBy("number"),
);

/** A mailbox that the team has, or had. */
export const someMailbox = statement<OfTeam, { id: string }>((db, param) =>
  db
    .selectFrom("channel_accounts")
    .select("id")
    .where("team_id", "=", param("team_id"))
    .where("channel", "=", sql.lit("email"))
    .limit(sql.lit(1)),
);

export const replaceContent = statement<Pick<MessageRow, "team_id" | "id" | "content" | "content_folded">>(
  (db, param) =>
    db
      .updateTable("messages")
      .set({ content: param("content"), content_folded: param("content_folded") })
      .where("team_id", "=", param("team_id"))
      .where("id", "=", param("id")),
);

/** Lines of the audit log in which an agent may have written why. */
export const reasonedLines = statement<OfTeam, Pick<AuditRow, "id" | "what">>((db, param) =>
  db
    .selectFrom("audit_log")
    .select(["id", "what"])
    .where("team_id", "=", param("team_id"))
    .where("action", "in", [sql.lit("hold-contact"), sql.lit("redact-message")]),
);

export const replaceWhat = statement<Pick<AuditRow, "team_id" | "id" | "what">>((db, param) =>
  db
    .updateTable("audit_log")
    .set({ what: param("what") })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);
