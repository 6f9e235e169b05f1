import type { Operation } from "../context.ts";
import type { ErasureRow } from "../storage/tables.ts";
import { latestErasures } from "./erasure-store.ts";

const SHOWN_MAX = 20;

/** The latest erasures, the newest first. */
export const listErasures: Operation<Record<string, never>, ErasureRow[]> = {
  name: "list-erasures",
  mode: "read",
  run: (ctx) => ctx.db.all(latestErasures, { team_id: ctx.teamId, limit: SHOWN_MAX }),
};
