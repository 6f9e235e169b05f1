import type { AgentStatus } from "@frontdesk/core/domain/agent";
import type { SessionReach } from "@frontdesk/core/domain/factors";
import { type Kysely, sql } from "kysely";
import { every, statement, wholeRow } from "../storage/statement.ts";
import type { AgentRow, PasswordResetRow, SessionRow, Tables } from "../storage/tables.ts";

interface OfAgent {
  team_id: string;
  agent_id: string;
}

/**
 * The agents who may sign in with an e-mail and a password, the oldest team first: a person can be in several teams. Not those whose
 * team requires single sign-on for the domain, unless they are owners who keep their password.
 */
export const agentsByEmail = statement<
  { email_folded: string; domain: string },
  Pick<AgentRow, "team_id" | "id"> & { password_hash: string | null }
>((db, param) =>
  db
    .selectFrom("sign_ins")
    .innerJoin("agents", (join) =>
      join.onRef("agents.team_id", "=", "sign_ins.team_id").onRef("agents.id", "=", "sign_ins.agent_id"),
    )
    .leftJoin("sso_domains", (join) =>
      join.onRef("sso_domains.team_id", "=", "sign_ins.team_id").on("sso_domains.domain", "=", param("domain")),
    )
    .leftJoin("break_glass_owners", (join) =>
      join
        .onRef("break_glass_owners.team_id", "=", "sign_ins.team_id")
        .onRef("break_glass_owners.agent_id", "=", "sign_ins.agent_id"),
    )
    .select(["agents.team_id", "agents.id", "agents.password_hash"])
    .where("sign_ins.email_folded", "=", param("email_folded"))
    .where(({ or, eb }) =>
      or([eb("sso_domains.required_at", "is", null), eb("break_glass_owners.agent_id", "is not", null)]),
    )
    .where("agents.status", "=", sql.lit("active" satisfies AgentStatus))
    .orderBy("sign_ins.team_id"),
);

export const insertSession = statement<SessionRow>((db, param) =>
  db.insertInto("sessions").values(wholeRow(param, "sessions")),
);

export type SessionToCheck = Pick<
  SessionRow,
  "id" | "agent_id" | "created_at" | "last_seen_at" | "verified_at" | "reach" | "ends_at"
> &
  Pick<AgentRow, "role" | "status" | "availability">;

/** A session with its agent: everything authentication needs, in one read. */
export const sessionByToken = statement<{ team_id: string; token_hash: string }, SessionToCheck>((db, param) =>
  sessionToCheck(db)
    .where("sessions.team_id", "=", param("team_id"))
    .where("sessions.token_hash", "=", param("token_hash")),
);

/** By the token before its present one. */
export const sessionByReplacedToken = statement<{ team_id: string; token_hash: string }, SessionToCheck>((db, param) =>
  sessionToCheck(db)
    .where("sessions.team_id", "=", param("team_id"))
    .where("sessions.replaced_hash", "=", param("token_hash")),
);

export const sessionById = statement<{ team_id: string; id: string }, SessionToCheck>((db, param) =>
  sessionToCheck(db).where("sessions.team_id", "=", param("team_id")).where("sessions.id", "=", param("id")),
);

function sessionToCheck(db: Kysely<Tables>) {
  return db
    .selectFrom("sessions")
    .innerJoin("agents", (join) =>
      join.onRef("agents.team_id", "=", "sessions.team_id").onRef("agents.id", "=", "sessions.agent_id"),
    )
    .select([
      "sessions.id",
      "sessions.agent_id",
      "sessions.created_at",
      "sessions.last_seen_at",
      "sessions.verified_at",
      "sessions.reach",
      "sessions.ends_at",
      "agents.role",
      "agents.status",
      "agents.availability",
    ]);
}

/** After a proof. */
export const replaceSessionToken = statement<Pick<SessionRow, "team_id" | "id" | "token_hash" | "verified_at">>(
  (db, param) =>
    db
      .updateTable("sessions")
      .set(({ ref }) => ({
        replaced_hash: ref("token_hash"),
        token_hash: param("token_hash"),
        verified_at: param("verified_at"),
      }))
      .where("team_id", "=", param("team_id"))
      .where("id", "=", param("id")),
);

