import type { FoundMailServers } from "@frontdesk/core/contract/session-channels";
import { isEmailAddress } from "@frontdesk/core/domain/email-address";
import { useRef, useState } from "react";
import { askSession } from "../../service/ask-session.ts";
import { queries } from "../../service/queries.ts";

export interface MailServersSearch {
  /** Those of the address that was looked up last. */
  found: FoundMailServers | undefined;
  isSearching: boolean;
  /**
   * Looks up the servers of an address. A repeat answers from memory, and one that has been overtaken by another, or that has
   * failed, with nothing: the servers can be entered.
   */
  find(address: string): Promise<FoundMailServers | undefined>;
}

/** Finds the servers of a mailbox by its address. */
export function useMailServers(): MailServersSearch {
  const [found, setFound] = useState<FoundMailServers>();
  const [isSearching, setSearching] = useState(false);
  const latest = useRef("");
  return {
    found,
    isSearching,
    async find(written) {
      const address = written.trim();
      latest.current = address;
      if (!isEmailAddress(address)) {
        setFound(undefined);
        return undefined;
      }
      setSearching(true);
      const servers = await queries
        .fetchQuery({
          queryKey: ["mail-servers", address],
          queryFn: () => askSession("findMailServers", { body: { address } }),
          staleTime: Number.POSITIVE_INFINITY,
        })
        .catch(() => undefined);
      if (latest.current !== address) return undefined;
      setSearching(false);
      setFound(servers);
      return servers;
    },
  };
}
