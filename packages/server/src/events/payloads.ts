/**
 * The payload of each event: its parts in their order, and the key of its doer, which is always the last. `present-event.ts`
 * makes payloads by this table and the timeline of a conversation reads them by it, so that the form of a payload is defined
 * only here. The public ones are described in `core/contract/events.ts`.
 *
 * Specification: "Events", "Shared payload sub-objects"; decisions 36, 45, 47, 70, 71.
 */
import type { EventName, FactsOf } from "./event.ts";
import * as part from "./payload-parts.ts";

/** The key under which a payload names its doer, and where the facts have it. */
export const doerFields = {
  resolved_by: "resolvedBy",
  reopened_by: "reopenedBy",
  snoozed_by: "snoozedBy",
  ended_by: "endedBy",
  requested_by: "requestedBy",
  assigned_by: "assignedBy",
  removed_by: "removedBy",
  created_by: "createdBy",
  updated_by: "updatedBy",
  changed_by: "changedBy",
  redacted_by: "redactedBy",
} as const;
export type DoerKey = keyof typeof doerFields;

/** The doer's key of an event whose facts name a doer. */
type DoerKeyOf<Facts> = { [Key in DoerKey]: (typeof doerFields)[Key] extends keyof Facts ? Key : never }[DoerKey];

type Row<Facts> = {
  parts: readonly ((facts: Facts) => object)[];
} & ([DoerKeyOf<Facts>] extends [never] ? { doer?: never } : { doer: DoerKeyOf<Facts> });

const { message, conversation, visitor, agent, agentWithEmail, tag, tagName, field, article, customData } = part;

export const payloads = {
  "message.received": { parts: [message, conversation, visitor] },
  "message.sent": { parts: [message, conversation, visitor, agent] },
  "message.sent-elsewhere": { parts: [message, conversation, visitor, agent] },
  "note.added": { parts: [message, conversation, visitor, agent, part.mentions] },
  "system-line.added": { parts: [message, conversation, visitor, part.said] },
  "conversation.created": { parts: [part.createdConversation, visitor, part.firstSource] },
  "conversation.resolved": { parts: [part.resolvedConversation, visitor], doer: "resolved_by" },
  "conversation.reopened": { parts: [conversation, visitor], doer: "reopened_by" },
  "conversation.seen": { parts: [conversation, visitor, part.seenNumber] },
  "conversation.read": { parts: [conversation, visitor, part.readNumber] },
  "conversation.marked-unread": { parts: [conversation, visitor] },
  "conversation.rated": { parts: [conversation, visitor, part.rating] },
  "conversation.snoozed": { parts: [conversation, visitor, part.until], doer: "snoozed_by" },
  "conversation.unsnoozed": { parts: [conversation, visitor], doer: "ended_by" },
  "handoff.requested": { parts: [conversation, visitor, part.handoffReason], doer: "requested_by" },
  "handoff.ended": { parts: [conversation, visitor], doer: "ended_by" },
  "speaker.changed": { parts: [conversation, visitor, part.speaker] },
  "agent.assigned": { parts: [conversation, visitor, agentWithEmail], doer: "assigned_by" },
  "agent.unassigned": { parts: [conversation, visitor, agentWithEmail], doer: "removed_by" },
  "tag.created": { parts: [tag] },
  "tag.updated": { parts: [tag, part.tagBefore] },
  "tag.deleted": { parts: [tag, part.mergedInto] },
  "tag.assigned": { parts: [conversation, visitor, tagName], doer: "assigned_by" },
  "tag.removed": { parts: [conversation, visitor, tagName], doer: "removed_by" },
  "custom-field.created": { parts: [field] },
  "custom-field.updated": { parts: [field, part.fieldBefore] },
  "custom-field.deleted": { parts: [field] },
  "custom.data.assigned": { parts: [visitor, customData], doer: "assigned_by" },
  "custom.data.removed": { parts: [visitor, customData], doer: "removed_by" },
  "article.created": { parts: [article], doer: "created_by" },
  "article.updated": { parts: [article, part.updatedFields], doer: "updated_by" },
  "article.removed": { parts: [article], doer: "removed_by" },
  "contact.created": { parts: [visitor] },
  "contact.blocked": { parts: [visitor], doer: "changed_by" },
  "contact.unblocked": { parts: [visitor], doer: "changed_by" },
  "contact.updated": { parts: [visitor, part.changedDetails] },
  "agent.created": { parts: [part.agentWithRole] },
  "agent.invited": { parts: [part.agentWithRole] },
  "agent.joined": { parts: [part.agentWithRole] },
  "agent.updated": { parts: [part.agentProfile] },
  "visitor-session.verified": { parts: [visitor] },
  "visitor-session.moved": { parts: [visitor, part.movedTo] },
  "widget.created": { parts: [part.widget] },
  "widget.updated": { parts: [part.widget] },
  "widget.removed": { parts: [part.widget] },
  "channel.created": { parts: [part.channel] },
  "channel.updated": { parts: [part.channel] },
  "channel.deleted": { parts: [part.channel] },
  "webhook.tested": { parts: [part.example] },
  "webhook.created": { parts: [part.webhook] },
  "webhook.updated": { parts: [part.webhook] },
  "webhook.deleted": { parts: [part.webhook] },
  "api-key.created": { parts: [part.apiKey] },
  "api-key.revoked": { parts: [part.apiKey] },
  "assistant.created": { parts: [part.assistant] },
  "assistant.updated": { parts: [part.assistant] },
  "team.created": { parts: [part.team] },
  "team.updated": { parts: [part.team] },
  "erasure.started": { parts: [part.erased] },
  "conversation.texts-erased": { parts: [part.textsErased] },
  "conversation.files-erased": { parts: [part.filesErased] },
  "message.delivery-changed": { parts: [part.sentOutside] },
  "contact.erased": { parts: [part.erasedContact] },
  "message.redacted": { parts: [part.redacted], doer: "redacted_by" },
} as const satisfies { [Name in EventName]: Row<FactsOf<Name>> };

type Payloads = typeof payloads;
type Together<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;
type PartsOf<Name extends EventName> = Together<ReturnType<Payloads[Name]["parts"][number]>>;
type DoerOf<Name extends EventName> = Payloads[Name] extends { doer: infer Key extends DoerKey }
  ? { [K in Key]: FactsOf<Name>[(typeof doerFields)[K] & keyof FactsOf<Name>] }
  : unknown;

/** The payload of an event, as it is read from the log. */
export type PayloadOf<Name extends EventName> = PartsOf<Name> & DoerOf<Name>;
