/** The browsers in which agents have signed in. */
import { every, statement, wholeRow } from "../storage/statement.ts";
import type { KnownBrowserRow } from "../storage/tables.ts";

interface OfAgent {
  team_id: string;
  agent_id: string;
}

export const browserByToken = statement<OfAgent & { token_hash: string }, KnownBrowserRow>((db, param) =>
  db
    .selectFrom("known_browsers")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("agent_id", "=", param("agent_id"))
    .where("token_hash", "=", param("token_hash")),
);

export const insertBrowser = statement<KnownBrowserRow>((db, param) =>
  db.insertInto("known_browsers").values(wholeRow(param, "known_browsers")),
);

export const noteBrowserUsed = statement<
  Pick<KnownBrowserRow, "team_id" | "id" | "last_used_at" | "user_agent" | "trusted_until">
>((db, param) =>
  db
    .updateTable("known_browsers")
    .set(every(param, ["last_used_at", "user_agent", "trusted_until"]))
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

/** The last used first. */
export const trustedBrowsers = statement<OfAgent & { now: number }, KnownBrowserRow>((db, param) =>
  db
    .selectFrom("known_browsers")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("agent_id", "=", param("agent_id"))
    .where("trusted_until", ">", param("now"))
    .orderBy("last_used_at", "desc")
    .orderBy("id", "desc"),
);

export const endTrustRow = statement<OfAgent & { id: string; now: number }>((db, param) =>
  db
    .updateTable("known_browsers")
    .set({ trusted_until: null })
    .where("team_id", "=", param("team_id"))
    .where("agent_id", "=", param("agent_id"))
    .where("id", "=", param("id"))
    .where("trusted_until", ">", param("now")),
);

export const endTrustOfAgent = statement<OfAgent>((db, param) =>
  db
    .updateTable("known_browsers")
    .set({ trusted_until: null })
    .where("team_id", "=", param("team_id"))
    .where("agent_id", "=", param("agent_id")),
);

export interface OldBrowsers {
  before: number;
}

export const teamsWithOldBrowsers = statement<OldBrowsers, { team_id: string }>((db, param) =>
  db.selectFrom("known_browsers").select("team_id").distinct().where("last_used_at", "<=", param("before")),
);

export const deleteOldBrowsers = statement<OldBrowsers & { team_id: string; limit: number }>((db, param) =>
  db
    .deleteFrom("known_browsers")
    .where("team_id", "=", param("team_id"))
    .where("id", "in", ({ selectFrom }) =>
      selectFrom("known_browsers")
        .select("id")
        .where("team_id", "=", param("team_id"))
        .where("last_used_at", "<=", param("before"))
        .limit(param("limit")),
    ),
);

/** For a restored backup: trust of that time may have been ended since. */
export const deleteEveryBrowser = statement<Record<never, never>>((db) => db.deleteFrom("known_browsers"));
