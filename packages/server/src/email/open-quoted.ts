import { canonicalId } from "@frontdesk/core/domain/id";
import { notFound } from "@frontdesk/core/domain/refusal";
import type { Operation } from "../context.ts";
import { messageById } from "../conversations/message-store.ts";
import { mailOfMessage } from "./in/mail-store.ts";

/**
 * What a mail quotes, or passes on, which its message leaves out; without the blank lines around it.
 *
 * @throws Refusal `not-found` for the message; for what is no mail, quotes nothing, or was redacted, as `original`
 */
export const openQuoted: Operation<{ messageId: string }, string> = {
  name: "open-original",
  mode: "read",
  async run(ctx, { messageId }) {
    const id = canonicalId(messageId);
    const message = id && (await ctx.db.first(messageById, { team_id: ctx.teamId, id }));
    if (!message) throw notFound("message");
    const mail = await ctx.db.first(mailOfMessage, { team_id: ctx.teamId, message_id: message.id });
    if (mail?.folded_text == null) throw notFound("original");
    return mail.folded_text.replace(/^(?:[^\S\n]*\n)+/, "").trimEnd();
  },
};