/** The agent has added the factor that they had to. */
export const openEnrolledSessions = statement<OfAgent>((db, param) =>
  db
    .updateTable("sessions")
    .set({ reach: sql.lit("everything" satisfies SessionReach) })
    .where("team_id", "=", param("team_id"))
    .where("agent_id", "=", param("agent_id"))
    .where("reach", "=", sql.lit("enrolment" satisfies SessionReach)),
);

export const markSessionSeen = statement<{ team_id: string; id: string; last_used_at: number }>((db, param) =>
  db
    .updateTable("sessions")
    .set({ last_seen_at: param("last_used_at") })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

/** The latest seen first. */
export const sessionsOfAgent = statement<OfAgent, SessionRow>((db, param) =>
  db
    .selectFrom("sessions")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("agent_id", "=", param("agent_id"))
    .orderBy("last_seen_at", "desc")
    .orderBy("id", "desc"),
);

export const deleteSession = statement<OfAgent & { id: string }>((db, param) =>
  db
    .deleteFrom("sessions")
    .where("team_id", "=", param("team_id"))
    .where("agent_id", "=", param("agent_id"))
    .where("id", "=", param("id")),
);

/** All of an agent except `kept`. */
export const deleteSessionsOfAgent = statement<OfAgent & { kept: string }>((db, param) =>
  db
    .deleteFrom("sessions")
    .where("team_id", "=", param("team_id"))
    .where("agent_id", "=", param("agent_id"))
    .where("id", "<>", param("kept")),
);

export interface OldSessions {
  seen_before: number;
  created_before: number;
  now: number;
}

/** The teams that have sessions that are over, each once. */
export const teamsWithOldSessions = statement<OldSessions, { team_id: string }>((db, param) =>
  db
    .selectFrom("sessions")
    .select("team_id")
    .distinct()
    .where(({ or, eb }) =>
      or([
        eb("last_seen_at", "<=", param("seen_before")),
        eb("created_at", "<=", param("created_before")),
        eb("ends_at", "<=", param("now")),
      ]),
    ),
);

/** Deletes sessions of the team that are over, at most `limit` of them. */
export const deleteOldSessions = statement<OldSessions & { team_id: string; limit: number }>((db, param) =>
  db
    .deleteFrom("sessions")
    .where("team_id", "=", param("team_id"))
    .where("id", "in", ({ selectFrom }) =>
      selectFrom("sessions")
        .select("id")
        .where("team_id", "=", param("team_id"))
        .where(({ or, eb }) =>
          or([
            eb("last_seen_at", "<=", param("seen_before")),
            eb("created_at", "<=", param("created_before")),
            eb("ends_at", "<=", param("now")),
          ]),
        )
        .limit(param("limit")),
    ),
);

/** For a restored backup: sessions of that time may have been ended since. */
export const deleteEverySession = statement<Record<never, never>>((db) => db.deleteFrom("sessions"));
export const deleteEveryPasswordReset = statement<Record<never, never>>((db) => db.deleteFrom("password_resets"));

/** Replaces the previous link. */
export const keepPasswordReset = statement<PasswordResetRow>((db, param) =>
  db
    .insertInto("password_resets")
    .values(wholeRow(param, "password_resets"))
    .onConflict((conflict) =>
      conflict.columns(["team_id", "agent_id"]).doUpdateSet(every(param, ["token_hash", "created_at", "expires_at"])),
    ),
);

export const passwordResetByToken = statement<{ team_id: string; token_hash: string }, PasswordResetRow>((db, param) =>
  db
    .selectFrom("password_resets")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("token_hash", "=", param("token_hash")),
);

export const deletePasswordReset = statement<OfAgent>((db, param) =>
  db.deleteFrom("password_resets").where("team_id", "=", param("team_id")).where("agent_id", "=", param("agent_id")),
);
