/** Passkeys of agents, and the challenges that were answered with them. */
import { every, statement, wholeRow } from "../storage/statement.ts";
import type { PasskeyRow, UsedChallengeRow } from "../storage/tables.ts";

interface OfAgent {
  team_id: string;
  agent_id: string;
}

/** The oldest first. */
export const passkeysOfAgent = statement<OfAgent, PasskeyRow>((db, param) =>
  db
    .selectFrom("passkeys")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("agent_id", "=", param("agent_id"))
    .orderBy("id"),
);

export const passkeyByCredential = statement<{ team_id: string; credential_id: string }, PasskeyRow>((db, param) =>
  db
    .selectFrom("passkeys")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("credential_id", "=", param("credential_id")),
);

export const agentsWithPasskey = statement<{ team_id: string }, { agent_id: string }>((db, param) =>
  db.selectFrom("passkeys").select("agent_id").distinct().where("team_id", "=", param("team_id")),
);

export const insertPasskey = statement<PasskeyRow>((db, param) =>
  db.insertInto("passkeys").values(wholeRow(param, "passkeys")),
);

export const notePasskeyUsed = statement<Pick<PasskeyRow, "team_id" | "id" | "counter" | "is_synced" | "last_used_at">>(
  (db, param) =>
    db
      .updateTable("passkeys")
      .set(every(param, ["counter", "is_synced", "last_used_at"]))
      .where("team_id", "=", param("team_id"))
      .where("id", "=", param("id")),
);

export const renamePasskeyRow = statement<OfAgent & Pick<PasskeyRow, "id" | "name">>((db, param) =>
  db
    .updateTable("passkeys")
    .set({ name: param("name") })
    .where("team_id", "=", param("team_id"))
    .where("agent_id", "=", param("agent_id"))
    .where("id", "=", param("id")),
);

export const deletePasskey = statement<OfAgent & { id: string }>((db, param) =>
  db
    .deleteFrom("passkeys")
    .where("team_id", "=", param("team_id"))
    .where("agent_id", "=", param("agent_id"))
    .where("id", "=", param("id")),
);

export const deletePasskeysOfAgent = statement<OfAgent>((db, param) =>
  db.deleteFrom("passkeys").where("team_id", "=", param("team_id")).where("agent_id", "=", param("agent_id")),
);

/** Zero rows for one that was answered before. */
export const useChallenge = statement<UsedChallengeRow>((db, param) =>
  db
    .insertInto("used_challenges")
    .values(wholeRow(param, "used_challenges"))
    .onConflict((conflict) => conflict.columns(["team_id", "challenge_hash"]).doNothing()),
);

export interface OldChallenges {
  before: number;
}

export const teamsWithOldChallenges = statement<OldChallenges, { team_id: string }>((db, param) =>
  db.selectFrom("used_challenges").select("team_id").distinct().where("expires_at", "<=", param("before")),
);

export const deleteOldChallenges = statement<OldChallenges & { team_id: string; limit: number }>((db, param) =>
  db
    .deleteFrom("used_challenges")
    .where("team_id", "=", param("team_id"))
    .where("challenge_hash", "in", ({ selectFrom }) =>
      selectFrom("used_challenges")
        .select("challenge_hash")
        .where("team_id", "=", param("team_id"))
        .where("expires_at", "<=", param("before"))
        .limit(param("limit")),
    ),
);

/** How many passkeys of the installation were made for another host. */
export const passkeysOfOtherHosts = statement<{ rp_id: string }, { count: number }>((db, param) =>
  db
    .selectFrom("passkeys")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("rp_id", "<>", param("rp_id")),
);
