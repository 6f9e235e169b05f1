import type { Vault } from "../access/vault.ts";
import type { AppClient } from "./app-client.ts";
import type { ClientDocuments } from "./client-document.ts";
import { openClientId } from "./registered-client.ts";

/** The app of a `client_id`, of both kinds; undefined for an unknown one. */
export type ResolveClient = (id: string, count: () => Promise<void>) => Promise<AppClient | undefined>;

/** @param documents undefined where no request may leave (OAUTH_CLIENT_DOCUMENTS) */
export function createResolveClient(vault: Vault, documents: ClientDocuments | undefined): ResolveClient {
  return async (id, count) => (/^https:/i.test(id) ? documents?.clientAt(id, count) : openClientId(vault, id));
}
