import type { FoundMailServers } from "@frontdesk/core/contract/session-channels";
import { invalid } from "@frontdesk/core/domain/refusal";
import type { Operation } from "../context.ts";
import type { MailRecordsLookup } from "../outbound/mail-records.ts";
import { readAddress } from "./rules/mail-address.ts";
import {
  guessedHosts,
  knownMailServers,
  type MailServers,
  mailServersOf,
  mailServices,
} from "./rules/mail-servers-of.ts";

/**
 * The domain of a mailbox to connect, and its servers when they are known without the DNS. The DNS is asked after this
 * (`askForMailServers`).
 *
 * @throws Refusal `invalid` on `address`
 */
export const findMailServers: Operation<{ address: string }, { domain: string; known: MailServers | undefined }> = {
  name: "find-mail-servers",
  mode: "read",
  async run(_ctx, { address }) {
    const domain = readAddress(address)?.split("@").at(-1);
    if (domain === undefined) throw invalid({ address: "not-an-email" });
    return { domain, known: knownMailServers(domain) };
  },
};

/** Outside of any transaction. */
export async function askForMailServers(
  { domain, known }: { domain: string; known: MailServers | undefined },
  lookUp: MailRecordsLookup,
): Promise<MailServers> {
  if (known) return known;
  return mailServersOf(domain, await lookUp(domain, { services: mailServices, hosts: guessedHosts(domain) }));
}

export function presentMailServers({ provider, isKnown, inbound, outbound }: MailServers): FoundMailServers {
  return {
    provider: provider?.name ?? null,
    is_known: isKnown,
    inbound,
    outbound,
    sign_in: provider?.signIn ?? "password",
    imap_is_off: provider?.imapIsOff ?? false,
    app_password_url: provider?.appPasswordUrl ?? null,
    oauth: provider?.oauth ?? null,
  };
}
