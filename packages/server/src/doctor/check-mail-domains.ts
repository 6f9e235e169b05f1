import { channelSentence } from "@frontdesk/core/domain/channel-reason";
import { accountsOfChannel } from "../channels/channel-account-store.ts";
import { checkMailDomain, type MailDomain, mailDomainOf, noAnswer } from "../email/check-mail-domain.ts";
import { createTurns } from "../email/imap/turns.ts";
import type { DomainRecords } from "../outbound/domain-records.ts";
import type { Storage } from "../storage/database.ts";
import { allTeams } from "../teams/team-store.ts";
import type { Check } from "./check.ts";

/** Domains that the name servers are asked about at once. */
const AT_ONCE = 10;

/** What the DNS says of the domain of each connected mailbox; nothing of names that are in no DNS. */
export async function checkMailDomains(storage: Storage, records: DomainRecords): Promise<Check[]> {
  const turn = createTurns(AT_ONCE);
  const domains = Map.groupBy(await domainsOfMailboxes(storage), ({ domain }) => domain);
  return Promise.all(
    [...domains].map(async ([domain, mailboxes]) => {
      const endTurn = await turn();
      try {
        return await checkDomain(records, domain, mailboxes);
      } finally {
        endTurn();
      }
    }),
  );
}

async function domainsOfMailboxes(storage: Storage): Promise<MailDomain[]> {
  const found: MailDomain[] = [];
  for (const { team_id } of await storage.read((db) => db.all(allTeams, {}))) {
    const of = { team_id, channel: "email" };
    for (const { settings } of await storage.read((db) => db.all(accountsOfChannel, of))) {
      const domain = mailDomainOf(JSON.parse(settings));
      if (domain) found.push(domain);
    }
  }
  return found;
}

/** One finding a domain, whichever servers send for it. */
async function checkDomain(records: DomainRecords, domain: string, mailboxes: readonly MailDomain[]): Promise<Check> {
  const name = `DNS of ${domain}`;
  const hosts = new Set(mailboxes.map(({ sendingHost }) => sendingHost));
  const findings = await Promise.all([...hosts].map((host) => checkMailDomain(records, domain, host)));
  const wrong = new Set(findings.flat().flatMap(({ ok, reason }) => (ok ? [] : [channelSentence(reason)])));
  const unanswered = channelSentence(noAnswer(domain));
  if (wrong.size === 0) return { name, state: "ok", says: "The records for email (MX, SPF, DMARC) are set up." };
  if (wrong.size === 1 && wrong.has(unanswered)) return { name, state: "note", says: unanswered };
  return {
    ...{ name, state: "warning", says: [...wrong].join("\n") },
    do: "Change the records where the DNS of the domain is managed. It can take hours until other servers see it.",
  };
}
