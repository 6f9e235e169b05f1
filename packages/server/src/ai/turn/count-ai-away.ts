import type { Storage } from "../../storage/database.ts";
import { areAway, breakersOf } from "../model/breakers.ts";
import { openBreakers } from "../settings/ai-settings-store.ts";

/** How many teams have an AI whose model is away, for the metrics. */
export async function countAiAway(storage: Pick<Storage, "read">, now: number): Promise<number> {
  const rows = await storage.read((db) => db.all(openBreakers, {}));
  return rows.filter((row) => areAway(breakersOf(row), now)).length;
}
