import type { SealedPlace } from "../../access/vault.ts";
import { every, statement, wholeRow } from "../../storage/statement.ts";
import type { AiSettingsRow } from "../../storage/tables.ts";

/** The AI of a team; undefined until it is set up. */
export const aiOfTeam = statement<{ team_id: string }, AiSettingsRow>((db, param) =>
  db.selectFrom("ai_settings").selectAll().where("team_id", "=", param("team_id")),
);

export const insertAi = statement<AiSettingsRow>((db, param) =>
  db.insertInto("ai_settings").values(wholeRow(param, "ai_settings")),
);

const CHANGED = [
  "is_active",
  "name",
  "base_url",
  "model",
  "embedding_model",
  "api_key_sealed",
  "api_key_last",
  "instructions",
  "widgets",
  "channels",
  "answers_when",
  "resolves",
  "resolve_after_minutes",
  "tokens_a_day",
  "tokens_a_month",
  "redacts",
  "keeps_runs",
  "second_model",
  "handoff_rules",
  "streamed",
  "ghost_text",
  "breaker",
  "warned_on",
  "updated_at",
] as const satisfies (keyof AiSettingsRow)[];

export const updateAiRow = statement<Pick<AiSettingsRow, "team_id" | (typeof CHANGED)[number]>>((db, param) =>
  db.updateTable("ai_settings").set(every(param, CHANGED)).where("team_id", "=", param("team_id")),
);

/** The breakers of all teams whose models have failed lately: few, as long as all is well. */
export const openBreakers = statement<Record<never, never>, Pick<AiSettingsRow, "breaker" | "second_model">>((db) =>
  db.selectFrom("ai_settings").select(["breaker", "second_model"]).where("breaker", "is not", null),
);

/** What the key of a team's model is sealed for. */
export const aiKeyPlace = ({ team_id, ai_id }: Pick<AiSettingsRow, "team_id" | "ai_id">): SealedPlace => ({
  column: "ai_settings.api_key_sealed",
  teamId: team_id,
  id: ai_id,
});
