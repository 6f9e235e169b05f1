import { Resolver } from "node:dns/promises";

/** `no-domain`: the name does not exist. `no-answer`: whether it does is not known. */
export type RecordsAnswer = readonly string[] | "no-domain" | "no-answer";

/** Asks the DNS for records of a name; never rejects. */
export interface DomainRecords {
  /** The hosts, the first to be tried in front; "" is a domain that takes no mail (RFC 7505). */
  mx(name: string): Promise<RecordsAnswer>;
  /** Each record as one text. */
  txt(name: string): Promise<RecordsAnswer>;
}

/** How long a query takes before it is repeated. */
const QUESTION_MS = 2_000;

/**
 * The records of names by the name servers of this machine.
 *
 * @param servers instead of the machine's, `address:port`
 */
export function domainRecords(servers?: readonly string[]): DomainRecords {
  const resolver = new Resolver({ timeout: QUESTION_MS, tries: 2 });
  if (servers) resolver.setServers(servers);
  return {
    mx: (name) =>
      answer(async () =>
        (await resolver.resolveMx(name))
          .toSorted((a, b) => a.priority - b.priority)
          .map(({ exchange }) => exchange.toLowerCase().replace(/\.$/, "")),
      ),
    txt: (name) => answer(async () => (await resolver.resolveTxt(name)).map((parts) => parts.join(""))),
  };
}

async function answer(ask: () => Promise<string[]>): Promise<RecordsAnswer> {
  try {
    return await ask();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENODATA") return [];
    return code === "ENOTFOUND" ? "no-domain" : "no-answer";
  }
}
