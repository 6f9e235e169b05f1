import type { Storage } from "../../storage/database.ts";
import { isAway } from "../model/breaker.ts";
import { openBreakers } from "../settings/ai-settings-store.ts";
import { breakerOf } from "../speaker/ai-at-work.ts";

/** How many teams have an AI whose model is away, for the metrics. */
export async function countAiAway(storage: Pick<Storage, "read">, now: number): Promise<number> {
  const rows = await storage.read((db) => db.all(openBreakers, {}));
  return rows.filter((row) => isAway(breakerOf(row), now)).length;
}
