import type { Context } from "../context.ts";
import { listParam } from "../storage/dialect.ts";
import { periodAtOffset, periodAtOffsetOfAll } from "./list-store.ts";

/** The lists that are ordered by a time that changes with every activity. */
export type TimedList = "contacts" | "open-conversations" | "resolved-conversations";

/** About 19 hours: a year has 470 periods, and a period of a busy team some thousand rows. */
const PERIOD_MS = 2 ** 26;
/** Skipping this many rows is as fast as looking up a period. */
const SHALLOW = 500;

/** The period of a list that a time falls into. */
export const periodOf = (time: number): number => Math.floor(time / PERIOD_MS);

/** Where a page begins: among the rows of before `before`, after `skip` of them. */
export interface ListStart {
  before: number;
  skip: number;
}

/**
 * Finds row number `offset` of a list, or of several lists in one order, without skipping all the rows before it: stored counts
 * of each period show in which one it is. Undefined when there are fewer rows.
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
