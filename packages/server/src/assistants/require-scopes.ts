import type { AssistantPermission } from "@frontdesk/core/domain/assistant-permissions";
import { scopesMissingToGrant } from "@frontdesk/core/domain/policy";
import { lacksScopes } from "@frontdesk/core/domain/refusal";
import type { Actor } from "../access/actor.ts";
import { heldScopes } from "../access/by-actor.ts";

/**
 * An API key gives an assistant nothing that it may not do itself (decision A48): not when it creates a connection, grants it
 * more, resumes it, or gets a token for it. The operator at the command line may give everything.
 *
 * @param given what the connection may do, as far as this request grants it
 * @throws Refusal `not-allowed` naming the scopes that are missing
 */
export function requireScopes(actor: Actor, given: readonly AssistantPermission[]): void {
  const missing = scopesMissingToGrant(given, heldScopes(actor));
  if (missing.length === 0) return;
  throw lacksScopes("grant an assistant permissions that the key does not have", missing);
}
