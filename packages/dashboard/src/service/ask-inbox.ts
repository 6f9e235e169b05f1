/** Requests of the inbox API. Types come from the contract; its schemas are not loaded. */
import { inboxRoutes } from "@frontdesk/client/agent";
import type { inboxOperations } from "@frontdesk/core/contract/inbox";
import { asker } from "./send.ts";

export const askInbox = asker<typeof inboxOperations>("/inbox", inboxRoutes);
