import { every, statement } from "../storage/statement.ts";
import type { VisitorSessionRow } from "../storage/tables.ts";

export const insertVisitorSession = statement<VisitorSessionRow>((db, param) =>
  db
    .insertInto("visitor_sessions")
    .values(every(param, ["team_id", "token_hash", "contact_id", "created_at", "verified_until"])),
);

export const visitorSession = statement<Pick<VisitorSessionRow, "team_id" | "token_hash">, VisitorSessionRow>(
  (db, param) =>
    db
      .selectFrom("visitor_sessions")
      .selectAll()
      .where("team_id", "=", param("team_id"))
      .where("token_hash", "=", param("token_hash")),
);
