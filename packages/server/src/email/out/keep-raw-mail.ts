import type { Operation } from "../../context.ts";
import { messageById } from "../../conversations/message-store.ts";
import { storeFile, useFile } from "../../files/file-store.ts";
import { mailOfMessage } from "../in/mail-store.ts";
import { RAW_MAIL_TYPE } from "../in/take-mail.ts";
import { quoteOf } from "./mail-to-send.ts";
import { keepRawMail } from "./outgoing-mail-store.ts";

interface ComposedMail {
  messageId: string;
  fileId: string;
  size: number;
  /** Whether it quotes the mail that it answers, or passes one on. */
  isQuoting: boolean;
}

/**
 * Keeps the bytes of a mail, whose content is stored: every attempt sends the same. Resolves to the file that it has: another
 * one when it had one already, and undefined when the mail was erased or redacted meanwhile; the caller then removes its own.
 *
 * @throws Error when what it quotes was redacted meanwhile: the next attempt composes it without
 */
export const keepComposedMail: Operation<ComposedMail, string | undefined> = {
  name: "keep-composed-mail",
  mode: "write",
  async run(ctx, { messageId, fileId, size, isQuoting }) {
    const of = { team_id: ctx.teamId, message_id: messageId };
    const message = await ctx.db.first(messageById, { team_id: ctx.teamId, id: messageId });
    if (!message || message.content === null) return undefined;
    const mail = await ctx.db.first(mailOfMessage, of);
    if (isQuoting && mail && mail.folded_text === null && !(await quoteOf(ctx, mail)))
      throw new Error("What a mail quotes was redacted meanwhile.");
    const kept = await ctx.db.run(keepRawMail, { ...of, raw_file: fileId });
    if (kept === 0) return mail?.raw_file ?? undefined;
    const file = { team_id: ctx.teamId, id: fileId };
    const stored = await ctx.db.run(storeFile, { ...file, mime: RAW_MAIL_TYPE, size });
    if (stored === 0) throw new Error("The file of a mail is not being received any more.");
    ctx.write(useFile, { ...file, used_at: ctx.now });
    return fileId;
  },
};
