import type { Context } from "../context.ts";
import { periodOf, type TimedList } from "./list-start.ts";
import { addToPeriod } from "./list-store.ts";

/** How many rows more or fewer each period of each list has after a unit of work. */
export type ListMoves = Map<string, { list: TimedList; period: number; count: number }>;

export function addToMove(moves: ListMoves, list: TimedList, time: number, change: 1 | -1): void {
  const period = periodOf(time);
  const key = `${list} ${period}`;
  const move = moves.get(key) ?? { list, period, count: 0 };
  moves.set(key, { ...move, count: move.count + change });
}

/** Writes the real changes: a row that stays within its period, as with most messages, costs nothing. */
export function writeMoves(ctx: Context, moves: ListMoves): void {
  for (const { list, period, count } of moves.values()) {
    if (count !== 0) ctx.write(addToPeriod, { team_id: ctx.teamId, list, period, count });
  }
}
