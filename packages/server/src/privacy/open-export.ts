import { notFound } from "@frontdesk/core/domain/refusal";
import { tokenHash } from "../access/token.ts";
import type { Operation } from "../context.ts";
import type { FileState } from "../files/file.ts";
import { fileByToken } from "../files/file-store.ts";
import type { FileRow } from "../storage/tables.ts";
import { exportById } from "./export-store.ts";
import { expiryOf } from "./shown-export.ts";

/**
 * The file of an export, for those who may export contacts and know its address.
 *
 * @throws Refusal `not-found` also for one that has expired
 */
export const openExport: Operation<{ token: string }, FileRow> = {
  name: "open-export",
  mode: "read",
  async run(ctx, { token }) {
    const file = await ctx.db.first(fileByToken, { team_id: ctx.teamId, token_hash: tokenHash(token) });
    const row = file && (await ctx.db.first(exportById, { team_id: ctx.teamId, id: file.id }));
    const isStored = file?.state === ("stored" satisfies FileState);
    if (!isStored || !row || (expiryOf(row) ?? 0) <= ctx.now) throw notFound("export");
    return file;
  },
};
