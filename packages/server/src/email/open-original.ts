import { canonicalId } from "@frontdesk/core/domain/id";
import { notFound } from "@frontdesk/core/domain/refusal";
import type { Operation } from "../context.ts";
import { messageById } from "../conversations/message-store.ts";
import type { FileRow } from "../storage/tables.ts";
import { originalOfMessage } from "./in/mail-store.ts";

/**
 * The file with the mail that a message is, byte for byte: as it came in, or as it was sent.
 *
 * @throws Refusal `not-found` for the message; for what is no mail, has not been composed yet, or was redacted, as `original`
 */
export const openOriginal: Operation<{ messageId: string }, Pick<FileRow, "id" | "size">> = {
  name: "open-original",
  mode: "read",
  async run(ctx, { messageId }) {
    const id = canonicalId(messageId);
    const message = id && (await ctx.db.first(messageById, { team_id: ctx.teamId, id }));
    if (!message) throw notFound("message");
    const original = await ctx.db.first(originalOfMessage, { team_id: ctx.teamId, message_id: message.id });
    if (!original) throw notFound("original");
    return original;
  },
};
