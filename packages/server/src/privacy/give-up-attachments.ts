import { tokenHash } from "../access/token.ts";
import type { Context } from "../context.ts";
import { fileTokenIn } from "../files/file-address.ts";
import { listParam } from "../storage/dialect.ts";
import { attachmentsOfErased, deletionsOfMessages, giveUpFile } from "./erase-rows-store.ts";
import { giveUpMails } from "./give-up-mails.ts";

/**
 * Deletes the attachments of messages, and gives up the files in them, and the originals of mails. Returns how many there were.
 *
 * @param what else of mails goes with them
 */
export async function giveUpAttachments(
  ctx: Context,
  messageIds: readonly string[],
  what: "all" | "texts" | "files",
): Promise<{ attachments: number; files: number }> {
  const some = { team_id: ctx.teamId, message_ids: listParam(messageIds) };
  const attachments = await ctx.db.all(attachmentsOfErased, some);
  const tokens = attachments.flatMap(({ url }) => fileTokenIn(url, ctx.teamId) ?? []);
  for (const token of tokens) ctx.write(giveUpFile, { team_id: ctx.teamId, token_hash: tokenHash(token) });
  ctx.write(deletionsOfMessages.attachments, some);
  const originals = await giveUpMails(ctx, messageIds, what);
  return { attachments: attachments.length + originals, files: tokens.length + originals };
}
