import { isRegisteredRedirect, redirectHost, redirectKind } from "@frontdesk/core/domain/redirect-uri";
import type { Vault } from "../access/vault.ts";
import { APP_REDIRECTS_MAX, type AppClient, shownName } from "./app-client.ts";

/**
 * Dynamic registration (RFC 7591) without a row: the id holds what the app has said of itself, sealed with the installation's key, so
 * that no one else can make one. There is nothing to fill up, and nothing that could be removed from under an app.
 */
const PREFIX = "fd_client_";
const PLACE = { column: "registered apps", teamId: "", id: "" } as const;
/** It is part of addresses. */
const ID_MAX = 3_000;

interface Sealed {
  n: string;
  r: string[];
  t: number;
}

export type Registration =
  | { problem: "invalid_redirect_uri" | "invalid_client_metadata"; words: string }
  | { client: AppClient; issuedAtSeconds: number };

/** @param metadata a JSON object; what is not known here is ignored, as RFC 7591 wants it */
export function registerClient(vault: Vault, metadata: Record<string, unknown>, now: number): Registration {
  const { redirect_uris: asked, client_name: name } = metadata;
  if (!Array.isArray(asked) || asked.length === 0) {
    return { problem: "invalid_redirect_uri", words: "redirect_uris has to be a list of addresses." };
  }
  if (name !== undefined && typeof name !== "string") {
    return { problem: "invalid_client_metadata", words: "client_name has to be a text." };
  }
  // What one kind of program can't use is left out; the others stay.
  const accepted = asked.filter((uri): uri is string => typeof uri === "string" && redirectKind(uri) !== undefined);
  const redirectUris = [...new Set(accepted)].slice(0, APP_REDIRECTS_MAX);
  const [first] = redirectUris;
  if (first === undefined) {
    const words = "None of redirect_uris is https, or http on localhost, 127.0.0.1 or [::1].";
    return { problem: "invalid_redirect_uri", words };
  }
  const shown = shownName(name ?? "") || redirectHost(first);
  const seconds = Math.floor(now / 1_000);
  const sealed: Sealed = { n: shown, r: redirectUris, t: seconds };
  const id = PREFIX + vault.seal(JSON.stringify(sealed), PLACE);
  if (id.length > ID_MAX) return { problem: "invalid_client_metadata", words: "redirect_uris is too long." };
  return { client: clientOf(id, sealed), issuedAtSeconds: seconds };
}

/** Undefined for an id that was not made here, or with a key that is gone. */
export function openClientId(vault: Vault, id: string): AppClient | undefined {
  if (!id.startsWith(PREFIX) || id.length > ID_MAX) return undefined;
  try {
    return clientOf(id, JSON.parse(vault.open(id.slice(PREFIX.length), PLACE)) as Sealed);
  } catch {
    return undefined;
  }
}

const clientOf = (id: string, { n, r }: Sealed): AppClient => ({
  ...{ id, kind: "registered", name: n, host: undefined },
  // The rules may have become stricter since.
  redirectUris: r.filter((uri) => isRegisteredRedirect(uri, r)),
});
