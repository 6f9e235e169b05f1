import type { ChannelAccount } from "../channels/channel-account.ts";
import type { Context } from "../context.ts";
import type { ContactRow } from "../storage/tables.ts";
import { addContact, type ContactDetails } from "./add-contact.ts";
import { contactByIdentity, insertContactIdentity } from "./contact-identity-store.ts";

/** An identity of a person in an account. */
export interface Identity {
  /** A kind that the channel's driver defines: email, wa_id, psid. */
  kind: string;
  /** In the driver's canonical form. */
  value: string;
}

/**
 * The contact with one of these identities in the account, else a new one. Unknown identities are added to the contact; one of
 * another contact stays there. An e-mail address or a phone number that was only typed finds no contact: those are details, and
 * no identities. docs/decisions/0040-channel-accounts.md
 *
 * @param identities the most reliable one first
 */
export async function contactOfIdentities(
  ctx: Context,
  {
    account,
    identities,
    details,
    activeAt,
  }: {
    account: ChannelAccount;
    identities: readonly Identity[];
    details: ContactDetails;
    activeAt: number | undefined;
  },
): Promise<{ contact: ContactRow; isNew: boolean }> {
  const inAccount = { team_id: ctx.teamId, account_id: account.id };
  const holders = await Promise.all(
    identities.map(({ kind, value }) => ctx.db.first(contactByIdentity, { ...inAccount, kind, value })),
  );
  const known = holders.find((holder) => holder !== undefined);
  const contact = known ?? addContact(ctx, account, details, { activeAt });
  for (const [index, { kind, value }] of identities.entries()) {
    if (!holders[index]) ctx.write(insertContactIdentity, { ...inAccount, kind, value, contact_id: contact.id });
  }
  return { contact, isNew: known === undefined };
}
