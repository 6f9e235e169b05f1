import { sql } from "kysely";
import { every, statement, wholeRow } from "../storage/statement.ts";
import type { VisitorSessionRow } from "../storage/tables.ts";

type ByToken = Pick<VisitorSessionRow, "team_id" | "token_hash">;

export const insertVisitorSession = statement<VisitorSessionRow>((db, param) =>
  db.insertInto("visitor_sessions").values(wholeRow(param, "visitor_sessions")),
);

export const visitorSession = statement<ByToken, VisitorSessionRow>((db, param) =>
  db
    .selectFrom("visitor_sessions")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("token_hash", "=", param("token_hash")),
);

/** The contact of a session, and until when it is valid. */
export const updateVisitorSession = statement<
  ByToken & Pick<VisitorSessionRow, "contact_id" | "verified_until" | "vouched_by">
>((db, param) =>
  db
    .updateTable("visitor_sessions")
    .set(every(param, ["contact_id", "verified_until", "vouched_by"]))
    .where("team_id", "=", param("team_id"))
    .where("token_hash", "=", param("token_hash")),
);

export const deleteVisitorSession = statement<ByToken>((db, param) =>
  db
    .deleteFrom("visitor_sessions")
    .where("team_id", "=", param("team_id"))
    .where("token_hash", "=", param("token_hash")),
);

/** Ends the sessions verified by the secret of a widget. */
export const endVouchedSessions = statement<{ team_id: string; vouched_by: string }>((db, param) =>
  db
    .updateTable("visitor_sessions")
    .set({ verified_until: sql.lit(0) })
    .where("team_id", "=", param("team_id"))
    .where("vouched_by", "=", param("vouched_by")),
);

/** A browser in which the contact has chatted. */
export const sessionOfContact = statement<Pick<VisitorSessionRow, "team_id" | "contact_id">, VisitorSessionRow>(
  (db, param) =>
    db
      .selectFrom("visitor_sessions")
      .selectAll()
      .where("team_id", "=", param("team_id"))
      .where("contact_id", "=", param("contact_id"))
      .limit(1),
);
