import { type EventName, eventNames, eventScope } from "@frontdesk/core/contract";
import { apiKeyScopes, scopesMissing } from "@frontdesk/core/domain/policy";
import { lacksScopes } from "@frontdesk/core/domain/refusal";
import type { Actor } from "../access/actor.ts";
import { heldScopes } from "../access/by-actor.ts";
import type { WebhookRow } from "../storage/tables.ts";

/**
 * An API key gets no event that it may not read, whether it subscribes an endpoint, has something sent to one, or reads what
 * was sent (docs/decisions/0031-power-of-keys.md).
 *
 * @param events their names; one that this version does not know needs every scope
 * @throws Refusal `not-allowed` naming the scopes that are missing
 */
export function requireEventScopes(actor: Actor, events: readonly string[]): void {
  const needed = events.flatMap((event) => {
    const name = eventNames.find((known) => known === event);
    return name ? [eventScope(name)] : apiKeyScopes;
  });
  const missing = scopesMissing(needed, heldScopes(actor));
  if (missing.length > 0) throw lacksScopes("subscribe to events with data that it cannot read", missing);
}

/** The events a subscription names. */
export const eventsOf = ({ events }: Pick<WebhookRow, "events">): EventName[] => JSON.parse(events);
