import type { MailServer } from "../email-settings.ts";
import { type MailProvider, providerOfDomain, providerOfMx, providerOfServer } from "./mail-providers.ts";

/** The services of mail in the DNS (RFC 6186 and 8314), the preferred one of each pair first. */
export const mailServices = ["imaps", "imap", "submissions", "submission"] as const;
export type MailService = (typeof mailServices)[number];

/** What the DNS says of a domain. All hosts are in lower case, without a dot at the end. */
export interface MailRecords {
  /** Its mail exchangers, the first to be tried in front. */
  mx: readonly string[];
  /** Where it says that its services are. */
  srv: Readonly<Partial<Record<MailService, { host: string; port: number }>>>;
  /** Those of `guessedHosts` that have an address. */
  hosts: readonly string[];
}

export interface MailServers {
  provider: MailProvider | undefined;
  /** False: guessed. */
  isKnown: boolean;
  inbound: MailServer;
  outbound: MailServer;
}

/** The hosts that a domain's mail is often at. */
export const guessedHosts = (domain: string): string[] => [`imap.${domain}`, `smtp.${domain}`, `mail.${domain}`];

/** The servers of a provider's own addresses, which the DNS need not be asked for. */
export function knownMailServers(domain: string): MailServers | undefined {
  const provider = providerOfDomain(domain);
  return provider && ofProvider(provider);
}

/**
 * The servers of a domain's mailboxes: those of a known provider, else those that the domain names itself, else those of the
 * provider that takes its mail, else the usual names. What is found is shown before a password is sent to it: the DNS can be
 * forged (RFC 6186, section 6).
 */
export function mailServersOf(domain: string, { mx, srv, hosts }: MailRecords): MailServers {
  const known = knownMailServers(domain);
  if (known) return known;
  const taking = providerOfMx(mx);
  const inbound = firstOf(srv, { imaps: "tls", imap: "starttls" });
  const outbound = firstOf(srv, { submissions: "tls", submission: "starttls" });
  const guessed = guess(domain, { mx, hosts });
  if (inbound) {
    const provider = providerOfServer(inbound.host);
    const sending = outbound ?? provider?.outbound ?? guessed.outbound;
    return { provider, isKnown: true, inbound, outbound: sending };
  }
  if (taking) return ofProvider(taking);
  return { provider: undefined, isKnown: false, inbound: guessed.inbound, outbound: outbound ?? guessed.outbound };
}

const ofProvider = (provider: MailProvider): MailServers => {
  const { inbound, outbound } = provider;
  return { provider, isKnown: true, inbound, outbound };
};

type Securities = Partial<Record<MailService, MailServer["security"]>>;

function firstOf(srv: MailRecords["srv"], securities: Securities): MailServer | undefined {
  for (const [service, security] of Object.entries(securities)) {
    const found = srv[service as MailService];
    if (found) return { ...found, security };
  }
  return undefined;
}

/** On small servers mailboxes are often where the mail is taken. */
function guess(domain: string, { mx, hosts }: Pick<MailRecords, "mx" | "hosts">) {
  const [imap = "", smtp = "", mail = ""] = guessedHosts(domain);
  const among = (...names: string[]) => names.find((name) => hosts.includes(name)) ?? mx[0];
  return {
    inbound: { host: among(imap, mail) ?? imap, port: 993, security: "tls" },
    outbound: { host: among(smtp, mail) ?? smtp, port: 465, security: "tls" },
  } as const;
}
