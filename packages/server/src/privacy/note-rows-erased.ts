import type { Operation } from "../context.ts";
import { erasureById, erasuresWithoutRows, noteRowsGone, otherErasing } from "./erasure-store.ts";

/**
 * Notes that the rows of an erasure are gone. Returns the erasures that end once the disk has nothing of theirs either: this one
 * and those that were left to it. None: another one still erases rows, and ends both, so that many erasures don't write the disk
 * as many times. One that was left to another is not left again, should that one never end.
 */
export const noteRowsErased: Operation<{ erasureId: string }, string[]> = {
  name: "note-rows-erased",
  mode: "write",
  async run(ctx, { erasureId }) {
    const one = { team_id: ctx.teamId, id: erasureId };
    const erasure = await ctx.db.first(erasureById, one);
    if (!erasure || erasure.finished_at !== null) return [];
    const wasLeft = erasure.state === "rows-erased";
    ctx.write(noteRowsGone, one);
    if (!wasLeft && (await ctx.db.first(otherErasing, one))) return [];
    const left = await ctx.db.all(erasuresWithoutRows, { team_id: ctx.teamId });
    return [...new Set([...left.map(({ id }) => id), erasureId])];
  },
};
