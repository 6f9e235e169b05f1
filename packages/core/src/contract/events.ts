/**
 * The event catalogue: every event a subscription can name, with the schema of its `data` and an example
 * (spec, "Events" and "Shared payload sub-objects"; decisions 36, 37, 45 to 47, 70, 71).
 *
 * A visitor here is a contact of the REST API, with the same id. Payloads hold the documented keys and no others (decision 73).
 */
import type { Static, TObject } from "typebox";
import { Type } from "typebox";
import { channels } from "../domain/channel.ts";
import type { ApiKeyScope } from "../domain/policy.ts";
import { answer, ids, invoice, moments, question, visitedPage } from "./examples.ts";
import { choice, mapOf, nullable, scalar, timestamp, URL_MAX, uuid } from "./fields.ts";
import type { EventDescriptor } from "./resources.ts";

/** The version of every payload (decision 37). */
export const PAYLOAD_VERSION = "2026-09";

const nullableString = nullable(Type.String());

const conversationProperties = {
  id: uuid,
  channel: choice(channels),
  status: choice(["open", "resolved"]),
  widget_name: Type.Optional(Type.String({ description: "Present if the conversation belongs to a website widget." })),
  identifier: Type.Optional(Type.String({ description: "The widget, if `widget_name` is present." })),
};
export const EventConversation = Type.Object(conversationProperties);
export const CreatedConversation = Type.Object({
  ...conversationProperties,
  created_at: timestamp,
  first_page_url: Type.Optional(Type.String()),
});
export const ResolvedConversation = Type.Object({ ...conversationProperties, resolved_at: timestamp });

export const Visitor = Type.Object({
  id: uuid,
  name: Type.Optional(Type.String({ minLength: 1, description: "Omitted if empty." })),
  email: nullableString,
  phone: nullableString,
});

export const EventAgent = Type.Object({ id: uuid, name: Type.String(), email: Type.Optional(Type.String()) });
/** The agent with an e-mail that is never null: agent.assigned, and who assigned, removed or resolved (decision 70). */
export const EventAgentWithEmail = Type.Object({ id: uuid, name: Type.String(), email: Type.String() });

export const EventAttachment = Type.Object({
  content: Type.String({ maxLength: URL_MAX, description: "A public URL." }),
  type: Type.Optional(Type.String({ description: "Such as `image`, `file` or `video`." })),
  mime: Type.Optional(Type.String()),
  original_file_name: Type.Optional(Type.String()),
  size: nullable(Type.Integer({ minimum: 0, description: "In bytes." })),
});

export const EventMessage = Type.Object({
  id: uuid,
  content: Type.Optional(Type.String({ description: "Can be omitted if there are attachments." })),
  attachments: Type.Array(EventAttachment),
  created_at: timestamp,
});

export const EventTag = Type.Object({ name: Type.String() });

/** Who did it: exactly one of the three keys (decision 47). The shape of assigned_by, removed_by and resolved_by. */
export const ActedBy = Type.Union(
  [
    Type.Object({ agent: EventAgentWithEmail }, { additionalProperties: false }),
    Type.Object({ automation: Type.Object({ id: uuid, name: Type.String() }) }, { additionalProperties: false }),
    Type.Object({ system: Type.Object({}, { additionalProperties: false }) }, { additionalProperties: false }),
  ],
  { description: "Exactly one of `agent`, `automation` and `system`." },
);
export type ActedBy = Static<typeof ActedBy>;

/**
 * The spec lists `source` among the shared sub-objects and names no event for it. It gives the payloads of message.received,
 * message.sent and tag.assigned whole and without it (decision 73), so it is only in the two others that begin with a visitor,
 * and may be absent (an API call has no page).
 */
export const Source = Type.String({
  description:
    "The page URL for widget visitors, or a channel label: `email`, `messenger`, `whatsapp`, `fb`. Omitted if unknown.",
});

export const CustomData = mapOf(scalar, { minProperties: 1, maxProperties: 1, description: "One name and its value." });

// Data of each event

const aboutMessage = { message: EventMessage, conversation: EventConversation, visitor: Visitor };

