import { eventScope } from "@frontdesk/core/contract";
import type { VisitorEventName } from "@frontdesk/core/contract/live";
import { traitsOf } from "@frontdesk/core/domain/channel";
import type { MessageType } from "@frontdesk/core/domain/conversation";
import type { ApiKeyScope } from "@frontdesk/core/domain/policy";
import type { EventName } from "../events/event.ts";
import type { LogEntry } from "../events/read-log.ts";

/** Who watches a stream. */
export type Viewer =
  | { kind: "visitor"; contactId: string }
  /** `scopes`: what the key may read. */
  | { kind: "agent"; scopes: readonly ApiKeyScope[] };

/** Who may see an event, and what is sent with it. */
export interface Audience {
  /** Whether the visitor concerned sees it. */
  visitor: boolean;
  /**
   * The scope that shows it to the team: of a public event that of the contract. "nobody": no key can read what it is about.
   */
  team: ApiKeyScope | "nobody";
  /** `message`: a new message and its conversation. `conversation`: the conversation. `data`: the payload in the log. */
  shows: "message" | "conversation" | "data";
}

/**
 * Who may see which event of the live stream, and what of it. A missing name does not compile: a new event gets its audience
 * here (docs/decisions/0020-live-stream.md).
 */
const audiences: Record<EventName, Audience> & Record<VisitorEventName, Audience & { visitor: true }> = {
  "message.received": { visitor: true, team: eventScope("message.received"), shows: "message" },
  "message.sent": { visitor: true, team: eventScope("message.sent"), shows: "message" },
  "message.sent-elsewhere": { visitor: false, team: "conversations:read", shows: "message" },
  "note.added": { visitor: false, team: "conversations:read", shows: "message" },
  "system-line.added": { visitor: false, team: "conversations:read", shows: "message" },
  "conversation.created": { visitor: true, team: eventScope("conversation.created"), shows: "conversation" },
  "conversation.resolved": { visitor: true, team: eventScope("conversation.resolved"), shows: "conversation" },
  "conversation.reopened": { visitor: true, team: "conversations:read", shows: "conversation" },
  "conversation.seen": { visitor: true, team: "conversations:read", shows: "conversation" },
  "conversation.read": { visitor: true, team: "conversations:read", shows: "conversation" },
  "conversation.marked-unread": { visitor: false, team: "conversations:read", shows: "conversation" },
  "conversation.rated": { visitor: true, team: "conversations:read", shows: "conversation" },
  "conversation.snoozed": { visitor: false, team: "conversations:read", shows: "conversation" },
  "conversation.unsnoozed": { visitor: false, team: "conversations:read", shows: "conversation" },
  "handoff.requested": { visitor: false, team: "conversations:read", shows: "conversation" },
  "handoff.ended": { visitor: false, team: "conversations:read", shows: "conversation" },
  "speaker.changed": { visitor: true, team: "conversations:read", shows: "conversation" },
  "agent.assigned": { visitor: false, team: eventScope("agent.assigned"), shows: "conversation" },
  "agent.unassigned": { visitor: false, team: "conversations:read", shows: "conversation" },
  "tag.assigned": { visitor: false, team: eventScope("tag.assigned"), shows: "conversation" },
  "tag.removed": { visitor: false, team: eventScope("tag.removed"), shows: "conversation" },
  "tag.created": { visitor: false, team: "conversations:read", shows: "data" },
  "tag.updated": { visitor: false, team: "conversations:read", shows: "data" },
  "tag.deleted": { visitor: false, team: "conversations:read", shows: "data" },
  "contact.created": { visitor: false, team: "contacts:read", shows: "data" },
  "contact.blocked": { visitor: false, team: "contacts:read", shows: "data" },
  "contact.unblocked": { visitor: false, team: "contacts:read", shows: "data" },
  "contact.updated": { visitor: true, team: eventScope("contact.updated"), shows: "data" },
  "custom-field.created": { visitor: false, team: "contacts:read", shows: "data" },
  "custom-field.updated": { visitor: false, team: "contacts:read", shows: "data" },
  "custom-field.deleted": { visitor: false, team: "contacts:read", shows: "data" },
  "custom.data.assigned": { visitor: false, team: eventScope("custom.data.assigned"), shows: "data" },
  "custom.data.removed": { visitor: false, team: eventScope("custom.data.removed"), shows: "data" },
  "agent.created": { visitor: false, team: "agents:read", shows: "data" },
  "agent.invited": { visitor: false, team: "agents:read", shows: "data" },
  "agent.joined": { visitor: false, team: "agents:read", shows: "data" },
  "agent.updated": { visitor: false, team: "agents:read", shows: "data" },
  "visitor-session.verified": { visitor: false, team: "contacts:read", shows: "data" },
  "visitor-session.moved": { visitor: false, team: "contacts:read", shows: "data" },
  "widget.created": { visitor: false, team: "widgets:read", shows: "data" },
  "widget.updated": { visitor: false, team: "widgets:read", shows: "data" },
  "widget.removed": { visitor: false, team: "widgets:read", shows: "data" },
  // Every agent sees which channels send.
  "channel.created": { visitor: false, team: "conversations:read", shows: "data" },
  "channel.updated": { visitor: false, team: "conversations:read", shows: "data" },
  "channel.deleted": { visitor: false, team: "conversations:read", shows: "data" },
  "webhook.created": { visitor: false, team: "webhooks:read", shows: "data" },
  "webhook.updated": { visitor: false, team: "webhooks:read", shows: "data" },
  "webhook.deleted": { visitor: false, team: "webhooks:read", shows: "data" },
  "webhook.tested": { visitor: false, team: "nobody", shows: "data" },
  "assistant.created": { visitor: false, team: "assistants:read", shows: "data" },
  "assistant.updated": { visitor: false, team: "assistants:read", shows: "data" },
  "article.created": { visitor: false, team: "knowledge:read", shows: "data" },
  "article.updated": { visitor: false, team: "knowledge:read", shows: "data" },
  "article.removed": { visitor: false, team: "knowledge:read", shows: "data" },
  "api-key.created": { visitor: false, team: "nobody", shows: "data" },
  "api-key.revoked": { visitor: false, team: "nobody", shows: "data" },
  "team.created": { visitor: false, team: "nobody", shows: "data" },
  "team.updated": { visitor: false, team: "nobody", shows: "data" },
  "erasure.started": { visitor: true, team: "conversations:read", shows: "data" },
  "conversation.texts-erased": { visitor: true, team: "conversations:read", shows: "data" },
  "conversation.files-erased": { visitor: true, team: "conversations:read", shows: "data" },
  "message.delivery-changed": { visitor: false, team: "conversations:read", shows: "message" },
  "contact.erased": { visitor: false, team: eventScope("contact.erased"), shows: "data" },
  "message.redacted": { visitor: true, team: "conversations:read", shows: "message" },
};

