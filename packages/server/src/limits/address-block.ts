import ipaddr from "ipaddr.js";

/** The parts of 16 bits that identify the network; the others are its owner's to choose. */
const NETWORK_PARTS = 4;
/** Those that identify what a provider gives to one site, or to a few hundred homes. */
const WIDER_PARTS = 3;
const BITS_IN_PART = 16;

/**
 * What requests of one client are counted under: an IPv4 address, also one that is written as IPv6, or the /64 of an IPv6
 * address, since the owner of one address of a /64 has all of them. Texts that are no address (a trusted proxy may pass on
 * anything) are counted together, and so make neither long nor many names.
 *
 * @param address the value of `request.ip`; undefined when the client has disconnected
 */
export function addressBlock(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  return parsed.kind() === "ipv4" ? parsed.toString() : networkOf(parsed as ipaddr.IPv6, NETWORK_PARTS);
}

/**
 * The wider network of an address: the /48 of an IPv6 address, whose owner has 65,536 blocks of /64. Undefined for IPv4, where
 * addresses are too expensive to be used by the thousand.
 */
export function widerNetwork(address: string | undefined): string | undefined {
  if (address === undefined || !ipaddr.isValid(address)) return undefined;
  const parsed = ipaddr.process(address);
  return parsed.kind() === "ipv4" ? undefined : networkOf(parsed as ipaddr.IPv6, WIDER_PARTS);
}

function networkOf(address: ipaddr.IPv6, parts: number): string {
  const network = address.parts.slice(0, parts).map((part) => part.toString(16));
  return `${network.join(":")}::/${parts * BITS_IN_PART}`;
}
