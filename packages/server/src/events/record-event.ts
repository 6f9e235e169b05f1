import { PAYLOAD_VERSION } from "@frontdesk/core/contract";
import { actorRecord, causeOf } from "../access/by-actor.ts";
import type { Context, Runtime, TeamTotal } from "../context.ts";
import { internalOf } from "../conversations/episode-events.ts";
import { keepEpisodes } from "../conversations/episodes.ts";
import { follow } from "../followers.ts";
import type { QueueRef } from "../outbox/receiver.ts";
import type { Database } from "../storage/database.ts";
import type { EventFacts, FactsOf } from "./event.ts";
import { advanceCounters, insertEvent } from "./event-store.ts";
import { presentEvent } from "./present-event.ts";

/**
 * Writes the totals that changed and the recorded events, with the episodes that they change and their followers, as the last
 * step before the commit. Returns the queues of the outbox that have something new.
 */
export async function appendEvents(
  ctx: Context,
  totals: ReadonlyMap<TeamTotal, number>,
  facts: readonly EventFacts[],
): Promise<QueueRef[]> {
  if (facts.length === 0 && totals.size === 0) return [];
  const openTimes = await keepEpisodes(ctx, facts);
  ctx.write(advanceCounters, { team_id: ctx.teamId, events: facts.length, ...changesOf(totals) });
  const actor = JSON.stringify(actorRecord(ctx.actor));
  const chain = causeOf(ctx.actor);
  const cause = chain && JSON.stringify(chain);
  const queues = facts.flatMap((event, index) => {
    const beforeLast = facts.length - 1 - index;
    const data = presentEvent(event);
    const stored = {
      team_id: ctx.teamId,
      id: "eventId" in event ? event.eventId : newEventId(ctx),
      ...aboutOf(event),
      actor,
      data: JSON.stringify(data),
      occurred_at: ctx.now,
      version: PAYLOAD_VERSION,
      cause,
      internal: internalOf(event, openTimes.get(event)),
    };
    ctx.write(insertEvent, { ...stored, before_last: beforeLast });
    return follow(ctx, { facts: event, data, stored, beforeLast });
  });
  return (await Promise.all(queues)).flat();
}

/**
 * Appends events in a transaction of the outbox, which is no operation: only those that have no follower and change no total and
 * no episode.
 */
export async function appendInOutbox(
  db: Database,
  { now, newId }: Pick<Runtime, "now" | "newId">,
  teamId: string,
  facts: readonly FactsOf<"message.delivery-changed">[],
): Promise<void> {
  if (facts.length === 0) return;
  const numbered = db.run(advanceCounters, { team_id: teamId, events: facts.length, ...changesOf(new Map()) });
  const appended = facts.map((event, index) =>
    db.run(insertEvent, {
      team_id: teamId,
      id: newEventId({ newId }),
      ...aboutOf(event),
      actor: JSON.stringify(actorRecord({ kind: "system", teamId })),
      data: JSON.stringify(presentEvent(event)),
      occurred_at: now(),
      version: PAYLOAD_VERSION,
      cause: null,
      internal: null,
      before_last: facts.length - 1 - index,
    }),
  );
  await Promise.all([numbered, ...appended]);
}

function changesOf(totals: ReadonlyMap<TeamTotal, number>): Record<TeamTotal, number> {
  const change = (total: TeamTotal) => totals.get(total) ?? 0;
  return {
    contacts: change("contacts"),
    conversations: change("conversations"),
    open_conversations: change("open_conversations"),
    agents: change("agents"),
    widgets: change("widgets"),
    webhooks: change("webhooks"),
    articles: change("articles"),
    published_articles: change("published_articles"),
  };
}

const aboutOf = (event: EventFacts) => ({
  name: event.name,
  conversation_id: conversationIdOf(event),
  contact_id: contactIdOf(event),
});

function conversationIdOf(event: EventFacts): string | null {
  if ("conversation" in event) return event.conversation.id;
  if ("erasedTexts" in event) return event.erasedTexts.conversationId;
  if ("sentOutside" in event) return event.sentOutside.conversationId;
  return "erasedFiles" in event ? event.erasedFiles.conversationId : null;
}

function contactIdOf(event: EventFacts): string | null {
  if ("contact" in event) return event.contact.id;
  if ("contactId" in event) return event.contactId;
  return "erased" in event ? event.erased.contactId : null;
}

/** Begins `evt_`, the same in every delivery and attempt (specification, "Webhook delivery envelope"). */
export const newEventId = ({ newId }: Pick<Context, "newId">): string => `evt_${newId().replaceAll("-", "")}`;
