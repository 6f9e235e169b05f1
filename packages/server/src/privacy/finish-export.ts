import type { Operation } from "../context.ts";
import { storeFile, useFile } from "../files/file-store.ts";
import { EXPORT_LIFE_MS, type ExportState } from "./export.ts";
import { endExport, exportById } from "./export-store.ts";

/**
 * Ends an export with the size of its zip file, or as failed. A repeat changes nothing.
 *
 * @returns whether it is still wanted; if not, its content has to go
 */
export const finishExport: Operation<{ exportId: string; stored?: { size: number; mime: string } }, boolean> = {
  name: "finish-export",
  mode: "write",
  async run(ctx, { exportId: id, stored }) {
    const key = { team_id: ctx.teamId, id };
    const row = await ctx.db.first(exportById, key);
    if (!row) return false;
    const state: ExportState = stored ? "done" : "failed";
    const ended = await ctx.db.run(endExport, { ...key, state, finished_at: ctx.now, size: stored?.size ?? null });
    if (ended === 0 || !stored) return true;
    // Without its row the clean-up has begun to remove it.
    if ((await ctx.db.run(storeFile, { ...key, ...stored })) === 0) throw new Error("The file of an export is gone.");
    ctx.write(useFile, { ...key, used_at: ctx.now });
    ctx.setTimer({ kind: "expire-export", subjectId: id, dueAt: ctx.now + EXPORT_LIFE_MS });
    return true;
  },
};
