import { redirectKind } from "@frontdesk/core/domain/redirect-uri";
import type { Outbound, Received } from "../outbound/outbound.ts";
import { APP_REDIRECTS_MAX, type AppClient, shownName } from "./app-client.ts";

const TIMEOUT_MS = 4_000;
const MAX_BYTES = 16 * 1_024;
const ID_MAX = 1_000;
/** Without a word of the server. */
const USUAL_LIFE_MS = 5 * 60_000;
const LONGEST_LIFE_MS = 24 * 60 * 60_000;
const CACHED_MAX = 500;

export interface ClientDocuments {
  /**
   * The app whose document is at this address; undefined for a document that is none, and for what cannot be fetched.
   *
   * @param count runs before something is fetched, and may refuse
   */
  clientAt(address: string, count: () => Promise<void>): Promise<AppClient | undefined>;
}

/**
 * Apps that are known by the address of their document (OAuth Client ID Metadata Documents). It is fetched when the browser comes
 * and when a person answers, never for a token.
 *
 * @param outbound reaches nothing but the internet: strangers write these addresses
 */
export function createClientDocuments(outbound: Pick<Outbound, "get">, now: () => number): ClientDocuments {
  const cached = new Map<string, { client: AppClient; until: number }>();
  return {
    async clientAt(address, count) {
      const known = cached.get(address);
      if (known && known.until > now()) return known.client;
      const url = documentAddress(address);
      if (!url) return undefined;
      await count();
      const headers = { Accept: "application/json", "Accept-Encoding": "identity", "User-Agent": "Frontdesk" };
      const asked = { url, headers, maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, redirects: 0 };
      const received = await outbound.get(asked);
      const client = received && readClientDocument(address, received);
      if (!client) return undefined;
      cached.delete(address);
      const oldest = cached.size >= CACHED_MAX ? cached.keys().next().value : undefined;
      if (oldest !== undefined) cached.delete(oldest);
      cached.set(address, { client, until: now() + lifeOf(received) });
      return client;
    },
  };
}

/** The address of a document: https with a path, and nothing that could be written in two ways. */
export function documentAddress(id: string): URL | undefined {
  if (id.length > ID_MAX || !/^https:\/\/[\x21-\x7e]+$/.test(id) || /[\\#]/.test(id)) return undefined;
  const url = URL.parse(id);
  if (!url || url.pathname === "/" || url.username !== "" || url.password !== "") return undefined;
  // Dot segments, upper case, a usual port: the same address has another text.
  return url.href === id ? url : undefined;
}

/** What a document says, if all of it is as it has to be. */
export function readClientDocument(address: string, { content, headers }: Received): AppClient | undefined {
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(headers["content-type"] ?? "")) return undefined;
  const document = parsed(content);
  if (!document || document.client_id !== address || typeof document.client_name !== "string") return undefined;
  // A secret in a document is none.
  if ("client_secret" in document || "client_secret_expires_at" in document) return undefined;
  if (!mayHaveNoSecret(document)) return undefined;
  const asked = Array.isArray(document.redirect_uris) ? document.redirect_uris : [];
  const redirectUris = asked.filter((uri): uri is string => typeof uri === "string" && redirectKind(uri) !== undefined);
  const name = shownName(document.client_name);
  if (redirectUris.length === 0 || name === "") return undefined;
  const { host } = new URL(address);
  return { id: address, kind: "document", name, host, redirectUris: redirectUris.slice(0, APP_REDIRECTS_MAX) };
}

/** Some prefer keys and have none as well. */
function mayHaveNoSecret(document: Record<string, unknown>): boolean {
  const { token_endpoint_auth_method: method, token_endpoint_auth_methods_supported: methods } = document;
  return method === undefined || method === "none" || (Array.isArray(methods) && methods.includes("none"));
}

function parsed(content: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(content));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function lifeOf({ headers }: Received): number {
  const control = headers["cache-control"] ?? "";
  if (/\bno-(?:store|cache)\b/i.test(control)) return 0;
  const seconds = /\bmax-age\s*=\s*"?(\d{1,9})/i.exec(control)?.[1];
  return seconds === undefined ? USUAL_LIFE_MS : Math.min(Number(seconds) * 1_000, LONGEST_LIFE_MS);
}
