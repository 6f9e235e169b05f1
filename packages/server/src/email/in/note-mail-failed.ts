import { actorOfKind } from "../../access/actor.ts";
import { findChannelAccount } from "../../channels/find-channel-account.ts";
import type { Operation } from "../../context.ts";
import { giveUpFiles, senderOf } from "./import-mail.ts";
import type { IncomingMail } from "./incoming-mail.ts";
import { IMPORT_WAITS_MS, importJob, isWaiting } from "./mail-import.ts";
import { changeMailImport, mailImportByKey } from "./mail-import-store.ts";

const ERROR_MAX = 500;

interface FailedAttempt {
  key: string;
  error: string;
  /** Undefined: it could not be read either, or whom it is about is known (a sent mail). */
  mail: IncomingMail | undefined;
  /** The attachments that it has stored. */
  fileIds: readonly string[];
}

/** An attempt at a mail has failed: the next one is after a wait, and after the last the mail has failed. Other mails go on. */
export const noteMailFailed: Operation<FailedAttempt, void> = {
  name: "note-mail-failed",
  mode: "write",
  async run(ctx, { key, error, mail, fileIds }) {
    giveUpFiles(ctx, fileIds);
    const { account } = await findChannelAccount(ctx, actorOfKind(ctx.actor, "channel").accountId);
    const row = await ctx.db.first(mailImportByKey, { team_id: ctx.teamId, account_id: account.id, key });
    if (!row || !isWaiting(row.state)) return;
    // From now on it is found when this person is erased.
    const sender = mail ? await senderOf(ctx, mail) : row.sender;
    const wait = IMPORT_WAITS_MS[row.attempts];
    const tried = { ...row, sender, attempts: row.attempts + 1, error: error.slice(0, ERROR_MAX) };
    if (wait === undefined) {
      ctx.write(changeMailImport, { ...tried, state: "failed" });
      return;
    }
    const dueAt = ctx.now + wait;
    ctx.write(changeMailImport, { ...tried, run_at: dueAt });
    // Outside of the account's queue: there it would hold up the mails behind it.
    ctx.enqueue({ ...importJob(row.state, account.id), dueAt });
  },
};
