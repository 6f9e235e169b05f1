import { isLocalName, isThisMachine } from "../outbound/local-name.ts";
import { isPublicAddress } from "../outbound/public-address.ts";

/**
 * Who issues the tokens of apps: the origin of PUBLIC_URL. Off where it is reached without TLS from elsewhere, because codes and
 * tokens could be read on the way, and where it has a path, because apps look for the documents at the root.
 */
export type Issuer = { url: string } | { off: "not-https" | "has-path" };

export function issuerOf(publicUrl: string): Issuer {
  const { protocol, hostname, pathname, origin } = new URL(publicUrl);
  if (pathname !== "/") return { off: "has-path" };
  if (protocol !== "https:" && !isLoopback(hostname)) return { off: "not-https" };
  return { url: origin };
}

const isLoopback = (hostname: string): boolean =>
  isThisMachine(hostname) || hostname === "[::1]" || /^127\.[\d.]+$/.test(hostname);

/** Whether apps on other machines can find it by its name, as far as the name says. */
export function isOnInternet(publicUrl: string): boolean {
  const host = new URL(publicUrl).hostname.replace(/^\[(.*)\]$/, "$1");
  const isAddress = host.includes(":") || /^[\d.]+$/.test(host);
  return isAddress ? isPublicAddress(host) : !isLocalName(host.replace(/\.$/, ""));
}
