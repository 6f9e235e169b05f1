import { canonicalId } from "@frontdesk/core/domain/id";
import { notFound } from "@frontdesk/core/domain/refusal";
import type { Operation } from "../context.ts";
import type { ExportState } from "./export.ts";
import { exportById } from "./export-store.ts";
import { type ShownExport, shownExport } from "./shown-export.ts";

/** @throws Refusal `not-found` also for one that is deleted */
export const getExport: Operation<{ exportId: string; exportsUrl: string }, ShownExport> = {
  name: "get-export",
  mode: "read",
  async run(ctx, { exportId, exportsUrl }) {
    const id = canonicalId(exportId);
    const row = id && (await ctx.db.first(exportById, { team_id: ctx.teamId, id }));
    if (!row || row.state === ("requested" satisfies ExportState)) throw notFound("export");
    return shownExport(ctx, row, exportsUrl);
  },
};
