import { type TimelineEntry, type TimelineEntryName, timelineEntryNames } from "@frontdesk/core/contract/live";
import type { Speaker } from "@frontdesk/core/domain/ai/ai-settings";
import type { actorRecord } from "../access/by-actor.ts";
import type { Doer, EventName } from "../events/event.ts";
import { type DoerKey, type PayloadOf, payloads } from "../events/payloads.ts";
import type { EventRow } from "../storage/tables.ts";
import { isoTime } from "../timestamp.ts";

type TimelineEventName = Extract<EventName, TimelineEntryName | "system-line.added">;

/** The values of an entry of each name, from the payload of its event. A system line has its own name and values. */
const valuesOf: {
  [Name in TimelineEventName]: Name extends "system-line.added"
    ? "own"
    : (payload: PayloadOf<Name>) => TimelineEntry["values"];
} = {
  "conversation.resolved": () => ({}),
  "conversation.reopened": () => ({}),
  "conversation.snoozed": ({ until }) => (until === null ? {} : { until }),
  "conversation.unsnoozed": () => ({}),
  "handoff.requested": ({ reason }) => (reason === undefined ? {} : { reason }),
  "handoff.ended": () => ({}),
  "speaker.changed": ({ speaker }) => ({ speaker }),
  "agent.assigned": ({ agent }) => ({ agent_id: agent.id, agent: agent.name }),
  "agent.unassigned": ({ agent }) => ({ agent_id: agent.id, agent: agent.name }),
  "tag.assigned": ({ tag }) => ({ tag: tag.name }),
  "tag.removed": ({ tag }) => ({ tag: tag.name }),
  "system-line.added": "own",
};

/**
 * The events of a conversation that its thread shows between the messages. Those of the index `events_in_threads`, of migration
 * 51.
 */
export const timelineEvents = Object.keys(valuesOf) as TimelineEventName[];

export type TimelineEvent = Pick<EventRow, "number" | "name" | "conversation_id" | "data" | "actor" | "occurred_at">;

/** The timeline entry of an event; undefined for events that are not shown. */
export function timelineEntryOf(event: TimelineEvent): TimelineEntry | undefined {
  const { conversation_id, name } = event;
  if (conversation_id === null || !isInTimeline(name)) return undefined;
  const about = { number: event.number, conversation_id, at: isoTime(event.occurred_at) };
  const values = valuesOf[name];
  if (values === "own") {
    const { said, message } = JSON.parse(event.data) as Partial<PayloadOf<"system-line.added">>;
    // Lines from before they were stored as data have only their text.
    const known = timelineEntryNames.find((each) => each === said?.name);
    if (!said || !known) return undefined;
    return { ...about, name: known, by: null, values: { ...said.values, message_id: message?.id ?? "" } };
  }
  const payload = JSON.parse(event.data) as PayloadOf<typeof name>;
  // That a handoff leaves it waiting is said by the entry of the handoff.
  if (name === "speaker.changed" && (payload as PayloadOf<typeof name>).speaker === ("waiting" satisfies Speaker))
    return undefined;
  return {
    ...about,
    name: name as TimelineEntryName,
    by: name === "speaker.changed" ? agentOf(event) : doerOf(name, payload),
    values: (values as (payload: object) => TimelineEntry["values"])(payload),
  };
}

function isInTimeline(name: string): name is TimelineEventName {
  return Object.hasOwn(valuesOf, name);
}

/** The agent who acted, whose name is not in the log; null for anyone else. */
function agentOf({ actor }: Pick<EventRow, "actor">): TimelineEntry["by"] {
  const { kind, id } = JSON.parse(actor) as ReturnType<typeof actorRecord>;
  return kind === "agent" && id !== null ? { kind, id, name: null } : null;
}

/** Null: the service itself. */
function doerOf(name: TimelineEventName, payload: object): TimelineEntry["by"] {
  const { doer: key } = payloads[name] as { doer?: DoerKey };
  const doer = key && (payload as { [Key in DoerKey]?: Doer | { visitor: { id: string } } })[key];
  if (!doer || "system" in doer) return null;
  if ("agent" in doer) return { kind: "agent", id: doer.agent.id, name: doer.agent.name };
  if ("automation" in doer) return { kind: "automation", id: doer.automation.id, name: doer.automation.name };
  return { kind: "visitor", id: doer.visitor.id, name: null };
}
