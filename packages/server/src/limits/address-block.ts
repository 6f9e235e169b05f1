import ipaddr from "ipaddr.js";

/** The parts of 16 bits that name the network; the others are its owner's to choose. */
const NETWORK_PARTS = 4;

/**
 * What requests of one client are counted under: an IPv4 address, also one that is written as IPv6, or the /64 of an
 * IPv6 address, since whoever has one address of a /64 has all of them. What is no address (a proxy that we trust may
 * hand on anything) is counted together, and so makes neither long nor many names.
 *
 * @param address as `request.ip` tells it; undefined when the client has gone
 */
export function addressBlock(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  const network = (parsed as ipaddr.IPv6).parts.slice(0, NETWORK_PARTS);
  return `${network.map((part) => part.toString(16)).join(":")}::/64`;
}
