import { notFound } from "@frontdesk/core/domain/refusal";
import { tokenHash } from "../access/token.ts";
import type { Operation } from "../context.ts";
import type { FileRow } from "../storage/tables.ts";
import type { FileState } from "./file.ts";
import { fileByToken } from "./file-store.ts";

/**
 * The file of an address, for the holder of the address.
 *
 * @throws Refusal `not-found` also for one that is not complete yet, or being deleted
 */
export const openFile: Operation<{ token: string }, FileRow> = {
  name: "open-file",
  mode: "read",
  async run(ctx, { token }) {
    const file = await ctx.db.first(fileByToken, { team_id: ctx.teamId, token_hash: tokenHash(token) });
    if (file?.state !== ("stored" satisfies FileState)) throw notFound("file");
    return file;
  },
};
