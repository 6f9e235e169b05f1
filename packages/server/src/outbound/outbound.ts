import { allowedNetworks } from "./allowed-networks.ts";
import { type NameLookup, nameLookup } from "./name-lookup.ts";
import { type PostOutcome, type PostRequest, post } from "./post.ts";
import { vettedConnections } from "./vetted-connections.ts";
import { createGuard } from "./vetted-lookup.ts";

/** The only door to other people's servers: what goes to an address that a customer has chosen goes through it. */
export interface Outbound {
  post(request: PostRequest): Promise<PostOutcome>;
  /** Ends what is under way as `aborted`, and closes all connections. */
  close(): void;
}

/**
 * @param options.allowedNetworks WEBHOOK_ALLOWED_NETWORKS: own networks that may be reached besides the internet
 * @param options.extraCa certificates (PEM) that are believed besides those that Node believes
 * @param options.lookup instead of asking the name servers
 * @param options.socketsPerOrigin connections to one host at a time; enough for all that is under way when it is not given
 * @param options.timeoutMs for a request that says none itself
 * @param options.now the clock of how old a connection is, ms; never set back
 */
export function createOutbound(options: {
  allowedNetworks: readonly string[];
  extraCa?: string;
  lookup?: NameLookup;
  socketsPerOrigin?: number;
  timeoutMs?: number;
  now?: () => number;
}): Outbound {
  const allowed = allowedNetworks(options.allowedNetworks);
  const guard = createGuard({ allowed, lookup: options.lookup ?? nameLookup({ own: !allowed.none }) });
  const { socketsPerOrigin, extraCa, now, timeoutMs } = options;
  const connections = vettedConnections({ guard, socketsPerOrigin, extraCa, now });
  return {
    post: (request) => post(connections, guard, { ...(timeoutMs && { timeoutMs }), ...request }),
    close: connections.close,
  };
}
