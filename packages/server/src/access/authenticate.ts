import { notAllowed } from "@frontdesk/core/domain/refusal";
import type { Storage } from "../storage/database.ts";
import type { ApiKeyActor } from "./actor.ts";
import { authenticateAssistants } from "./authenticate-assistant.ts";
import { authenticateKeys, type KnownKey } from "./authenticate-key.ts";
import { authenticateSessions } from "./authenticate-session.ts";
import { authenticateVisitors } from "./authenticate-visitor.ts";
import { noteUse } from "./note-use.ts";

export type { AssistantDoor, KnownAssistant } from "./authenticate-assistant.ts";
export type { KnownKey } from "./authenticate-key.ts";
export type { KnownSession, OpenSession } from "./authenticate-session.ts";

/**
 * Turns the `X-API-KEY` header, an assistant's bearer token, the cookie of a session or a visitor's token into an actor
 * (specification, "Authentication"; decision 49; docs/decisions/0025-signed-in-agents.md).
 */
export function createAuthentication(storage: Storage, now: () => number, onFailure: (error: unknown) => void) {
  const note = noteUse(storage, now, onFailure);
  return {
    apiKey: authenticateKeys(storage, now, note),
    assistant: authenticateAssistants(storage, now, note),
    ...authenticateSessions(storage, now, note),
    ...authenticateVisitors(storage, now),
  };
}

/**
 * @throws Refusal `not-allowed` when the team's API access is switched off (decision 29), or the key's agent is deactivated
 *   (docs/decisions/0031-power-of-keys.md)
 */
export function requireApiAccess(key: KnownKey): ApiKeyActor {
  if (!key.apiAccess) throw notAllowed("access-off");
  if (!key.agentCanAct) throw notAllowed("agent-deactivated");
  return key.actor;
}
