import { tokenHash } from "../access/token.ts";
import type { Context } from "../context.ts";
import type { FileState } from "../files/file.ts";
import { insertFile } from "../files/file-store.ts";
import type { ExportRow } from "../storage/tables.ts";
import { EXPORT_LIFE_MS } from "./export.ts";
import { exportName } from "./shown-export.ts";

/** What the file of an export is; its content says nothing else either. */
const ZIP = "application/zip";

/** Gives an export that runs from now on the row of its file, and has it made. */
export function startExport(ctx: Context, { id, token }: Pick<ExportRow, "id" | "token">): void {
  // Its content gets a row before it exists, as that of any file.
  ctx.write(insertFile, {
    team_id: ctx.teamId,
    id,
    token_hash: tokenHash(token),
    name: exportName(ctx.now),
    mime: ZIP,
    size: 0,
    state: "receiving" satisfies FileState,
    sent_by: `export:${id}`,
    created_at: ctx.now,
    used_at: null,
  });
  ctx.setTimer({ kind: "expire-export", subjectId: id, dueAt: ctx.now + EXPORT_LIFE_MS });
  ctx.enqueue({ kind: "export-contact", payload: { exportId: id }, queueKey: "export-contact" });
}
