import { notFound } from "@frontdesk/core/domain/refusal";
import type { Operation } from "../../context.ts";
import type { FileRow } from "../../storage/tables.ts";
import { findSpam } from "./find-spam.ts";
import { originalOfSpam } from "./spam-store.ts";

/**
 * The file with a mail that is spam, byte for byte.
 *
 * @throws Refusal `not-found` for the spam, and for its original
 */
export const openSpam: Operation<{ spamId: string }, Pick<FileRow, "id" | "size">> = {
  name: "open-spam",
  mode: "read",
  async run(ctx, { spamId }) {
    const { id } = await findSpam(ctx, spamId);
    const original = await ctx.db.first(originalOfSpam, { team_id: ctx.teamId, id });
    if (!original) throw notFound("original");
    return original;
  },
};