export const MessageReceived = Type.Object(aboutMessage);
export const MessageSent = Type.Object({ ...aboutMessage, agent: EventAgent });
export const ConversationCreated = Type.Object({
  conversation: CreatedConversation,
  visitor: Visitor,
  source: Type.Optional(Source),
});
export const ConversationResolved = Type.Object({
  conversation: ResolvedConversation,
  visitor: Visitor,
  resolved_by: ActedBy,
});
export const TagAssigned = Type.Object({
  conversation: EventConversation,
  visitor: Visitor,
  tag: EventTag,
  assigned_by: ActedBy,
});
export const TagRemoved = Type.Object({
  conversation: EventConversation,
  visitor: Visitor,
  tag: EventTag,
  removed_by: ActedBy,
});
/** Custom data belongs to a visitor, not to a conversation, so there is no conversation here. */
export const CustomDataAssigned = Type.Object({ visitor: Visitor, custom_data: CustomData, assigned_by: ActedBy });
export const CustomDataRemoved = Type.Object({ visitor: Visitor, custom_data: CustomData, removed_by: ActedBy });
export const AgentAssigned = Type.Object({
  conversation: EventConversation,
  visitor: Visitor,
  agent: EventAgentWithEmail,
  assigned_by: ActedBy,
});
export const ContactUpdated = Type.Object({
  visitor: Visitor,
  updated_fields: Type.Array(Type.String(), { minItems: 1 }),
  previous_values: mapOf(scalar, { description: "Contains only names in `updated_fields`." }),
  current_values: mapOf(scalar),
  source: Type.Optional(Source),
});

export const ContactErased = Type.Object({ visitor: Type.Object({ id: uuid }), erased_at: timestamp });

// The catalogue

const exampleConversation = {
  id: ids.conversation,
  channel: "website",
  status: "open",
  widget_name: "Website",
  identifier: ids.widget,
};
const exampleVisitor = { id: ids.vera, name: "Vera", email: "vera@example.com", phone: null };
const exampleAgent = { id: ids.ada, name: "Ada", email: "ada@acme.example" };

interface EventEntry {
  /** A few words for a list of check boxes. */
  readonly label: string;
  /** When it is sent, in one sentence. */
  readonly description: string;
  /** The scope that a key needs to subscribe to it and to read its deliveries: its data is what this scope shows. */
  readonly scope: ApiKeyScope;
  readonly data: TObject;
  readonly example: object;
}

export const events = {
  "message.received": {
    label: "Message received",
    description: "A visitor sends a message.",
    scope: "conversations:read",
    data: MessageReceived,
    example: {
      message: { id: ids.message, content: question, attachments: [], created_at: moments.wrote },
      conversation: exampleConversation,
      visitor: exampleVisitor,
    },
  },
  "message.sent": {
    label: "Message sent",
    description:
      "An agent sends a message from the dashboard or through the API. Notes, reminders and system messages are not included.",
    scope: "conversations:read",
    data: MessageSent,
    example: {
      message: {
        id: ids.reply,
        content: answer,
        attachments: [
          {
            content: invoice.url,
            type: invoice.type,
            mime: invoice.mime,
            original_file_name: invoice.name,
            size: invoice.size,
          },
        ],
        created_at: moments.answered,
      },
      conversation: exampleConversation,
      visitor: exampleVisitor,
      agent: exampleAgent,
    },
  },
  "conversation.created": {
    label: "Conversation created",
    description: "A conversation is created.",
    scope: "conversations:read",
    data: ConversationCreated,
    example: {
      conversation: { ...exampleConversation, created_at: moments.wrote, first_page_url: visitedPage },
      visitor: exampleVisitor,
      source: visitedPage,
    },
  },
  "conversation.resolved": {
    label: "Conversation resolved",
    description: "A conversation is resolved.",
    scope: "conversations:read",
    data: ConversationResolved,
    example: {
      conversation: { ...exampleConversation, status: "resolved", resolved_at: moments.resolved },
      visitor: exampleVisitor,
      resolved_by: { agent: exampleAgent },
    },
  },
  "tag.assigned": {
    label: "Tag assigned",
    description: "A tag is added to a conversation or contact.",
    scope: "conversations:read",
    data: TagAssigned,
    example: {
      conversation: exampleConversation,
      visitor: exampleVisitor,
      tag: { name: "shipping" },
      assigned_by: { automation: { id: ids.automation, name: "Tag by topic" } },
    },
  },
  "tag.removed": {
    label: "Tag removed",
    description: "A tag is removed from a conversation or contact.",
    scope: "conversations:read",
    data: TagRemoved,
    example: {
      conversation: exampleConversation,
      visitor: exampleVisitor,
      tag: { name: "shipping" },
      removed_by: { agent: exampleAgent },
    },
  },
  "custom.data.assigned": {
    label: "Custom data assigned",
    description: "Custom data of a visitor is set.",
    scope: "contacts:read",
    data: CustomDataAssigned,
    example: { visitor: exampleVisitor, custom_data: { plan: "Business" }, assigned_by: { system: {} } },
  },
  "custom.data.removed": {
    label: "Custom data removed",
    description: "Custom data of a visitor is removed.",
    scope: "contacts:read",
    data: CustomDataRemoved,
    example: { visitor: exampleVisitor, custom_data: { plan: "Business" }, removed_by: { agent: exampleAgent } },
  },
  "agent.assigned": {
    label: "Agent assigned",
    description: "An agent is assigned to a conversation.",
    scope: "conversations:read",
    data: AgentAssigned,
    example: {
      conversation: exampleConversation,
      visitor: exampleVisitor,
      agent: exampleAgent,
      assigned_by: { agent: exampleAgent },
    },
  },
  "contact.updated": {
    label: "Contact updated",
    description: "Details of a contact change.",
    scope: "contacts:read",
    data: ContactUpdated,
    example: {
      visitor: { ...exampleVisitor, phone: "+4915112345678" },
      updated_fields: ["phone"],
      previous_values: { phone: null },
      current_values: { phone: "+4915112345678" },
      source: visitedPage,
    },
  },
  "contact.erased": {
    label: "Contact erased",
    description: "A contact and everything about them is erased. Delete your copies too.",
    scope: "contacts:read",
    data: ContactErased,
    example: { visitor: { id: ids.vera }, erased_at: moments.resolved },
  },
} as const satisfies Record<string, EventEntry>;

