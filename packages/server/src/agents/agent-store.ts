import type { AgentRole, AgentStatus, Availability } from "@frontdesk/core/domain/agent";
import { sql } from "kysely";
import { every, statement, wholeRow } from "../storage/statement.ts";
import type { AgentRow, InvitationRow } from "../storage/tables.ts";

interface ById {
  team_id: string;
  id: string;
}

export const insertAgent = statement<AgentRow>((db, param) =>
  db.insertInto("agents").values(wholeRow(param, "agents")),
);

/** The directory for sign-in: the teams of an e-mail. */
export const insertSignIn = statement<{ email_folded: string; team_id: string; agent_id: string }>((db, param) =>
  db.insertInto("sign_ins").values(wholeRow(param, "sign_ins")),
);

export const signInsByEmail = statement<{ email_folded: string }, { team_id: string; agent_id: string }>((db, param) =>
  db
    .selectFrom("sign_ins")
    .select(["team_id", "agent_id"])
    .where("email_folded", "=", param("email_folded"))
    .orderBy("team_id"),
);

export const agentById = statement<ById, AgentRow>((db, param) =>
  db.selectFrom("agents").selectAll().where("team_id", "=", param("team_id")).where("id", "=", param("id")),
);

/** For the command line, which names an agent by id only. */
export const teamOfAgent = statement<{ id: string }, { team_id: string }>((db, param) =>
  db.selectFrom("agents").select("team_id").where("id", "=", param("id")),
);

/** Also a row that is no person: its address is taken, too. */
export const agentByEmail = statement<{ team_id: string; email_folded: string }, AgentRow>((db, param) =>
  db
    .selectFrom("agents")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("email_folded", "=", param("email_folded")),
);

export const personByEmail = statement<{ team_id: string; email_folded: string }, AgentRow>((db, param) =>
  db
    .selectFrom("agents")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("email_folded", "=", param("email_folded"))
    .where("account_id", "is", null),
);

/** The row that speaks for a channel account or the built-in AI, once there is one. */
export const agentOfChannelAccount = statement<{ team_id: string; account_id: string }, AgentRow>((db, param) =>
  db
    .selectFrom("agents")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("account_id", "=", param("account_id")),
);

/** The founder of the team: the default agent where no other is named. */
export const firstOwner = statement<{ team_id: string }, AgentRow>((db, param) =>
  db
    .selectFrom("agents")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("role", "=", sql.lit("CHAT_AGENT_OWNER" satisfies AgentRole))
    .where("status", "=", sql.lit("active" satisfies AgentStatus))
    .orderBy("created_at")
    .orderBy("id")
    .limit(1),
);

/** People and the built-in AI, oldest first (decision 26). A channel account's row is deactivated. */
export const agentPage = statement<{ team_id: string; limit: number; offset: number }, AgentRow>((db, param) =>
  db
    .selectFrom("agents")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where((row) =>
      row.or([row("account_id", "is", null), row("status", "=", sql.lit("active" satisfies AgentStatus))]),
    )
    .orderBy("created_at")
    .orderBy("id")
    .limit(param("limit"))
    .offset(param("offset")),
);

/** People alone, oldest first. */
export const personPage = statement<{ team_id: string; limit: number; offset: number }, AgentRow>((db, param) =>
  db
    .selectFrom("agents")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("account_id", "is", null)
    .orderBy("created_at")
    .orderBy("id")
    .limit(param("limit"))
    .offset(param("offset")),
);

/** The people whom visitors can reach now, oldest first. */
export const agentsOnline = statement<{ team_id: string; limit: number }, AgentRow>((db, param) =>
  db
    .selectFrom("agents")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("status", "=", sql.lit("active" satisfies AgentStatus))
    .where("online_status", "=", sql.lit("online"))
    .where("account_id", "is", null)
    .orderBy("created_at")
    .orderBy("id")
    .limit(param("limit")),
);

/** People who are not deactivated (`canBeChosen`), oldest first. */
export const agentsWhoCanAct = statement<{ team_id: string; limit: number }, AgentRow>((db, param) =>
  db
    .selectFrom("agents")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("status", "<>", sql.lit("deactivated" satisfies AgentStatus))
    .where("account_id", "is", null)
    .orderBy("created_at")
    .orderBy("id")
    .limit(param("limit")),
);

