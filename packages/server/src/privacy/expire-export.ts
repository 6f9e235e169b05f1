import type { Operation } from "../context.ts";
import type { FiredTimer } from "../timers/timer.ts";
import { deleteExport, giveUpExportFile } from "./export-store.ts";

/** Run by the timer `expire-export`: the export is deleted. The next clean-up removes the content of its file. */
export const expireExport: Operation<FiredTimer<"expire-export">, void> = {
  name: "expire-export",
  mode: "write",
  async run(ctx, { subjectId: id }) {
    ctx.write(giveUpExportFile, { team_id: ctx.teamId, id });
    ctx.write(deleteExport, { team_id: ctx.teamId, id });
  },
};
