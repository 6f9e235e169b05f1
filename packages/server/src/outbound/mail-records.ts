import type { MxRecord, SrvRecord } from "node:dns";
import { Resolver } from "node:dns/promises";
import { isLocalName } from "./local-name.ts";

/** What the DNS says of a domain's mail. All hosts are in lower case, without a dot at the end. */
export interface MailRecordsOf<Service extends string> {
  /** The mail exchangers, the first to be tried in front. */
  mx: string[];
  srv: Partial<Record<Service, { host: string; port: number }>>;
  /** Those of the asked hosts that have an address. */
  hosts: string[];
}

export type MailRecordsLookup = <Service extends string>(
  domain: string,
  asked: { services: readonly Service[]; hosts: readonly string[] },
) => Promise<MailRecordsOf<Service>>;

/** How long a query takes before it is repeated, and all of them together. */
const QUESTION_MS = 1_000;
const ALL_MS = 4_000;

/**
 * Asks the name servers of this machine for the mail of a domain that a customer has entered. No server is connected to. What is
 * not answered in time is as what does not exist; it never rejects. The names of this machine and of its networks are not asked
 * for.
 *
 * @param servers instead of the machine's, `address:port`
 */
export function mailRecordsLookup(servers?: readonly string[]): MailRecordsLookup {
  return async (domain, { services, hosts }) => {
    if (isLocalName(domain)) return { mx: [], srv: {}, hosts: [] };
    const resolver = new Resolver({ timeout: QUESTION_MS, tries: 2 });
    if (servers) resolver.setServers(servers);
    const patience = setTimeout(() => resolver.cancel(), ALL_MS);
    const [mx, srv, found] = await Promise.all([
      resolver.resolveMx(domain).catch(() => []),
      Promise.all(services.map((service) => resolver.resolveSrv(`_${service}._tcp.${domain}`).catch(() => []))),
      Promise.all(hosts.map((host) => hasAddress(resolver, host))),
    ]);
    clearTimeout(patience);
    const offered = services.flatMap((service, index) => {
      const best = bestOf(srv[index] ?? []);
      return best ? [[service, best] as const] : [];
    });
    return {
      mx: exchangersOf(mx),
      srv: Object.fromEntries(offered) as MailRecordsOf<(typeof services)[number]>["srv"],
      hosts: hosts.filter((_host, index) => found[index]),
    };
  };
}

async function hasAddress(resolver: Resolver, host: string): Promise<boolean> {
  return Promise.any([resolver.resolve4(host), resolver.resolve6(host)]).then(
    (addresses) => addresses.length > 0,
    () => false,
  );
}

/** A single dot is a domain that takes no mail (RFC 7505). */
function exchangersOf(records: readonly MxRecord[]): string[] {
  return records
    .toSorted((a, b) => a.priority - b.priority)
    .map(({ exchange }) => plainHost(exchange))
    .filter(Boolean);
}

/** The lowest priority, and of these the greatest weight. A single dot is a service that is not offered (RFC 6186, section 3.4). */
function bestOf(records: readonly SrvRecord[]): { host: string; port: number } | undefined {
  const [best] = records.toSorted((a, b) => a.priority - b.priority || b.weight - a.weight);
  const host = best && plainHost(best.name);
  return host ? { host, port: best.port } : undefined;
}

const plainHost = (name: string): string => name.toLowerCase().replace(/\.$/, "");