/** Completes the agent who accepts an invitation. */
export const activateAgent = statement<ById & { name: string | null; status: string; password_hash: string | null }>(
  (db, param) =>
    db
      .updateTable("agents")
      .set({ name: param("name"), status: param("status"), password_hash: param("password_hash") })
      .where("team_id", "=", param("team_id"))
      .where("id", "=", param("id")),
);

/** Everything of an agent that a person can change: name, photo, role, and status. */
export const updateAgentRow = statement<
  ById &
    Pick<AgentRow, "name" | "role" | "status" | "online_status" | "availability"> &
    Pick<AgentRow, "profile_photo_url" | "resized_profile_photo_url">
>((db, param) =>
  db
    .updateTable("agents")
    .set(
      every(param, [
        "name",
        "role",
        "status",
        "online_status",
        "availability",
        "profile_photo_url",
        "resized_profile_photo_url",
      ]),
    )
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

export const setAgentPassword = statement<ById & { password_hash: string }>((db, param) =>
  db
    .updateTable("agents")
    .set({ password_hash: param("password_hash") })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

/** The owners who can sign in, or could with a new password. */
export const activeOwners = statement<{ team_id: string }, { id: string }>((db, param) =>
  db
    .selectFrom("agents")
    .select("id")
    .where("team_id", "=", param("team_id"))
    .where("role", "=", sql.lit("CHAT_AGENT_OWNER" satisfies AgentRole))
    .where("status", "=", sql.lit("active" satisfies AgentStatus)),
);

/** The owners and admins who can sign in, or could with a new password. */
export const activeAdmins = statement<{ team_id: string }, Pick<AgentRow, "name" | "email">>((db, param) =>
  db
    .selectFrom("agents")
    .select(["name", "email"])
    .where("team_id", "=", param("team_id"))
    .where(
      "role",
      "in",
      (["CHAT_AGENT_OWNER", "CHAT_AGENT_ADMIN"] satisfies AgentRole[]).map((role) => sql.lit(role)),
    )
    .where("status", "=", sql.lit("active" satisfies AgentStatus)),
);

export const insertInvitation = statement<InvitationRow>((db, param) =>
  db.insertInto("invitations").values(wholeRow(param, "invitations")),
);

export const invitationByToken = statement<{ team_id: string; token_hash: string }, InvitationRow>((db, param) =>
  db
    .selectFrom("invitations")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("token_hash", "=", param("token_hash")),
);

export const deleteInvitation = statement<{ team_id: string; agent_id: string }>((db, param) =>
  db.deleteFrom("invitations").where("team_id", "=", param("team_id")).where("agent_id", "=", param("agent_id")),
);

/** An agent who has chosen to be away is shown so while online. */
export const markAgentPresent = statement<ById & Pick<AgentRow, "online_status" | "last_active_at">>((db, param) =>
  db
    .updateTable("agents")
    .set(({ eb }) => ({
      online_status: eb
        .case()
        .when("availability", "=", sql.lit("away" satisfies Availability))
        .then(
          eb
            .case()
            .when(param("online_status"), "=", sql.lit("online"))
            .then(sql.lit("away"))
            .else(param("online_status"))
            .end(),
        )
        .else(param("online_status"))
        .end(),
      last_active_at: param("last_active_at"),
    }))
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

/** People who are not offline and were last seen before `before`: nothing has ended their presence. */
export const agentsLeftOnline = statement<
  { team_id: string; before: number; limit: number },
  Pick<AgentRow, "id" | "last_active_at">
>((db, param) =>
  db
    .selectFrom("agents")
    .select(["id", "last_active_at"])
    .where("team_id", "=", param("team_id"))
    .where("online_status", "<>", sql.lit("offline"))
    .where("last_active_at", "<", param("before"))
    .where("account_id", "is", null)
    .limit(param("limit")),
);

export const teamsWithAgentsLeftOnline = statement<{ before: number }, { team_id: string }>((db, param) =>
  db
    .selectFrom("agents")
    .select("team_id")
    .distinct()
    .where("online_status", "<>", sql.lit("offline"))
    .where("last_active_at", "<", param("before"))
    .where("account_id", "is", null),
);
