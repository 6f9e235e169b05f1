/**
 * Where an app may have the browser sent after the consent page (docs/decisions/0068-authorization-server.md): https exactly as
 * registered; this computer with any port (RFC 8252, section 7.3); and one editor's own scheme.
 */

/** Cursor cannot register another one for its desktop app; PKCE protects the code. */
const CURSOR = "cursor://anysphere.cursor-mcp/oauth/callback";
const LOOPBACK: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];
const REDIRECT_MAX = 1_000;

/** `website`: a server of the host. `this-computer`: any program that listens there. `program`: one that has the scheme. */
export type RedirectKind = "website" | "this-computer" | "program";

/** The kind of a redirect that may be registered; undefined for all others. */
export function redirectKind(uri: string): RedirectKind | undefined {
  if (uri === CURSOR) return "program";
  if (uri.length > REDIRECT_MAX || !/^[\x21-\x7e]+$/.test(uri) || /[\\#]/.test(uri)) return undefined;
  const url = URL.parse(uri);
  if (url?.username !== "" || url.password !== "" || url.hostname === "") return undefined;
  // What a browser would read differently is not the address that was registered.
  if (!/^[a-z]+:\/\/[^/]/i.test(uri)) return undefined;
  if (url.protocol === "https:") return "website";
  return url.protocol === "http:" && LOOPBACK.includes(url.hostname) ? "this-computer" : undefined;
}

/** Whether `asked` is one of the registered ones. On this computer the port is chosen anew each time. */
export function isRegisteredRedirect(asked: string, registered: readonly string[]): boolean {
  const kind = redirectKind(asked);
  if (kind === undefined) return false;
  if (registered.includes(asked)) return true;
  return kind === "this-computer" && registered.some((uri) => withoutPort(uri) === withoutPort(asked));
}

/** The redirect as it is the same at every start of a program. Its host, path and query stay as they were written. */
export function withoutPort(uri: string): string {
  if (redirectKind(uri) !== "this-computer") return uri;
  const { hostname, pathname, search } = new URL(uri);
  return `http://${hostname}${pathname}${search}`;
}

/** The host that a person knows it by. */
export function redirectHost(uri: string): string {
  return new URL(uri).host;
}
