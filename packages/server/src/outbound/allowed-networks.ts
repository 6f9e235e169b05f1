import { readAddressRange } from "./address-range.ts";

/** Private networks that requests may reach, set by the operator: WEBHOOK_ALLOWED_NETWORKS. */
export interface AllowedNetworks {
  /** Nothing is allowed. */
  none: boolean;
  include(address: string): boolean;
}

/**
 * @param entries networks and addresses, as `readAddressRange` reads them
 * @throws Error on an invalid one; the settings have refused it before
 */
export function allowedNetworks(entries: readonly string[]): AllowedNetworks {
  const allowed = entries.map(rangeOf);
  return {
    none: allowed.length === 0,
    include(address) {
      const dangerous = DANGEROUS.find(({ range }) => range.has(address));
      return allowed.some((range) => range.width >= (dangerous?.width ?? 0) && range.has(address));
    },
  };
}

/**
 * Ranges that a wide network includes without intention: they are allowed only by an entry that is at least as narrow. For this
 * machine and the link a network within the range is enough; the others need the exact address.
 */
const DANGEROUS = (
  [
    ["100.100.100.200", 32], // metadata of a cloud, in the middle of the shared range
    ["168.63.129.16", 32],
    ["fd00:ec2::254", 128], // metadata of a cloud, in the middle of the private range
    ["0.0.0.0/8", 32],
    ["::", 128],
    ["127.0.0.0/8", 8],
    ["::1", 128],
    ["169.254.0.0/16", 16],
    ["fe80::/10", 10],
    ["224.0.0.0/3", 32], // multicast, reserved, broadcast
    ["ff00::/8", 128],
    // IPv4-mapped IPv6 can be written as IPv4; no entry allows it.
    ["::ffff:0:0/96", Number.POSITIVE_INFINITY],
  ] as const
).map(([entry, width]) => ({ range: rangeOf(entry), width }));

function rangeOf(entry: string) {
  const range = readAddressRange(entry);
  if (!range) throw new Error(`${entry} is no network.`);
  return range;
}
