/**
 * Events as episodes see them (`core/domain/episode.ts`): at the commit from the facts, later from the log. What the latter
 * needs and no payload contains is in `events.internal`.
 */
import type { SentVia } from "@frontdesk/core/domain/conversation";
import { type EpisodeEvent, type OpenedBy, replierOf } from "@frontdesk/core/domain/episode";
import type { ActorKind } from "../access/actor.ts";
import { sentVia } from "../access/by-actor.ts";
import type { Doer, EventFacts, EventName, FactsOf } from "../events/event.ts";
import type { PayloadOf } from "../events/payloads.ts";
import type { EventRow } from "../storage/tables.ts";

/** What `events.internal` holds, as JSON. */
interface Internal {
  /** Of a new conversation. */
  opened_by?: OpenedBy;
  opened_by_id?: string | null;
  /** Of a reply. */
  sent_via?: SentVia;
  /** Of a reply that was sent elsewhere, before the visitor's last message. */
  is_late?: boolean;
  /** Of a reply that tells that an answer will come. */
  is_no_answer?: boolean;
  /** Of the first reply of an episode, and of a resolution: the open time, by the business hours of that moment. */
  open_ms?: number;
}

/** The events that change an episode; all others change none. */
const fromFacts: { [Name in EventName]?: (facts: FactsOf<Name>, at: number) => EpisodeEvent | undefined } = {
  "conversation.created": (facts, at) => ({ name: "opened", at, ...openerOf(openedBy(facts)) }),
  "conversation.reopened": ({ reopenedBy }, at) => ({ name: "opened", at, ...openerOf(reopenedBy) }),
  "message.received": (_facts, at) => ({ name: "visitor-wrote", at }),
  "message.sent": ({ message, agent, isNoAnswer }, at) =>
    isNoAnswer ? undefined : replied(message.sent_via as SentVia, agent.id, at),
  "message.sent-elsewhere": ({ message, agent, isLate }, at) =>
    isLate ? undefined : replied(message.sent_via as SentVia, agent.id, at),
  "handoff.requested": (_facts, at) => ({ name: "handoff-requested", at }),
  "conversation.snoozed": (_facts, at) => ({ name: "snoozed", at }),
  "conversation.unsnoozed": (_facts, at) => ({ name: "unsnoozed", at }),
  "conversation.resolved": ({ resolvedBy }, at) => resolved(resolvedBy, at),
  "conversation.rated": ({ conversation }, at) => rated(conversation.rating, at),
};

/** The facts of the events that change an episode. */
export type EpisodeFacts = Extract<EventFacts, { conversation: unknown }>;

export function episodeEvent(facts: EventFacts, at: number): EpisodeEvent | undefined {
  const read = fromFacts[facts.name] as ((facts: EventFacts, at: number) => EpisodeEvent | undefined) | undefined;
  return read?.(facts, at);
}

/**
 * What the log stores of an event besides its payload; null for nothing.
 *
 * @param openMs the open time that it ended; undefined where none was measured
 */
export function internalOf(facts: EventFacts, openMs: number | undefined): string | null {
  const measured: Internal = openMs === undefined ? {} : { open_ms: openMs };
  switch (facts.name) {
    case "conversation.created": {
      const { by, byId } = openerOf(openedBy(facts));
      return JSON.stringify({ opened_by: by, opened_by_id: byId } satisfies Internal);
    }
    case "message.sent":
      return JSON.stringify({
        sent_via: facts.message.sent_via as SentVia,
        ...(facts.isNoAnswer && { is_no_answer: true }),
        ...measured,
      } satisfies Internal);
    case "message.sent-elsewhere": {
      const sent_via = facts.message.sent_via as SentVia;
      return JSON.stringify({ sent_via, is_late: facts.isLate, ...measured } satisfies Internal);
    }
    default:
      return openMs === undefined ? null : JSON.stringify(measured);
  }
}

type Logged = Pick<EventRow, "name" | "data" | "internal" | "actor" | "occurred_at">;

const fromLog: {
  [Name in EventName]?: (payload: PayloadOf<Name>, internal: Internal, row: Logged) => EpisodeEvent | undefined;
} = {
  "conversation.created": ({ visitor }, { opened_by = "visitor", opened_by_id = visitor.id }, { occurred_at }) => ({
    name: "opened",
    at: occurred_at,
    by: opened_by,
    byId: opened_by_id,
  }),
  "conversation.reopened": ({ reopened_by }, _internal, { occurred_at }) => ({
    name: "opened",
    at: occurred_at,
    ...openerOf(reopened_by),
  }),
  "message.received": (_payload, _internal, { occurred_at }) => ({ name: "visitor-wrote", at: occurred_at }),
  "message.sent": ({ agent }, { sent_via, open_ms, is_no_answer }, row) =>
    is_no_answer
      ? undefined
      : replied(sent_via ?? sentVia(JSON.parse(row.actor) as { kind: ActorKind }), agent.id, row.occurred_at, open_ms),
  "message.sent-elsewhere": ({ agent }, { sent_via = "channel", is_late = false, open_ms }, { occurred_at }) =>
    is_late ? undefined : replied(sent_via, agent.id, occurred_at, open_ms),
  "handoff.requested": (_payload, _internal, { occurred_at }) => ({ name: "handoff-requested", at: occurred_at }),
  "conversation.snoozed": (_payload, _internal, { occurred_at }) => ({ name: "snoozed", at: occurred_at }),
  "conversation.unsnoozed": (_payload, _internal, { occurred_at }) => ({ name: "unsnoozed", at: occurred_at }),
  "conversation.resolved": ({ resolved_by }, { open_ms }, { occurred_at }) =>
    resolved(resolved_by, occurred_at, open_ms),
  "conversation.rated": ({ rating }, _internal, { occurred_at }) => rated(rating, occurred_at),
};

/** The same of an event in the log; undefined for one that changes no episode. */
export function loggedEpisodeEvent(row: Logged): EpisodeEvent | undefined {
  const read = fromLog[row.name as EventName] as
    | ((payload: object, internal: Internal, row: Logged) => EpisodeEvent | undefined)
    | undefined;
  return read?.(JSON.parse(row.data), row.internal === null ? {} : JSON.parse(row.internal), row);
}

/** Who begins a conversation by writing to the team, unless stated otherwise. */
const openedBy = ({ openedBy: by, contact }: FactsOf<"conversation.created">) => by ?? { visitor: { id: contact.id } };

function openerOf(doer: Doer | { visitor: { id: string } }): { by: OpenedBy; byId: string | null } {
  if ("visitor" in doer) return { by: "visitor", byId: doer.visitor.id };
  if ("agent" in doer) return { by: "agent", byId: doer.agent.id };
  return { by: "program", byId: "automation" in doer ? doer.automation.id : null };
}

function replied(via: SentVia, agentId: string, at: number, openMs: number | null = null): EpisodeEvent | undefined {
  const by = replierOf(via);
  return by && { name: "replied", at, by, agentId, openMs };
}

function resolved(doer: Doer, at: number, openMs: number | null = null): EpisodeEvent {
  return { name: "resolved", at, by: JSON.stringify(doer), openMs };
}

function rated(rating: number | null, at: number): EpisodeEvent | undefined {
  return rating === null ? undefined : { name: "rated", at, rating };
}
