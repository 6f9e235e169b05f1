import { allowedNetworks } from "./allowed-networks.ts";
import { type GetRequest, get, type Received } from "./get.ts";
import { type NameLookup, nameLookup } from "./name-lookup.ts";
import { type PostOutcome, type PostRequest, post } from "./post.ts";
import { vettedConnections } from "./vetted-connections.ts";
import { createGuard } from "./vetted-lookup.ts";

export type { Received } from "./get.ts";

/** The only way to other servers: every request to an address that a customer has chosen passes here. */
export interface Outbound {
  post(request: PostRequest): Promise<PostOutcome>;
  /** An answer 200; undefined for anything else. */
  get(request: GetRequest): Promise<Received | undefined>;
  /** The same for either method: one request, whatever the answer says. */
  ask(request: PostRequest & { method: "GET" | "POST" }): Promise<PostOutcome>;
  /** Ends requests under way as `aborted`, and closes all connections. */
  close(): void;
}

/**
 * @param options.allowedNetworks private networks that may be reached besides the internet: of webhooks, WEBHOOK_ALLOWED_NETWORKS
 * @param options.extraCa trusted certificates (PEM) besides those that Node trusts
 * @param options.lookup replaces the name servers
 * @param options.socketsPerOrigin connections to one host at a time; by default enough for all requests under way
 * @param options.timeoutMs for requests that give none
 * @param options.now the clock for the age of connections, ms; never set back
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
  const send = (request: PostRequest) => post(connections, guard, { ...(timeoutMs && { timeoutMs }), ...request });
  return {
    post: send,
    ask: send,
    get: (request) => get(connections, guard, { ...(timeoutMs && { timeoutMs }), ...request }),
    close: connections.close,
  };
}
