/** Requests of the session API. Types come from the contract; its schemas are not loaded. */
import type { sessionOperations } from "@frontdesk/core/contract/session";
import { asker } from "./send.ts";
import { sessionRoutes } from "./session-routes.ts";

export const askSession = asker<typeof sessionOperations>("", sessionRoutes);
