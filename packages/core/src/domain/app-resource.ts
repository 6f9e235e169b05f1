/** The addresses that apps connect to: what a token is for (RFC 8707). */
export const appResources = ["mcp", "readonly"] as const;
export type AppResource = (typeof appResources)[number];

const paths: Record<AppResource, string> = { mcp: "/mcp", readonly: "/mcp/readonly" };

/** The address that is pasted into an app. `issuer`: the origin, without a slash. */
export const resourceUrl = (issuer: string, resource: AppResource): string => issuer + paths[resource];

/**
 * What an app means by an address: scheme and host in any case, with or without the usual port and a slash at the end. Undefined for
 * anything else.
 */
export function resourceAt(issuer: string, address: string): AppResource | undefined {
  const url = URL.parse(address);
  if (url?.hash !== "" || url.search !== "" || url.username !== "" || url.password !== "") return undefined;
  if (url.origin !== issuer) return undefined;
  const path = url.pathname.replace(/\/$/, "");
  return appResources.find((resource) => paths[resource] === path);
}
