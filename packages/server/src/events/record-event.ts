import { actorRecord } from "../access/actor.ts";
import type { Context, KeptTotal } from "../context.ts";
import type { EventFacts } from "./event.ts";
import { advanceCounters, insertEvent } from "./event-store.ts";
import { presentEvent } from "./present-event.ts";

/** Writes the totals that changed and the events that were recorded, as the last step before the commit. */
export function appendEvents(ctx: Context, totals: ReadonlyMap<KeptTotal, number>, facts: readonly EventFacts[]): void {
  if (facts.length === 0 && totals.size === 0) return;
  const change = (total: KeptTotal) => totals.get(total) ?? 0;
  ctx.write(advanceCounters, {
    team_id: ctx.teamId,
    events: facts.length,
    contacts: change("contacts"),
    conversations: change("conversations"),
    open_conversations: change("open_conversations"),
    agents: change("agents"),
    widgets: change("widgets"),
    webhooks: change("webhooks"),
  });
  const actor = JSON.stringify(actorRecord(ctx.actor));
  for (const [index, event] of facts.entries()) {
    ctx.write(insertEvent, {
      team_id: ctx.teamId,
      before_last: facts.length - 1 - index,
      id: `evt_${ctx.newId().replaceAll("-", "")}`,
      name: event.name,
      conversation_id: "conversation" in event ? event.conversation.id : null,
      contact_id: "contact" in event ? event.contact.id : null,
      actor,
      data: JSON.stringify(presentEvent(event)),
      occurred_at: ctx.now,
    });
  }
}