export type EventName = keyof typeof events;
export const eventNames = Object.keys(events) as readonly EventName[];

/** The scope with which a key may receive the event: over a webhook, and in the live stream. */
export const eventScope = <Name extends EventName>(name: Name): (typeof events)[Name]["scope"] => events[name].scope;

/** The `data` of an event. */
export type EventData<Name extends EventName> = Static<(typeof events)[Name]["data"]>;

/** What GET /webhooks/events answers in `data`. */
export const eventDescriptors: readonly EventDescriptor[] = eventNames.map((value) => ({
  value,
  label: events[value].label,
  description: events[value].description,
}));

/** One delivery as its subscriber reads it: the JSON body of the POST (spec, "Webhook delivery envelope"). */
export interface Delivery<Name extends EventName = EventName> {
  /** Begins `evt_`; the same on every retry. */
  id: string;
  event: Name;
  data: EventData<Name>;
  /** When it happened, ISO 8601; the same on every retry. */
  occurred_at: string;
  version: typeof PAYLOAD_VERSION;
}

/** The schema of `Delivery` for one event. */
export function deliverySchema<Name extends EventName>(name: Name) {
  return Type.Object({
    id: Type.String({ pattern: "^evt_", description: "The same on every retry. Process each ID only once." }),
    event: Type.Literal(name),
    data: events[name].data,
    occurred_at: timestamp,
    version: Type.Literal(PAYLOAD_VERSION),
  });
}

/** An example of a whole delivery. */
export function deliveryExample(name: EventName): object {
  return {
    id: "evt_01980c611c0e7a558b9de04f6a27c30a",
    event: name,
    data: events[name].example,
    occurred_at: moments.wrote,
    version: PAYLOAD_VERSION,
  };
}

/**
 * The headers of every delivery (spec, "Delivery request headers"); Content-Type is application/json.
 * X-Service-Signature-Next is there while a secret is replaced (decision 43). The
 * last three are those of Standard Webhooks, added so that its libraries verify us too (decision 42).
 */
export const DeliveryHeaders = Type.Object({
  "X-Service-Event": Type.String({ description: "The event name." }),
  "X-Service-Webhook-Id": Type.String({ format: "uuid", description: "The id of the subscription." }),
  "X-Service-Delivery-Id": Type.String({ pattern: "^del_", description: "This attempt; a new value on every retry." }),
  "X-Service-Delivery-Attempt": Type.String({ pattern: "^[1-4]$", description: "1 first, then 2, 3 and 4." }),
  "X-Service-Timestamp": Type.String({ pattern: "^[0-9]+$", description: "When it was signed, in Unix seconds." }),
  "X-Service-Signature": Type.String({
    pattern: "^sha256=[0-9a-f]{64}$",
    description:
      "`sha256=` followed by the hex HMAC-SHA256 of `<timestamp>.<raw body>`, keyed with the signing secret. Compare in constant time, and reject timestamps older than 300 seconds.",
  }),
  "X-Service-Signature-Next": Type.Optional(
    Type.String({
      pattern: "^sha256=[0-9a-f]{64}$",
      description: "The same, keyed with the new secret while one is being replaced.",
    }),
  ),
  "webhook-id": Type.Optional(Type.String({ description: "Standard Webhooks: the id of the event." })),
  "webhook-timestamp": Type.Optional(
    Type.String({ pattern: "^[0-9]+$", description: "Standard Webhooks: when it was signed, in Unix seconds." }),
  ),
  "webhook-signature": Type.Optional(
    Type.String({
      description: "Standard Webhooks: `v1,` and the signature in base64; several are separated by spaces.",
    }),
  ),
});
export type DeliveryHeaders = Static<typeof DeliveryHeaders>;
