import { type ChannelReason, channelReason } from "@frontdesk/core/domain/channel-reason";
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
  if (mx === "no-domain") return [failed("dns-mx", channelReason("dns.no-domain", { domain }))];
  const [spf, dmarc] = await Promise.all([readSpf(domain, records.txt), readDmarc(domain, records.txt)]);
  return [
    mx === "no-answer" ? unanswered("dns-mx", domain) : mxFinding(domain, mx),
    spf ? spfFinding(domain, spf, sendingHost) : unanswered("dns-spf", domain),
    dmarc ? dmarcFinding(domain, dmarc) : unanswered("dns-dmarc", domain),
  ];
}

function mxFinding(domain: string, hosts: readonly string[]): Finding {
  const [host] = hosts;
  if (host === undefined) return failed("dns-mx", channelReason("dns.mx-none", { domain }));
  if (hosts.includes("")) return failed("dns-mx", channelReason("dns.mx-nowhere", { domain }));
  return passed("dns-mx", channelReason("dns.mx", { domain, host }));
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
  if (sendingHost !== null && needed !== undefined && !includes.has(needed)) {
    return failed("dns-spf", channelReason("dns.spf-host", { domain, host: sendingHost, part: `include:${needed}` }));
  }
  return passed("dns-spf", channelReason("dns.spf", { domain }));
}

function spfProblem(domain: string, problem: SpfProblem): ChannelReason {
  switch (problem.kind) {
    case "none":
    case "several":
    case "everyone":
      return channelReason(`dns.spf-${problem.kind}`, { domain });
    case "unreadable":
    case "missing":
      return channelReason(`dns.spf-${problem.kind}`, { domain, part: problem.what });
    case "too-many":
      return channelReason("dns.spf-lookups", { domain, max: SPF_LOOKUPS_MAX });
    default:
      return problem satisfies never;
  }
}

function dmarcFinding(domain: string, dmarc: NonNullable<Awaited<ReturnType<typeof readDmarc>>>): Finding {
  switch (dmarc.found) {
    case "none":
      return failed("dns-dmarc", channelReason("dns.dmarc-none", { domain, record: `_dmarc.${domain}` }));
    case "several":
    case "invalid":
      return failed("dns-dmarc", channelReason(`dns.dmarc-${dmarc.found}`, { record: `_dmarc.${dmarc.at}` }));
    case "policy":
      return passed("dns-dmarc", channelReason("dns.dmarc", { domain, policy: dmarc.policy }));
    default:
      return dmarc satisfies never;
  }
}

const unanswered = (check: string, domain: string): Finding => failed(check, noAnswer(domain));

/** What is said of records that could not be asked for. */
export const noAnswer = (domain: string): ChannelReason => channelReason("dns.no-answer", { domain });

const passed = (check: string, reason: ChannelReason): Finding => ({ check, ok: true, reason });
const failed = (check: string, reason: ChannelReason): Finding => ({ check, ok: false, reason });
