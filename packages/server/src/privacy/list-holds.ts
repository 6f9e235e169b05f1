import type { Operation } from "../context.ts";
import type { HoldRow } from "../storage/tables.ts";
import { standingHolds } from "./hold-store.ts";

/** A hold with what its contact is called. */
export type NamedHoldRow = HoldRow & { name: string | null; email: string | null };

/** The latest ones are shown; holds are put by hand. */
const SHOWN_MAX = 200;

/** The holds that stand, the newest first. */
export const listHolds: Operation<Record<string, never>, NamedHoldRow[]> = {
  name: "list-holds",
  mode: "read",
  run: (ctx) => ctx.db.all(standingHolds, { team_id: ctx.teamId, now: ctx.now, limit: SHOWN_MAX }),
};
