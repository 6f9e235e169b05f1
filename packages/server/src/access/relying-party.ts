/** What passkeys are made for: they work at this host alone. */
export interface RelyingParty {
  id: string;
  origin: string;
}

/**
 * The relying party of a public address; undefined where browsers have no passkeys: at an IP address, and without https except on
 * this computer.
 */
export function relyingPartyOf(publicUrl: string): RelyingParty | undefined {
  const { protocol, hostname, origin } = new URL(publicUrl);
  const isHere = hostname === "localhost" || hostname.endsWith(".localhost");
  // In a URL, IPv4 has one form, and IPv6 brackets.
  if (hostname.startsWith("[") || /^[\d.]+$/.test(hostname)) return undefined;
  return protocol === "https:" || isHere ? { id: hostname, origin } : undefined;
}
