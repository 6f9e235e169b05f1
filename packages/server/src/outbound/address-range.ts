import { BlockList, isIP } from "node:net";

export type Family = "ipv4" | "ipv6";

/** Addresses that begin with the same bits. */
export interface AddressRange {
  family: Family;
  /** How many bits they share: 32 (IPv4) or 128 (IPv6) is a single address. */
  width: number;
  has(address: string): boolean;
}

/** Parses `10.0.0.0/8`, `2001:db8::/32` or a single address; undefined for anything else. */
export function readAddressRange(text: string): AddressRange | undefined {
  const [address = "", bits, ...rest] = text.split("/");
  const family = familyOf(address);
  if (!family || rest.length > 0) return undefined;
  const whole = family === "ipv4" ? 32 : 128;
  const width = bits === undefined ? whole : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
  if (!(width >= 1 && width <= whole)) return undefined;
  const list = new BlockList();
  list.addSubnet(address, width, family);
  // Node's list of IPv4 ranges also matches IPv4-mapped IPv6 addresses; here they are other addresses.
  return { family, width, has: (other) => familyOf(other) === family && list.check(other, family) };
}

/** The family of an address; undefined for an invalid one, and for one with a zone (`fe80::1%eth0`). */
export function familyOf(address: string): Family | undefined {
  if (address.includes("%")) return undefined;
  const version = isIP(address);
  return version === 4 ? "ipv4" : version === 6 ? "ipv6" : undefined;
}
