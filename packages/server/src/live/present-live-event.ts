import type { AgentEventFrame, VisitorEventFrame } from "@frontdesk/core/contract/live";
import type { ChatContact } from "@frontdesk/core/contract/visitor";
import { presentChatContact, presentChatConversation, presentChatMessage } from "../conversations/present-chat.ts";
import { presentLiveConversation, presentLiveMessage } from "../conversations/present-team.ts";
import { timelineEntryOf } from "../conversations/timeline.ts";
import type { EventName } from "../events/event.ts";
import type { LogEntry } from "../events/read-log.ts";
import { isoTime } from "../timestamp.ts";
import { audienceOf } from "./audience.ts";

/** An event as its visitor sees it, written as a frame; the same for all streams of the visitor. */
export function writeForVisitor({ event, conversation, message }: LogEntry): string {
  const frame: VisitorEventFrame = {
    type: "event",
    number: event.number,
    name: event.name,
    at: isoTime(event.occurred_at),
    ...(conversation && { conversation: presentChatConversation(conversation) }),
    ...(message && { message: presentChatMessage(message) }),
    ...(event.name === ("contact.updated" satisfies EventName) && { contact: contactIn(event.data) }),
  };
  return JSON.stringify(frame);
}

/**
 * An event as the team sees it, written as a frame; the same for all agents who may see it.
 *
 * @param withConversation false when a later event of the same conversation is sent with it
 */
export function writeForTeam({ event, view, message }: LogEntry, withConversation: boolean): string {
  const entry = timelineEntryOf(event);
  const frame: AgentEventFrame = {
    type: "event",
    number: event.number,
    name: event.name,
    at: isoTime(event.occurred_at),
    ...(view && withConversation && { conversation: presentLiveConversation(view) }),
    ...(message && { message: presentLiveMessage(message) }),
    ...(entry && { timeline_entry: entry }),
  };
  const text = JSON.stringify(frame);
  if (audienceOf(event.name).shows !== "data") return text;
  // The log holds it as JSON already.
  return `${text.slice(0, -1)},"data":${event.data}}`;
}

/** The visitor of an event's payload, which leaves out names. */
function contactIn(data: string): ChatContact {
  const { visitor } = JSON.parse(data) as { visitor: { id: string; name?: string; email: string | null } };
  return presentChatContact({ id: visitor.id, name: visitor.name ?? null, email: visitor.email });
}
