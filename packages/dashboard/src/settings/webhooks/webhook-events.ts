/** The events of webhooks by subject; the compiler keeps the table equal to the contract. */
import type { EventName } from "@frontdesk/core/contract/events";
import { t } from "../../texts/texts.ts";

const subjectOf = {
  "message.received": "messages",
  "message.sent": "messages",
  "conversation.created": "conversations",
  "conversation.resolved": "conversations",
  "agent.assigned": "conversations",
  "tag.assigned": "tags",
  "tag.removed": "tags",
  "contact.updated": "contacts",
  "contact.erased": "contacts",
  "custom.data.assigned": "contacts",
  "custom.data.removed": "contacts",
} as const satisfies Record<EventName, string>;

export const eventNames = Object.keys(subjectOf) as EventName[];

export type EventSubject = (typeof subjectOf)[EventName];
export const eventSubjects = [...new Set(Object.values(subjectOf))] as EventSubject[];

export const eventsAbout = (subject: EventSubject): EventName[] =>
  eventNames.filter((name) => subjectOf[name] === subject);

export const subjectInWords = {
  messages: t("search.messages"),
  conversations: t("search.conversations"),
  tags: t("tags"),
  contacts: t("nav.contacts"),
} as const satisfies Record<EventSubject, string>;

/** When the event is sent, in one line. */
export const eventMeaning = (name: EventName): string => t(`hooks.event.${name}`);

/** The events of a webhook as text, for lists. */
export function eventsInWords(events: readonly string[]): string {
  if (events.length === eventNames.length) return t("hooks.allEvents");
  const [first] = events;
  return events.length === 1 && first ? first : t("hooks.eventCount", { count: events.length });
}
