import type { Context } from "../context.ts";
import { listParam } from "../storage/dialect.ts";
import { periodAtOffset, periodAtOffsetOfAll } from "./list-store.ts";

/** The lists whose rows stand in the order of a time that changes with every activity. */
export type TimedList = "contacts" | "open-conversations" | "resolved-conversations";

/** About 19 hours: a year has 470 periods, and a period of a busy team some thousand rows. */
const PERIOD_MS = 2 ** 26;
/** So many rows are passed over as quickly as a period is looked up. */
const SHALLOW = 500;

/** The period of a list that a time falls into. */
export const periodOf = (time: number): number => Math.floor(time / PERIOD_MS);

/** Where a page begins: among the rows of before `before`, after `skip` of them. */
export interface ListStart {
  before: number;
  skip: number;
}

/**
 * Where row number `offset` of a list, or of several lists in one order, is found without passing over all the rows ahead
 * of it: kept counts of each period tell in which one it is. Undefined when there are fewer rows.
 */
export async function listStart(
  ctx: Context,
  list: TimedList | readonly TimedList[],
  offset: number,
): Promise<ListStart | undefined> {
  if (offset < SHALLOW) return { before: Number.MAX_SAFE_INTEGER, skip: offset };
  const at = { team_id: ctx.teamId, offset };
  const found =
    typeof list === "string"
      ? await ctx.db.first(periodAtOffset, { ...at, list })
      : await ctx.db.first(periodAtOffsetOfAll, { ...at, lists: listParam(list) });
  return found && { before: (found.period + 1) * PERIOD_MS, skip: offset - found.ahead };
}
