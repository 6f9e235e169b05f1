import type { Context } from "../context.ts";
import { forgetMailImport, giveUpMailFile, type UnimportedMail } from "../email/in/mail-import-store.ts";
import { dropExports } from "./drop-exports.ts";

/** Nothing of some mails that became no message is kept but their keys, so that they do not come in again. */
export function dropUnimportedMails(ctx: Context, mails: readonly UnimportedMail[]): void {
  for (const { account_id, key, raw_file } of mails) {
    ctx.write(giveUpMailFile, { team_id: ctx.teamId, id: raw_file });
    ctx.write(forgetMailImport, { team_id: ctx.teamId, account_id, key });
  }
  dropExports(
    ctx,
    mails.flatMap(({ contact_id }) => contact_id ?? []),
  );
}
