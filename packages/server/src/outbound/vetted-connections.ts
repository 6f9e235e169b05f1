import { Agent, type ClientRequestArgs } from "node:http";
import { isIP, connect as openTcp, type Socket, type TcpNetConnectOpts } from "node:net";
import type { Duplex } from "node:stream";
import { type ConnectionOptions, connect } from "node:tls";
import { trustingContext } from "./trusting-context.ts";
import { BlockedAddress, type Guard, guardedLookup } from "./vetted-lookup.ts";

/** As many as are under way in all (`outbox/slots.ts`): waiting for a socket would count as the host's time. */
const SOCKETS_PER_ORIGIN = 256;
/** With more than this many over all hosts, a socket is closed after its request instead of being kept. */
const SOCKETS_IN_ALL = 512;
/** Shorter than the 5 s after which common servers close an idle connection, so that we are the one that closes. */
const IDLE_MS = 3_000;
/** Then the name is looked up and checked again, however busy the connection is. */
const OLDEST_MS = 60_000;
/** For one of several addresses before the next is tried. Node's own 250 ms give up on hosts that are only far away. */
const ADDRESS_MS = 1_000;

/** The phase of a connection, which tells what failed. */
export type Phase = "connecting" | "securing" | "open";

/** Connections only to addresses that the guard permits, kept for the next request to the same host. */
export interface VettedConnections {
  /** For `http.request`, with `protocol: "https:"`, or `"http:"` for those without TLS. */
  agent: Agent;
  phaseOf(socket: Socket | null): Phase;
  /** Functions that end each request under way; requests add and remove them. */
  underway: Set<() => void>;
  /** After `close`: no request may begin. */
  readonly closed: boolean;
  /** Ends requests under way and closes kept connections. */
  close(): void;
}

/**
 * Every connection is checked when it is made. A kept one stays connected to its address.
 *
 * ```
 *   name -> guard.addressesOf -> connecting -> guard.permits(remoteAddress) -> securing -> open <-> kept, at most 3 s
 *              | not allowed                          | not allowed                                        |
 *              '-----> BlockedAddress <---------------'                              older than a minute: closed
 * ```
 *
 * @param socketsPerOrigin further requests wait for one of them
 * @param extraCa trusted certificates (PEM) besides those that Node trusts
 * @param plain without TLS: for a guard that permits nothing but the operator's own networks
 * @param now ms, by a clock that is never set back
 */
export function vettedConnections({
  guard,
  socketsPerOrigin = SOCKETS_PER_ORIGIN,
  extraCa,
  plain = false,
  now = () => performance.now(),
}: {
  guard: Guard;
  socketsPerOrigin?: number | undefined;
  extraCa?: string | undefined;
  plain?: boolean;
  now?: (() => number) | undefined;
}): VettedConnections {
  const phases = new WeakMap<Duplex, Phase>();
  const openedAt = new WeakMap<Duplex, number>();
  const secureContext = trustingContext(extraCa);
  const lookup = guardedLookup(guard);

  class VettedAgent extends Agent {
    override createConnection({ host, port }: ClientRequestArgs): Duplex {
      const name = String(host);
      const options: ConnectionOptions & TcpNetConnectOpts = {
        host: name,
        port: Number(port),
        lookup,
        autoSelectFamily: true,
        autoSelectFamilyAttemptTimeout: ADDRESS_MS,
        noDelay: true,
        secureContext,
        // Set here, so that no environment variable can change it.
        rejectUnauthorized: true,
        ALPNProtocols: ["http/1.1"],
        // An address is no server name; a name has no dot at its end here (RFC 6066, section 3).
        ...(isIP(name) === 0 && { servername: name.replace(/\.$/, "") }),
      };
      const socket: Socket = plain ? openTcp(options) : connect(options);
      phases.set(socket, "connecting");
      // Before TLS sends its first bytes.
      socket.prependOnceListener("connect", () => {
        phases.set(socket, "securing");
        if (!guard.permits(socket.remoteAddress ?? "")) socket.destroy(new BlockedAddress());
      });
      socket.once(plain ? "connect" : "secureConnect", () => {
        phases.set(socket, "open");
        openedAt.set(socket, now());
      });
      return socket;
    }

    /** Called after each request. Node's own part returns false when the server keeps connections no longer than we do. */
    override keepSocketAlive(socket: Duplex): boolean {
      const young = now() - (openedAt.get(socket) ?? 0) < OLDEST_MS;
      const wanted = super.keepSocketAlive(socket) as unknown as boolean;
      // The agent closes an idle socket on this. Its own option for it would watch every request as well, which costs 3 µs.
      (socket as Socket).setTimeout(IDLE_MS);
      return young && wanted && this.totalSocketCount <= SOCKETS_IN_ALL;
    }

    override getName({ host, port }: ClientRequestArgs = {}): string {
      return `${host}:${port}`;
    }

    declare totalSocketCount: number;
  }

  const agent = new VettedAgent({
    protocol: plain ? "http:" : "https:",
    keepAlive: true,
    maxSockets: socketsPerOrigin,
    agentKeepAliveTimeoutBuffer: IDLE_MS,
  });
  const underway = new Set<() => void>();
  let closed = false;
  return {
    agent,
    underway,
    phaseOf: (socket) => (socket && phases.get(socket)) ?? "connecting",
    get closed() {
      return closed;
    },
    close() {
      closed = true;
      for (const end of underway) end();
      agent.destroy();
    },
  };
}
