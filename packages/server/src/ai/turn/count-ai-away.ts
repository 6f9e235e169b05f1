import type { Storage } from "../../storage/database.ts";
import { type Statement, statement } from "../../storage/statement.ts";
import type { AiSettingsRow } from "../../storage/tables.ts";
import { isAway } from "../model/breaker.ts";
import { breakerOf } from "../speaker/ai-at-work.ts";

/** The breakers of all teams whose models have failed lately: few, as long as all is well. */
const openBreakers: Statement<Record<never, never>, Pick<AiSettingsRow, "breaker">> = statement((db) =>
  db.selectFrom("ai_settings").select("breaker").where("breaker", "is not", null),
);

/** How many teams have an AI whose model is away, for the metrics. */
export async function countAiAway(storage: Pick<Storage, "read">, now: number): Promise<number> {
  const rows = await storage.read((db) => db.all(openBreakers, {}));
  return rows.filter((row) => isAway(breakerOf(row), now)).length;
}
