import { channelAccountById } from "../channels/channel-account-store.ts";
import { forgetMail, giveUpMailFile, insertMailImport, mailImportByKey } from "../email/in/mail-import-store.ts";
import type { ErasedMail } from "../privacy/erasure-log.ts";
import type { Database, Storage } from "../storage/database.ts";

/** Mails of one commit. */
const AT_ONCE = 500;

/**
 * Makes erased mails known to their accounts, so that a mailbox that offers them again brings nothing back. One that waited for its
 * import, or had failed, when the backup was made is not imported; of one that was a message, the message is erased by itself. A
 * repeat changes nothing.
 *
 * @param mails those of accounts that the data has not are passed over
 */
export async function keepErasedMailsOut(storage: Storage, mails: readonly ErasedMail[]): Promise<void> {
  const accounts = Map.groupBy(mails, ({ teamId, accountId }) => JSON.stringify([teamId, accountId]));
  for (const all of accounts.values()) {
    const [first] = all;
    const of = first && { team_id: first.teamId, id: first.accountId };
    if (!of || !(await storage.first(channelAccountById, of))) continue;
    for (let from = 0; from < all.length; from += AT_ONCE) {
      const some = all.slice(from, from + AT_ONCE);
      await storage.write(of.team_id, async (db) => {
        for (const mail of some) await keepOut(db, mail);
      });
    }
  }
}

async function keepOut(db: Database, { teamId: team_id, accountId: account_id, key }: ErasedMail): Promise<void> {
  const of = { team_id, account_id, key };
  const known = await db.first(mailImportByKey, of);
  if (!known) {
    const times = { taken_at: 0, run_at: 0, attempts: 0 };
    await db.run(insertMailImport, {
      ...{ ...of, ...times, state: "erased", raw_file: null, message_id: null, sender: null, error: null },
      ...{ not_spam: 0, preview: null },
    });
  } else if (known.message_id === null) {
    if (known.raw_file !== null) await db.run(giveUpMailFile, { team_id, id: known.raw_file });
    await db.run(forgetMail, of);
  }
}
