import { type ApiKeyScope, apiKeyScopes } from "@frontdesk/core/domain/policy";
import { statement, wholeRow } from "../storage/statement.ts";
import type { ApiKeyRow } from "../storage/tables.ts";

export const insertApiKey = statement<ApiKeyRow>((db, param) =>
  db.insertInto("api_keys").values(wholeRow(param, "api_keys")),
);

export type KeyToCheck = Pick<
  ApiKeyRow,
  "id" | "scopes" | "agent_id" | "expires_at" | "last_used_at" | "revoked_at"
> & { api_access: number; agent_role: string; agent_status: string };

/** A key with its team's switch and the role and status of its agent: all that authentication needs, in one read. */
export const apiKeyByHash = statement<{ team_id: string; key_hash: string }, KeyToCheck>((db, param) =>
  db
    .selectFrom("api_keys")
    .innerJoin("teams", "teams.team_id", "api_keys.team_id")
    .innerJoin("agents", (join) =>
      join.onRef("agents.team_id", "=", "api_keys.team_id").onRef("agents.id", "=", "api_keys.agent_id"),
    )
    .select([
      "api_keys.id",
      "api_keys.scopes",
      "api_keys.agent_id",
      "api_keys.expires_at",
      "api_keys.last_used_at",
      "api_keys.revoked_at",
      "teams.api_access",
      "agents.role as agent_role",
      "agents.status as agent_status",
    ])
    .where("api_keys.team_id", "=", param("team_id"))
    .where("api_keys.key_hash", "=", param("key_hash")),
);

/** The scopes a key was given; its agent's role and status may limit them. */
export function givenScopes({ scopes }: Pick<ApiKeyRow, "scopes">): ApiKeyScope[] {
  const stored = JSON.parse(scopes) as string[];
  return apiKeyScopes.filter((scope) => stored.includes(scope));
}

export const markApiKeyUsed = statement<{ team_id: string; id: string; last_used_at: number }>((db, param) =>
  db
    .updateTable("api_keys")
    .set({ last_used_at: param("last_used_at") })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

export const apiKeyById = statement<{ team_id: string; id: string }, ApiKeyRow>((db, param) =>
  db.selectFrom("api_keys").selectAll().where("team_id", "=", param("team_id")).where("id", "=", param("id")),
);

/** For the command line, which names a key by its id alone. */
export const teamOfApiKey = statement<{ id: string }, { team_id: string }>((db, param) =>
  db.selectFrom("api_keys").select("team_id").where("id", "=", param("id")),
);

export const apiKeysOfTeam = statement<{ team_id: string }, Omit<ApiKeyRow, "key_hash">>((db, param) =>
  db
    .selectFrom("api_keys")
    .select([
      "team_id",
      "id",
      "name",
      "key_ending",
      "scopes",
      "agent_id",
      "created_at",
      "expires_at",
      "last_used_at",
      "revoked_at",
    ])
    .where("team_id", "=", param("team_id"))
    .orderBy("created_at")
    .orderBy("id"),
);

export const revokeApiKeyRow = statement<{ team_id: string; id: string; revoked_at: number }>((db, param) =>
  db
    .updateTable("api_keys")
    .set({ revoked_at: param("revoked_at") })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);
