import { isIP, connect as openTcp, type Socket } from "node:net";
import { connect as openTls, type SecureContext } from "node:tls";
import type { AllowedNetworks } from "./allowed-networks.ts";
import { type NameLookup, nameLookup } from "./name-lookup.ts";
import { trustingContext } from "./trusting-context.ts";
import { BlockedAddress, createGuard } from "./vetted-lookup.ts";

/** For looking up, connecting and TLS together. */
export const SOCKET_TIMEOUT_MS = 10_000;
/** For one of several addresses before the next is tried. */
const ADDRESS_TIMEOUT_MS = 4_000;

export interface SocketRequest {
  /** A host name or an address. */
  host: string;
  port: number;
  /** `starttls` gives a plain socket, for the protocol to secure with `tlsOptions`. */
  security: "tls" | "starttls" | "none";
  /** Ends it at once, in any phase. */
  signal?: AbortSignal | undefined;
}

/** How TLS is begun on a socket that is open already. */
export interface TlsOptions {
  secureContext: SecureContext;
  rejectUnauthorized: true;
  /** Left out for an address. */
  servername?: string;
  /** What the certificate has to be for: of an address too. */
  host: string;
}

/** Connections of protocols other than HTTP to hosts that customers have chosen. */
export interface VettedSockets {
  /**
   * A connected socket: the host is looked up here, each address is vetted, and the connection is made to that very address, so
   * that no later answer of a name server leads elsewhere.
   *
   * @throws BlockedAddress, NameNotFound, SocketTimeout, UnencryptedNotAllowed, the error of the connection or of TLS
   */
  connect(request: SocketRequest): Promise<Socket>;
  tlsOptions(host: string): TlsOptions;
}

/** Nothing has answered in time. */
export class SocketTimeout extends Error {
  constructor() {
    super("The host has not answered in time.");
  }
}

/** Without encryption only the networks that the operator has allowed may be reached. */
export class UnencryptedNotAllowed extends Error {
  constructor() {
    super("The address may not be connected to without encryption.");
  }
}

/**
 * @param options.allowed CHANNEL_ALLOWED_NETWORKS
 * @param options.extraCa trusted certificates (PEM) besides those that Node trusts
 * @param options.lookup replaces the name servers
 */
export function vettedSockets({
  allowed,
  extraCa,
  lookup = nameLookup({ own: !allowed.none }),
}: {
  allowed: AllowedNetworks;
  extraCa?: string | undefined;
  lookup?: NameLookup | undefined;
}): VettedSockets {
  const guard = createGuard({ allowed, lookup });
  const secureContext = trustingContext(extraCa);
  return { connect, tlsOptions };

  function tlsOptions(host: string): TlsOptions {
    return { secureContext, rejectUnauthorized: true, host, ...(isIP(host) === 0 && { servername: host }) };
  }

  async function connect({ host, port, security, signal }: SocketRequest): Promise<Socket> {
    const timeout = AbortSignal.timeout(SOCKET_TIMEOUT_MS);
    const end = signal ? AbortSignal.any([signal, timeout]) : timeout;
    try {
      const addresses = await orAborted(addressesOf(host, security), end);
      const socket = await connectToOne(addresses, port, end);
      return security === "tls" ? await secured(socket, host, end) : socket;
    } catch (error) {
      throw timeout.aborted && !signal?.aborted ? new SocketTimeout() : error;
    }
  }

  async function addressesOf(host: string, security: SocketRequest["security"]): Promise<readonly string[]> {
    if (isIP(host) !== 0 && !guard.permits(host)) throw new BlockedAddress();
    const addresses = isIP(host) === 0 ? await guard.addressesOf(host) : [host];
    if (security === "none" && !addresses.every(allowed.include)) throw new UnencryptedNotAllowed();
    return addresses;
  }

  async function connectToOne(addresses: readonly string[], port: number, end: AbortSignal): Promise<Socket> {
    let failure: unknown;
    for (const address of addresses) {
      const timeout = AbortSignal.timeout(ADDRESS_TIMEOUT_MS);
      const socket = openTcp({ host: address, port, noDelay: true });
      try {
        await opened(socket, "connect", AbortSignal.any([end, timeout]));
        if (!guard.permits(socket.remoteAddress ?? "")) throw new BlockedAddress();
        return socket;
      } catch (error) {
        socket.destroy();
        if (end.aborted) throw error;
        failure = timeout.aborted ? new SocketTimeout() : error;
      }
    }
    throw failure;
  }

  async function secured(socket: Socket, host: string, end: AbortSignal): Promise<Socket> {
    const secure = openTls({ socket, ...tlsOptions(host) });
    try {
      await opened(secure, "secureConnect", end);
      return secure;
    } catch (error) {
      secure.destroy();
      socket.destroy();
      throw error;
    }
  }
}

/** Resolves at `event`, and rejects when the socket fails or the signal is aborted first. */
function opened(socket: Socket, event: "connect" | "secureConnect", signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => fail(signal.reason);
    const closed = () => fail(Object.assign(new Error("The connection was closed."), { code: "ECONNRESET" }));
    const settle = () => {
      signal.removeEventListener("abort", abort);
      socket.off("close", closed);
      socket.off("error", fail);
    };
    const fail = (error: unknown) => {
      settle();
      // Without a listener a later error would end the process.
      socket.on("error", () => {});
      reject(error);
    };
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    socket.once("error", fail);
    socket.once("close", closed);
    socket.once(event, () => {
      settle();
      resolve();
    });
  });
}

function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
