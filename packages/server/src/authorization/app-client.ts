/** An app that asks to be connected, and by what it is known. */
import { hash } from "node:crypto";
import type { AppResource } from "@frontdesk/core/domain/app-resource";
import { withoutPort } from "@frontdesk/core/domain/redirect-uri";

export interface AppClient {
  /** The `client_id`. */
  id: string;
  /** `document`: the id is the address of a document that says the rest. `registered`: the id holds what the app has said. */
  kind: "document" | "registered";
  name: string;
  /** The host that the document is at; undefined for what no one vouches for. */
  host: string | undefined;
  redirectUris: readonly string[];
}

/** Longer names are cut where they are read. */
export const APP_NAME_MAX = 100;
export const APP_REDIRECTS_MAX = 20;

/**
 * A name as it may be shown: one line, without characters that hide or turn what follows.
 *
 * @returns "" where nothing is left of it
 */
export function shownName(name: string): string {
  const plain = name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ").replace(/\s+/g, " ");
  return [...plain.trim()].slice(0, APP_NAME_MAX).join("").trim();
}

/** The same for the same app at each of its starts and registrations: by it a connection is found again. */
export function appKey({ id, kind, name, redirectUris }: AppClient, resource: AppResource): string {
  const itself = kind === "document" ? [id] : [name, ...[...new Set(redirectUris.map(withoutPort))].sort()];
  return hash("sha256", JSON.stringify([kind, resource, ...itself]), "hex");
}
