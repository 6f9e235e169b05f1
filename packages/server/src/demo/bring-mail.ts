import { hash } from "node:crypto";
import { actorOfKind } from "../access/actor.ts";
import type { Context, Operation } from "../context.ts";
import { messageById } from "../conversations/message-store.ts";
import { importMail } from "../email/in/import-mail.ts";
import type { IncomingMail } from "../email/in/incoming-mail.ts";
import { insertMailImport, mailImportByKey } from "../email/in/mail-import-store.ts";
import { RAW_MAIL_TYPE } from "../email/in/take-mail.ts";
import { storeFile, useFile } from "../files/file-store.ts";
import { DEMO_MAILBOX, type DemoMail } from "./mails.ts";

/** A mail comes into the shop's mailbox as it was read, without its original. Returns the id of its conversation. */
export const bringMail: Operation<DemoMail, string> = {
  name: "import-mail",
  mode: "write",
  async run(ctx, mail) {
    const of = await imported(ctx, asRead(mail, ctx.now), mail.id, null);
    const row = await ctx.db.first(mailImportByKey, of);
    const id = row?.message_id;
    const message = id && (await ctx.db.first(messageById, { team_id: ctx.teamId, id }));
    if (!message) throw new Error(`The mail ${mail.id} has become no message.`);
    return message.conversation_id;
  },
};

/** A mail comes into the shop's mailbox that its server calls spam. Its original has a file, whose content follows. */
export const bringSpam: Operation<{ mail: DemoMail; file: { id: string; size: number } }, void> = {
  name: "import-mail",
  mode: "write",
  async run(ctx, { mail, file: { id, size } }) {
    const file = { team_id: ctx.teamId, id };
    ctx.write(storeFile, { ...file, mime: RAW_MAIL_TYPE, size });
    ctx.write(useFile, { ...file, used_at: ctx.now });
    await imported(ctx, { ...asRead(mail, ctx.now), isSpam: true }, mail.id, id);
  },
};

/** Returns the key of its import. */
async function imported(ctx: Context, mail: IncomingMail, id: string, raw_file: string | null) {
  const { accountId: account_id } = actorOfKind(ctx.actor, "channel");
  const of = { team_id: ctx.teamId, account_id, key: hash("sha256", id, "hex") };
  ctx.write(insertMailImport, {
    ...{ ...of, state: "stored", raw_file, message_id: null, sender: null, attempts: 0, error: null },
    ...{ taken_at: ctx.now, run_at: ctx.now, not_spam: 0, preview: null },
  });
  await importMail.run(ctx, { key: of.key, mail, attachments: [], fileIds: [] });
  return of;
}

function asRead({ id, answers, from, cc = [], subject, text, quoted }: DemoMail, sentAt: number): IncomingMail {
  const lines = quoted?.split("\n").map((line) => (line === "" ? ">" : `> ${line}`)) ?? [];
  const folded = quoted === undefined ? "" : ["On our last email:", ...lines].join("\n");
  return {
    ...{
      headerId: id,
      sender: from,
      isTrusted: true,
      dmarcFailed: false,
      dmarcPassed: false,
      isSpam: false,
      forwardedFrom: null,
      hasHtml: false,
      subject,
      sentAt,
    },
    ...{ to: [{ name: null, address: DEMO_MAILBOX }], cc, replyTo: [from] },
    ...{ references: answers ? [answers] : [], answers: answers ? [answers] : [] },
    ...{ tokens: [], ownTokens: [], testMarks: [] },
    ...{ automatic: undefined, report: undefined, text, trimmed: { shown: text, folded } },
  };
}
