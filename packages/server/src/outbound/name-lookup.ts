import { lookup, Resolver } from "node:dns/promises";
import { isLocalName } from "./local-name.ts";

/** All addresses of a host name, the ones to try first in front. Rejects when there is none. */
export type NameLookup = (name: string) => Promise<readonly string[]>;

/** How long a query to a name server takes before it is repeated: a lost packet costs this much of an attempt's 4 s. */
const QUESTION_MS = 1_000;
/** How long the addresses of one family wait for those of the other: some name servers never answer for IPv6. */
const OTHER_FAMILY_MS = 300;

/**
 * Queries the name servers of this machine for exactly this name. Not by `dns.lookup`: it occupies one of the four threads that
 * files and password hashes need too, for as long as a name server hangs, and it adds search domains, which would turn a
 * customer's name into one of the private network.
 *
 * @param own the operator has allowed private networks: a name that DNS does not know, or that is never queried there, is
 *   then looked up as this machine itself does (hosts file, Docker's names)
 * @param servers instead of the machine's, `address:port`
 */
export function nameLookup({ own, servers }: { own: boolean; servers?: readonly string[] }): NameLookup {
  return async (name) => {
    if (own && isLocalName(name)) return askMachine(name);
    try {
      return await askNameServers(name, servers);
    } catch (error) {
      if (own && (error as NodeJS.ErrnoException).code === "ENOTFOUND") return askMachine(name);
      throw error;
    }
  };
}

/** IPv4 first: where it is missing that is known at once, where IPv6 is broken it takes a second to find out. */
async function askNameServers(name: string, servers: readonly string[] | undefined): Promise<string[]> {
  // A new one each time: it reads the present name servers, and cancelling affects only its own queries.
  const resolver = new Resolver({ timeout: QUESTION_MS, tries: 2 });
  if (servers) resolver.setServers(servers);
  const questions = [resolver.resolve4(name), resolver.resolve6(name)];
  let patience: NodeJS.Timeout | undefined;
  const one = Promise.any(questions).then(() => {
    patience = setTimeout(() => resolver.cancel(), OTHER_FAMILY_MS);
  });
  one.catch(() => {});
  const answers = await Promise.allSettled(questions);
  clearTimeout(patience);
  const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  if (addresses.length > 0) return addresses;
  throw answers.find((answer) => answer.status === "rejected")?.reason ?? new Error("There is no address.");
}

async function askMachine(name: string): Promise<string[]> {
  const addresses = await lookup(name, { all: true, order: "ipv4first" });
  return addresses.map(({ address }) => address);
}
