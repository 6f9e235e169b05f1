import { BlockList } from "node:net";
import { type Family, familyOf } from "./address-range.ts";

/**
 * Whether an address, as text, is one of the public internet: not of a private network, this machine, a link, or the inside of
 * a cloud, not reserved, and not an IPv6 address that contains an IPv4 one. The registries of IANA for special addresses (RFC
 * 6890), read strictly: what is not known to be public is not.
 */
export function isPublicAddress(address: string): boolean {
  switch (familyOf(address)) {
    case "ipv4":
      return !NOT_PUBLIC_IPV4.check(address, "ipv4");
    case "ipv6":
      return GLOBAL_IPV6.check(address, "ipv6") && !NOT_PUBLIC_IPV6.check(address, "ipv6") && !ISATAP.test(address);
    case undefined:
      return false;
  }
}

const NOT_PUBLIC_IPV4 = listOf("ipv4", [
  "0.0.0.0/8", // this network; 0.0.0.0 reaches this machine
  "10.0.0.0/8", // private
  "100.64.0.0/10", // shared between a provider and its customers, and one cloud's metadata
  "127.0.0.0/8", // this machine
  "168.63.129.16/32", // a public address in name only: the host below a virtual machine of Azure
  "169.254.0.0/16", // link-local, and the metadata of most clouds
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocols
  "192.0.2.0/24", // documentation
  "192.31.196.0/24", // AS112
  "192.52.193.0/24", // AMT
  "192.88.99.0/24", // 6to4 relays
  "192.168.0.0/16", // private
  "192.175.48.0/24", // AS112
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, and broadcast
]);

/** All addresses allocated for the public internet. It excludes most special ranges, and IPv4 in IPv6 except for two. */
const GLOBAL_IPV6 = listOf("ipv6", ["2000::/3"]);

const NOT_PUBLIC_IPV6 = listOf("ipv6", [
  "2001::/23", // protocols: Teredo, benchmarks, ORCHID and others
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4: IPv4 within
  "2620:4f:8000::/48", // AS112
  "3fff::/20", // documentation
]);

/** The lower half of an address of a tunnel that contains IPv4 (RFC 5214, section 6.1), in any network. */
const ISATAP = /(::|:0{1,4}:|:0?200:)5efe:([0-9a-f]{0,4}:[0-9a-f]{0,4}|[0-9.]+)$/i;

function listOf(family: Family, ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", width] = range.split("/");
    list.addSubnet(address, Number(width), family);
  }
  return list;
}
