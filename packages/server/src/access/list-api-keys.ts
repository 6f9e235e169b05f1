import type { Operation } from "../context.ts";
import type { ApiKeyRow } from "../storage/tables.ts";
import { apiKeysOfTeam } from "./api-key-store.ts";

/** The team's API keys, oldest first, including revoked ones; never the value of a key (decision 29). */
export const listApiKeys: Operation<Record<never, never>, Omit<ApiKeyRow, "key_hash">[]> = {
  name: "list-api-keys",
  mode: "read",
  run: (ctx) => ctx.db.all(apiKeysOfTeam, { team_id: ctx.teamId }),
};
