/**
 * What tools answer, exactly (spec, "Assistant tool interface"; decisions 5, 47, 52, 53, 56, 62). A result holds these keys and
 * no others (decision 73). The schemas are open, so that a key which joins later breaks no assistant that keeps an older list.
 *
 * Where a value may be null, the conversation, the contact or the message can be without it.
 */
import type { Static, TObject } from "typebox";
import { Type } from "typebox";
import { agentOnlineStatuses } from "../domain/agent.ts";
import { messageOrigins } from "../domain/channel.ts";
import { listedMessageTypes } from "../domain/conversation.ts";
import { choice, nullable, timestamp, uuid } from "./fields.ts";

const nullableString = nullable(Type.String());
const nullableTimestamp = nullable(timestamp);
const origin = choice(messageOrigins);
/** Empty when the message holds only attachments. */
const content = Type.String();

/** `{id, name, email}`: a contact or an agent. */
export const ToolPerson = Type.Object({ id: uuid, name: nullableString, email: nullableString });
export type ToolPerson = Static<typeof ToolPerson>;

// Messages

/** Who wrote a message: `system` for lines that the service writes. */
export const senderTypes = ["visitor", "agent", "system"] as const;
export type SenderType = (typeof senderTypes)[number];
const senderType = choice(senderTypes);

export const ToolMessage = Type.Object({
  id: uuid,
  conversation_id: uuid,
  sort_number: Type.Integer({ minimum: 1 }),
  sender: Type.Object({ type: senderType, id: nullable(uuid), name: nullableString, email: nullableString }),
  origin,
  type: choice([...listedMessageTypes, "system"]),
  content,
  urls: Type.Array(Type.String(), { description: "Of its attachments." }),
  parent_id: nullable(uuid),
  is_system_message: Type.Boolean(),
  edited_at: nullableTimestamp,
  created_at: timestamp,
  updated_at: timestamp,
});
export type ToolMessage = Static<typeof ToolMessage>;

// Conversations

const conversationProperties = {
  id: uuid,
  contact: ToolPerson,
  last_message: nullable(
    Type.Object({
      id: uuid,
      content,
      type: choice(listedMessageTypes),
      origin,
      sender_type: senderType,
      created_at: timestamp,
    }),
  ),
  widget_id: nullable(uuid),
  origin,
  origin_url: nullableString,
  email_subject: nullableString,
  is_resolved: Type.Boolean(),
  resolved_at: nullableTimestamp,
  ended_at: nullableTimestamp,
  created_at: timestamp,
  updated_at: timestamp,
};
export const ToolConversation = Type.Object(conversationProperties);
export type ToolConversation = Static<typeof ToolConversation>;

/** Who resolved it: exactly one of the three (decision 47). */
const resolvedBy = Type.Object(
  {
    agent: Type.Optional(ToolPerson),
    automation: Type.Optional(Type.Object({ id: uuid, name: Type.String() })),
    system: Type.Optional(Type.Object({})),
  },
  { minProperties: 1, maxProperties: 1 },
);

const whereabouts = { country: nullableString, language: nullableString, timezone: nullableString };

/** One conversation, with the fields that the list leaves out. */
export const WholeToolConversation = Type.Object({
  ...conversationProperties,
  contact: Type.Object({ ...ToolPerson.properties, phone: nullableString, ...whereabouts }),
  assigned_agents: Type.Array(ToolPerson),
  message_count: Type.Integer({ minimum: 0 }),
  social_account_identifier: nullableString,
  external_identifier: nullableString,
  resolved_by: nullable(resolvedBy),
  reopened_at: nullableTimestamp,
});
export type WholeToolConversation = Static<typeof WholeToolConversation>;

export const FoundConversation = Type.Object({
  id: uuid,
  email_subject: nullableString,
  origin,
  is_resolved: Type.Boolean(),
  contact: ToolPerson,
});
export type FoundConversation = Static<typeof FoundConversation>;

// Visitors, which REST calls contacts

export const ToolVisitor = Type.Object({
  ...ToolPerson.properties,
  phone: nullableString,
  ...whereabouts,
  widget_id: uuid,
  created_at: timestamp,
});
export type ToolVisitor = Static<typeof ToolVisitor>;

export const FoundContact = Type.Object({ ...ToolPerson.properties, phone: nullableString, widget_id: uuid });
export type FoundContact = Static<typeof FoundContact>;

// Agents, tags

/** Deactivated agents are left out. */
export const ToolAgent = Type.Object({
  ...ToolPerson.properties,
  status: choice(["active", "invited"]),
  online_status: choice(agentOnlineStatuses),
});
export type ToolAgent = Static<typeof ToolAgent>;

/** `color` is free text, as it was entered (decision 56). */
export const ToolTag = Type.Object({ id: uuid, name: Type.String(), color: nullableString });
export type ToolTag = Static<typeof ToolTag>;

// Pages

export const ToolPagination = Type.Object({
  page: Type.Integer({ minimum: 1 }),
  per_page: Type.Integer({ minimum: 1 }),
  has_more: Type.Boolean(),
  next_page: nullable(Type.Integer({ minimum: 2 })),
});
export type ToolPagination = Static<typeof ToolPagination>;

export const ToolMessagePagination = Type.Object({
  limit: Type.Integer({ minimum: 1 }),
  has_more: Type.Boolean(),
  next_before_sort_number: nullableString,
});
export type ToolMessagePagination = Static<typeof ToolMessagePagination>;

// Confirmation

/** How long a confirmation token is valid (spec, "Confirmation flow"). */
export const CONFIRMATION_SECONDS = 300;

/** What the first call of a confirmed tool answers; nothing has been changed. */
export const ConfirmationRequired = Type.Object({
  confirmation_required: Type.Literal(true),
  confirmation_token: Type.String(),
  affected_count: Type.Integer({ minimum: 0 }),
  message: Type.String(),
  expires_in_seconds: Type.Integer({ minimum: 1 }),
});
export type ConfirmationRequired = Static<typeof ConfirmationRequired>;

/** What a confirmed call for two or more conversations answers: the work is queued, one job for each. */
export const Queued = Type.Object({
  queued: Type.Literal(true),
  queued_conversation_ids: Type.Array(uuid),
  skipped_conversation_ids: Type.Array(uuid),
});
export type Queued = Static<typeof Queued>;

/**
 * A result of one of several shapes, each with a required key that no other has. The root says `object`, because MCP asks it
 * of every output schema.
 */
export function oneShapeOf<const Shapes extends readonly TObject[]>(...shapes: Shapes) {
  return Type.Unsafe<Static<Shapes[number]>>({ type: "object", anyOf: shapes });
}