const sessionEvents: readonly string[] = [
  "visitor-session.verified",
  "visitor-session.moved",
  "contact.blocked",
  "contact.unblocked",
  "erasure.started",
  "contact.erased",
] satisfies EventName[];

/** Whether the streams of its contact's visitors have to be checked: what they may see or send, or until when, has changed. */
export const changesSessions = (name: string): boolean => sessionEvents.includes(name);

/** The names of all events. */
export const everyEventName = Object.keys(audiences) as readonly EventName[];

const NOBODY: Audience = { visitor: false, team: "nobody", shows: "data" };

/** The audience of an event by its name in the log; empty for an event that a newer Frontdesk has written. */
export function audienceOf(name: string): Audience {
  return Object.hasOwn(audiences, name) ? audiences[name as EventName] : NOBODY;
}

/** Whether this viewer may see the event. */
export function maySee(viewer: Viewer, event: { name: string; contact_id: string | null }): boolean {
  const { visitor, team } = audienceOf(event.name);
  if (viewer.kind === "visitor") return visitor && event.contact_id === viewer.contactId;
  return team !== "nobody" && viewer.scopes.includes(team);
}

/**
 * Whether a visitor's browser shows what an event is about: the contact itself, or a conversation of a channel that browsers
 * show. Nothing is shown of a conversation that no longer exists.
 */
export function isForBrowsers({ event, conversation, message }: LogEntry): boolean {
  if (audienceOf(event.name).shows === "data") return true;
  // A redacted note.
  if (message && message.message.type !== ("message" satisfies MessageType)) return false;
  return conversation !== undefined && traitsOf(conversation.channel).inBrowser;
}
