import { type Happening, type HappeningName, happeningNames } from "@frontdesk/core/contract/live";
import type { EventName } from "../events/event.ts";
import type { EventRow } from "../storage/tables.ts";
import { isoTime } from "../timestamp.ts";

/** The events of a conversation that its thread tells beside the messages. Those of the index `events_in_threads`, of migration 16. */
export const timelineEvents: readonly TimelineEventName[] = [
  ...happeningNames.filter((name) => name !== "visitor.recognised"),
  "system-line.added",
];
type TimelineEventName = Extract<EventName, HappeningName | "system-line.added">;

export type TimelineEvent = Pick<EventRow, "number" | "name" | "conversation_id" | "data" | "occurred_at">;

/** What the team is told of an event in its conversation's thread; undefined for events that are not told there. */
export function timelineEntryOf(event: TimelineEvent): Happening | undefined {
  const { conversation_id } = event;
  if (conversation_id === null || !timelineEvents.some((name) => name === event.name)) return undefined;
  const about = { number: event.number, conversation_id, at: isoTime(event.occurred_at) };
  const data = JSON.parse(event.data) as ToldData;
  const name = event.name as TimelineEventName;
  if (name === "system-line.added") {
    // Lines from before they were told as data have only their words.
    if (!data.said || !happeningNames.some((known) => known === data.said?.name)) return undefined;
    const values = { ...data.said.values, message_id: data.message?.id ?? "" };
    return { ...about, name: data.said.name, by: null, values };
  }
  return { ...about, name, by: doerOf(data), values: valuesOf(data) };
}

/** What `events/present-event.ts` makes of these events. */
interface ToldData {
  agent?: Person;
  tag?: { name: string };
  until?: string | null;
  message?: { id: string };
  said?: { name: Happening["name"]; values: Record<string, string> };
  resolved_by?: ToldDoer;
  reopened_by?: ToldDoer;
  snoozed_by?: ToldDoer;
  ended_by?: ToldDoer;
  requested_by?: ToldDoer;
  assigned_by?: ToldDoer;
  removed_by?: ToldDoer;
}
interface Person {
  id: string;
  name?: string | null;
}
interface ToldDoer {
  agent?: Person;
  automation?: Person;
  visitor?: Person;
}

/** Null: the service itself. */
function doerOf(data: ToldData): Happening["by"] {
  const doer =
    data.resolved_by ??
    data.reopened_by ??
    data.snoozed_by ??
    data.ended_by ??
    data.requested_by ??
    data.assigned_by ??
    data.removed_by;
  if (doer?.agent) return { kind: "agent", id: doer.agent.id, name: doer.agent.name ?? null };
  if (doer?.automation) return { kind: "automation", id: doer.automation.id, name: doer.automation.name ?? null };
  return doer?.visitor ? { kind: "visitor", id: doer.visitor.id, name: null } : null;
}

function valuesOf({ agent, tag, until }: ToldData): Happening["values"] {
  return {
    ...(agent && { agent_id: agent.id, agent: agent.name ?? "" }),
    ...(tag && { tag: tag.name }),
    ...(until && { until }),
  };
}
