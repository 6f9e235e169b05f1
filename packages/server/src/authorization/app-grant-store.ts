import { type Kysely, sql } from "kysely";
import type { AssistantWithCreator } from "../assistants/assistant.ts";
import { withCreator } from "../assistants/assistant-store.ts";
import { statement, wholeRow } from "../storage/statement.ts";
import type { AppGrantRow, AppTokensRow, Tables } from "../storage/tables.ts";

interface ById {
  team_id: string;
  id: string;
}
interface OfGrant {
  team_id: string;
  grant_id: string;
}

export const insertAppGrant = statement<AppGrantRow>((db, param) =>
  db.insertInto("app_grants").values(wholeRow(param, "app_grants")),
);

export const insertAppTokens = statement<AppTokensRow>((db, param) =>
  db.insertInto("app_tokens").values(wholeRow(param, "app_tokens")),
);

export const appGrantByCode = statement<{ team_id: string; code_hash: string }, AppGrantRow>((db, param) =>
  db
    .selectFrom("app_grants")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("code_hash", "=", param("code_hash")),
);

export const markCodeUsed = statement<ById & { code_used_at: number }>((db, param) =>
  db
    .updateTable("app_grants")
    .set({ code_used_at: param("code_used_at") })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

/** What a token belongs to. */
export interface KnownTokens extends AppTokensRow {
  client_id: string;
  resource: string;
  assistant_id: string;
  grant_ends_at: number;
}

const tokensWithGrant = (db: Kysely<Tables>) =>
  db
    .selectFrom("app_tokens")
    .innerJoin("app_grants", (join) =>
      join.onRef("app_grants.team_id", "=", "app_tokens.team_id").onRef("app_grants.id", "=", "app_tokens.grant_id"),
    )
    .selectAll("app_tokens")
    .select([
      "app_grants.client_id",
      "app_grants.resource",
      "app_grants.assistant_id",
      "app_grants.ends_at as grant_ends_at",
    ]);

export const tokensByAccess = statement<{ team_id: string; access_hash: string }, KnownTokens>((db, param) =>
  tokensWithGrant(db)
    .where("app_tokens.team_id", "=", param("team_id"))
    .where("app_tokens.access_hash", "=", param("access_hash")),
);

export const tokensByRefresh = statement<{ team_id: string; refresh_hash: string }, KnownTokens>((db, param) =>
  tokensWithGrant(db)
    .where("app_tokens.team_id", "=", param("team_id"))
    .where("app_tokens.refresh_hash", "=", param("refresh_hash")),
);

/** The connection of an access token, for each request of an app. */
export const assistantByAccessToken = statement<
  { team_id: string; access_hash: string },
  AssistantWithCreator & Pick<AppTokensRow, "access_ends_at" | "used_at"> & { tokens_id: string; resource: string }
>((db, param) =>
  withCreator(db)
    .innerJoin("app_grants", (join) =>
      join
        .onRef("app_grants.team_id", "=", "assistants.team_id")
        .onRef("app_grants.assistant_id", "=", "assistants.id"),
    )
    .innerJoin("app_tokens", (join) =>
      join.onRef("app_tokens.team_id", "=", "app_grants.team_id").onRef("app_tokens.grant_id", "=", "app_grants.id"),
    )
    .select(["app_tokens.access_ends_at", "app_tokens.used_at", "app_tokens.id as tokens_id", "app_grants.resource"])
    .where("assistants.team_id", "=", param("team_id"))
    .where("app_tokens.team_id", "=", param("team_id"))
    .where("app_tokens.access_hash", "=", param("access_hash")),
);

/** One of the two was used; a later use changes nothing. */
export const markAppTokensUsed = statement<ById & { last_used_at: number }>((db, param) =>
  db
    .updateTable("app_tokens")
    .set({ used_at: param("last_used_at") })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id"))
    .where("used_at", "is", null),
);

/** Others were issued for its refresh token; a later time changes nothing. */
export const markReplaced = statement<ById & { replaced_at: number }>((db, param) =>
  db
    .updateTable("app_tokens")
    .set({ replaced_at: param("replaced_at") })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id"))
    .where("replaced_at", "is", null),
);

/** How many successors of a pair were used. */
export const usedSuccessors = statement<OfGrant & { parent_id: string }, { total: number }>((db, param) =>
  db
    .selectFrom("app_tokens")
    .select(sql<number>`count(*)`.as("total"))
    .where("team_id", "=", param("team_id"))
    .where("grant_id", "=", param("grant_id"))
    .where("parent_id", "=", param("parent_id"))
    .where("used_at", "is not", null),
);

export const issuedSince = statement<OfGrant & { since: number }, { total: number }>((db, param) =>
  db
    .selectFrom("app_tokens")
    .select(sql<number>`count(*)`.as("total"))
    .where("team_id", "=", param("team_id"))
    .where("grant_id", "=", param("grant_id"))
    .where("issued_at", ">", param("since")),
);

export const deleteTokensOfGrant = statement<OfGrant>((db, param) =>
  db.deleteFrom("app_tokens").where("team_id", "=", param("team_id")).where("grant_id", "=", param("grant_id")),
);
export const deleteAppGrant = statement<ById>((db, param) =>
  db.deleteFrom("app_grants").where("team_id", "=", param("team_id")).where("id", "=", param("id")),
);

/** The grants of a connection, oldest first. */
export const appGrantsOf = statement<{ team_id: string; assistant_id: string }, { id: string }>((db, param) =>
  db
    .selectFrom("app_grants")
    .select("id")
    .where("team_id", "=", param("team_id"))
    .where("assistant_id", "=", param("assistant_id"))
    .orderBy("created_at")
    .orderBy("id"),
);

/** What can no longer be used. */
export interface OldAppTokens {
  before: number;
}

export const teamsWithOldAppTokens = statement<OldAppTokens, { team_id: string }>((db, param) =>
  db
    .selectFrom("teams")
    .select("team_id")
    .where(({ exists, selectFrom, val }) =>
      exists(
        selectFrom("app_tokens")
          .select(val(1).as("one"))
          .whereRef("app_tokens.team_id", "=", "teams.team_id")
          .where("refresh_ends_at", "<=", param("before")),
      ),
    ),
);

export const deleteOldAppTokens = statement<OldAppTokens & { team_id: string; limit: number }>((db, param) =>
  db
    .deleteFrom("app_tokens")
    .where("team_id", "=", param("team_id"))
    .where("id", "in", ({ selectFrom }) =>
      selectFrom("app_tokens")
        .select("id")
        .where("team_id", "=", param("team_id"))
        .where("refresh_ends_at", "<=", param("before"))
        .limit(param("limit")),
    ),
);

/** Their code was left or all of their tokens are gone. They are few: a person has consented to each. */
export const teamsWithOldAppGrants = statement<OldAppTokens, { team_id: string }>((db, param) =>
  db
    .selectFrom("teams")
    .select("team_id")
    .where(({ exists, selectFrom, val }) =>
      exists(
        selectFrom("app_grants")
          .leftJoin("app_tokens", (join) =>
            join
              .onRef("app_tokens.team_id", "=", "app_grants.team_id")
              .onRef("app_tokens.grant_id", "=", "app_grants.id"),
          )
          .select(val(1).as("one"))
          .whereRef("app_grants.team_id", "=", "teams.team_id")
          .where("app_grants.code_ends_at", "<=", param("before"))
          .where("app_tokens.id", "is", null),
      ),
    ),
);

export const deleteOldAppGrants = statement<OldAppTokens & { team_id: string; limit: number }>((db, param) =>
  db
    .deleteFrom("app_grants")
    .where("team_id", "=", param("team_id"))
    .where("id", "in", ({ selectFrom }) =>
      selectFrom("app_grants as old")
        .leftJoin("app_tokens", (join) =>
          join.onRef("app_tokens.team_id", "=", "old.team_id").onRef("app_tokens.grant_id", "=", "old.id"),
        )
        .select("old.id")
        .where("old.team_id", "=", param("team_id"))
        .where("old.code_ends_at", "<=", param("before"))
        .where("app_tokens.id", "is", null)
        .limit(param("limit")),
    ),
);

/** After a restore, over all teams. */
export const deleteEveryAppToken = statement<Record<never, never>>((db) => db.deleteFrom("app_tokens"));
export const deleteEveryAppGrant = statement<Record<never, never>>((db) => db.deleteFrom("app_grants"));
