import { isIP, type LookupFunction } from "node:net";
import type { AllowedNetworks } from "./allowed-networks.ts";
import { isLocalName, isThisMachine } from "./local-name.ts";
import type { NameLookup } from "./name-lookup.ts";
import { isPublicAddress } from "./public-address.ts";

/** Decides where requests may go. */
export interface Guard {
  /** Whether a connection to this address is allowed. */
  permits(address: string): boolean;
  /**
   * The present addresses of a host name, all of them allowed.
   *
   * @throws BlockedAddress when one of them is not: a name with both private and public addresses is no mistake
   * @throws NameNotFound when it has none
   */
  addressesOf(name: string): Promise<readonly string[]>;
}

/** It may not be connected to. The message contains no address: it may be shown to the customer who chose the name. */
export class BlockedAddress extends Error {
  constructor() {
    super("The address is not one of the public internet.");
  }
}

/** A name without an address; `cause` is the error of the lookup. */
export class NameNotFound extends Error {
  constructor(cause: unknown) {
    super("The host name has no address.", { cause });
  }
}

const THIS_MACHINE = ["127.0.0.1", "::1"];

/**
 * @param lookup called once for each connection, never for an address
 * @param listedOnly permits no public address that is not listed
 */
export function createGuard({
  allowed,
  lookup,
  listedOnly = false,
}: {
  allowed: AllowedNetworks;
  lookup: NameLookup;
  listedOnly?: boolean;
}): Guard {
  return { permits, addressesOf };

  function permits(address: string): boolean {
    return (!listedOnly && isPublicAddress(address)) || allowed.include(address);
  }

  async function addressesOf(written: string): Promise<readonly string[]> {
    const name = written.replace(/\.$/, "");
    if (isLocalName(name)) return ownAddressesOf(name);
    const addresses = await lookup(name).catch((cause) => {
      throw new NameNotFound(cause);
    });
    if (addresses.length === 0) throw new NameNotFound(undefined);
    if (!addresses.every(permits)) throw new BlockedAddress();
    return addresses;
  }

  /** A name of the private network: blocked, unless all its addresses are in networks that the operator has allowed. */
  async function ownAddressesOf(name: string): Promise<readonly string[]> {
    if (allowed.none) throw new BlockedAddress();
    if (isThisMachine(name)) {
      const addresses = THIS_MACHINE.filter(allowed.include);
      if (addresses.length === 0) throw new BlockedAddress();
      return addresses;
    }
    const addresses = await lookup(name).catch(() => []);
    if (addresses.length === 0 || !addresses.every(allowed.include)) throw new BlockedAddress();
    return addresses;
  }
}

/** The guard as the lookup of Node's sockets: they connect only to addresses that it gives. */
export function guardedLookup(guard: Guard): LookupFunction {
  return (name, _options, callback) => {
    guard.addressesOf(name).then(
      (addresses) =>
        callback(
          null,
          addresses.map((address) => ({ address, family: isIP(address) })),
        ),
      (error) => callback(error, []),
    );
  };
}
