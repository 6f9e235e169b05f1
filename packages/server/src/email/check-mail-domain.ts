import type { Finding } from "../channels/channel-driver.ts";
import type { AccountToCheck } from "../channels/check-channel.ts";
import type { DomainRecords } from "../outbound/domain-records.ts";
import { isLocalName } from "../outbound/local-name.ts";
import { readEmailSettings } from "./email-settings.ts";
import { readDmarc } from "./rules/dmarc-record.ts";
import { readSpf, SPF_LOOKUPS_MAX, type SpfProblem } from "./rules/spf.ts";

/** Names that are in no DNS (RFC 2606). */
const RESERVED = /\.(?:test|example|invalid)$/i;

/** The domain of a mailbox. */
export interface MailDomain {
  domain: string;
  /** The mail server that sends for it; null: not known. */
  sendingHost: string | null;
}

/** What the DNS says of the domain of an account to check; nothing of other channels. */
export function domainCheck(records: DomainRecords): (tried: AccountToCheck) => Promise<Finding[]> {
  return async ({ channel, account }) => {
    const found = channel === "email" ? mailDomainOf(account.settings) : undefined;
    return found ? checkMailDomain(records, found.domain, found.sendingHost) : [];
  };
}

/** The domain of an e-mail account, by its settings; undefined for a name that is in no DNS. */
export function mailDomainOf(settings: object): MailDomain | undefined {
  const { address, outbound } = readEmailSettings(settings);
  const domain = address.slice(address.lastIndexOf("@") + 1);
  return isLocalName(domain) || RESERVED.test(domain) ? undefined : { domain, sendingHost: outbound?.host ?? null };
}

/**
 * Checks what the DNS says of the domain of a mailbox: whether mail reaches it, and whether receivers believe what is sent from it.
 * Only the DNS is asked.
 *
 * @param sendingHost the mail server that sends for it; null: not known
 */
export async function checkMailDomain(
  records: DomainRecords,
  domain: string,
  sendingHost: string | null,
): Promise<Finding[]> {
  const mx = await records.mx(domain);
  if (mx === "no-domain") return [failed("dns-mx", `There is no domain ${domain}. Check the address.`)];
  const [spf, dmarc] = await Promise.all([readSpf(domain, records.txt), readDmarc(domain, records.txt)]);
  return [
    mx === "no-answer" ? unanswered("dns-mx", domain) : mxFinding(domain, mx),
    spf ? spfFinding(domain, spf, sendingHost) : unanswered("dns-spf", domain),
    dmarc ? dmarcFinding(domain, dmarc) : unanswered("dns-dmarc", domain),
  ];
}

function mxFinding(domain: string, hosts: readonly string[]): Finding {
  if (hosts.length === 0)
    return failed("dns-mx", `${domain} has no MX record, so no email reaches it. Add one that names your mail server.`);
  if (hosts.includes(""))
    return failed(
      "dns-mx",
      `The MX record of ${domain} says that it takes no email. Replace it with your mail server.`,
    );
  return passed("dns-mx", `Email for ${domain} goes to ${hosts[0]}.`);
}

/** What the records of these sending hosts' customers have to include. */
const INCLUDES: readonly [host: RegExp, include: string][] = [
  [/^smtp(?:-relay)?\.gmail\.com$/i, "_spf.google.com"],
  [/^smtp\.office365\.com$/i, "spf.protection.outlook.com"],
  [/(?:^|\.)zoho\.com$/i, "zoho.com"],
  [/^smtp\.fastmail\.com$/i, "spf.messagingengine.com"],
  [/^smtp\.mailgun\.org$/i, "mailgun.org"],
];

function spfFinding(
  domain: string,
  { problem, includes }: { problem: SpfProblem | undefined; includes: ReadonlySet<string> },
  sendingHost: string | null,
): Finding {
  if (problem) return failed("dns-spf", spfProblem(domain, problem));
  const needed = INCLUDES.find(([host]) => sendingHost !== null && host.test(sendingHost))?.[1];
  if (needed !== undefined && !includes.has(needed))
    return failed(
      "dns-spf",
      `The SPF record of ${domain} doesn't allow ${sendingHost} to send. Add include:${needed} to it.`,
    );
  return passed("dns-spf", `${domain} has an SPF record.`);
}

function spfProblem(domain: string, problem: SpfProblem): string {
  switch (problem.kind) {
    case "none":
      return `${domain} has no SPF record, so your emails may be taken for spam. Add the TXT record that your provider gives you, such as v=spf1 include:… -all.`;
    case "several":
      return `${domain} has more than one SPF record, so none counts. Put their parts into one.`;
    case "unreadable":
      return `The SPF record of ${domain} has a part that no one understands: ${problem.what}. Correct or remove it.`;
    case "missing":
      return `The SPF record of ${domain} refers to ${problem.what}, which has no SPF record of its own, so none counts. Remove that part.`;
    case "too-many":
      return `The SPF record of ${domain} needs more than ${SPF_LOOKUPS_MAX} lookups, so it doesn't count. Remove providers that you don't use.`;
    case "everyone":
      return `The SPF record of ${domain} lets anyone send in its name. End it with -all or ~all instead of +all.`;
    default:
      return problem satisfies never;
  }
}

function dmarcFinding(domain: string, dmarc: NonNullable<Awaited<ReturnType<typeof readDmarc>>>): Finding {
  switch (dmarc.found) {
    case "none":
      return failed(
        "dns-dmarc",
        `${domain} has no DMARC record, and large providers take less email without one. Add a TXT record at _dmarc.${domain}, such as v=DMARC1; p=none.`,
      );
    case "several":
      return failed(
        "dns-dmarc",
        `There is more than one DMARC record at _dmarc.${dmarc.at}, so none counts. Keep one.`,
      );
    case "invalid":
      return failed(
        "dns-dmarc",
        `The DMARC record at _dmarc.${dmarc.at} has no valid policy. Add p=none, p=quarantine or p=reject after v=DMARC1.`,
      );
    case "policy":
      return passed("dns-dmarc", `${domain} has a DMARC record with the policy ${dmarc.policy}.`);
    default:
      return dmarc satisfies never;
  }
}

const unanswered = (check: string, domain: string): Finding => failed(check, noAnswer(domain));

/** What is said of records that could not be asked for. */
export const noAnswer = (domain: string): string => `The name servers gave no answer for ${domain}. Try again later.`;

const passed = (check: string, message: string): Finding => ({ check, ok: true, message });
const failed = (check: string, message: string): Finding => ({ check, ok: false, message });
