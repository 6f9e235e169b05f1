import { accountInDirectory } from "../../channels/channel-account-store.ts";
import type { Database } from "../../storage/database.ts";
import { emailProviderKey } from "../change-email-settings.ts";
import { readAddress, untaggedForms } from "../rules/mail-address.ts";

/** An address of an envelope, with the mailbox that gets its mail. */
export interface LmtpRecipient {
  teamId: string;
  accountId: string;
  /** In its stored form, with its tag. */
  address: string;
}

/** The mailbox of an address, in any team; with a tag it is that of the most exact address that exists. Undefined for an unknown one. */
export async function findRecipient(db: Pick<Database, "first">, written: string): Promise<LmtpRecipient | undefined> {
  const address = readAddress(written);
  if (address === undefined) return undefined;
  for (const form of untaggedForms(address)) {
    const found = await db.first(accountInDirectory, { channel: "email", provider_key: emailProviderKey(form) });
    if (found) return { teamId: found.team_id, accountId: found.account_id, address };
  }
  return undefined;
}
