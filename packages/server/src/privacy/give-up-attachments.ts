import { tokenHash } from "../access/token.ts";
import type { Context } from "../context.ts";
import { fileTokenIn } from "../files/file-address.ts";
import { listParam } from "../storage/dialect.ts";
import { attachmentsOfErased, deletionsOfMessages, giveUpFile } from "./erase-rows-store.ts";

/** Deletes the attachments of messages, and gives up the files in them. Returns how many there were. */
export async function giveUpAttachments(
  ctx: Context,
  messageIds: readonly string[],
): Promise<{ attachments: number; files: number }> {
  const some = { team_id: ctx.teamId, message_ids: listParam(messageIds) };
  const attachments = await ctx.db.all(attachmentsOfErased, some);
  const tokens = attachments.flatMap(({ url }) => fileTokenIn(url, ctx.teamId) ?? []);
  for (const token of tokens) ctx.write(giveUpFile, { team_id: ctx.teamId, token_hash: tokenHash(token) });
  ctx.write(deletionsOfMessages.attachments, some);
  return { attachments: attachments.length, files: tokens.length };
}
