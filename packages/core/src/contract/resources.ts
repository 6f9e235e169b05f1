/**
 * The resources of the REST API: the exact `attributes` (spec, "Resources and their fields"; decisions 5 to 14 and 34).
 * An answer holds these keys and no others (decision 73): fast-json-stringify writes what the schema lists.
 *
 * The lists that take `include_fields` answer a subset, so their attributes are all optional; a single contact is complete.
 */
import type { Static, TObject, TProperties } from "typebox";
import { Type } from "typebox";
import { agentOnlineStatuses, agentRoles, agentStatuses } from "../domain/agent.ts";
import { appResources } from "../domain/app-resource.ts";
import { assistantPermissionNames } from "../domain/assistant-permissions.ts";
import { channelsToGrant, messageOrigins } from "../domain/channel.ts";
import { listedMessageTypes } from "../domain/conversation.ts";
import { deliveryStates } from "../domain/delivery-state.ts";
import { messageAttemptStates, messageDeliveryStates } from "../domain/message-delivery.ts";
import { allOr, choice, mapOf, NAME_MAX, nullable, text, timestamp, URL_MAX, uuid } from "./fields.ts";
import { WidgetSettings } from "./widget-settings.ts";

export const contactOnlineStatuses = ["online", "offline"] as const;

const nullableString = nullable(Type.String());
const nullableTimestamp = nullable(timestamp);

/** `{type, id, attributes}`: the shape of every resource. */
export function resource<const Word extends string, A extends TObject>(type: Word, id: typeof uuid, attributes: A) {
  return Type.Object({ type: Type.Literal(type), id, attributes });
}

/** `{id, name}`: an agent or a contact beside a message. */
const named = Type.Object({ id: uuid, name: nullableString });
/** `{id, name, email}`: an agent of a conversation. */
const reachable = Type.Object({ id: uuid, name: nullableString, email: nullableString });

// Widget

const widgetProperties = {
  name: nullableString,
  icon: nullable(Type.String({ description: "The URL of an image." })),
};
export const WidgetAttributes = Type.Object(widgetProperties);
export const Widget = resource("widget", uuid, WidgetAttributes);
export type Widget = Static<typeof Widget>;

const wholeWidgetProperties = {
  ...widgetProperties,
  settings: WidgetSettings,
  identity_secret_made_at: nullable(
    Type.String({ format: "date-time", description: "Null if there is no identity secret." }),
  ),
  first_seen_at: nullable(
    Type.String({ format: "date-time", description: "When one of your pages first loaded it. Null if none has." }),
  ),
  last_seen_at: nullable(
    Type.String({
      format: "date-time",
      description: "When one of your pages last loaded it, accurate to a few minutes.",
    }),
  ),
  seen_on: nullable(Type.String({ description: "The website of that page, if known." })),
  created_at: timestamp,
};
/** A widget with its settings, as the answer for a single widget. */
export const WholeWidget = resource("widget", uuid, Type.Object(wholeWidgetProperties));
export type WholeWidget = Static<typeof WholeWidget>;

/** The answer that creates an identity secret, and the only one with it (docs/decisions/0023-verified-visitors.md). */
export const WidgetWithIdentitySecret = resource(
  "widget",
  uuid,
  Type.Object({
    ...wholeWidgetProperties,
    identity_secret: Type.String({
      pattern: "^fd_identity_",
      description: "Signs visitor identities. Shown only in this response. Keep it on your server.",
    }),
  }),
);
export type WidgetWithIdentitySecret = Static<typeof WidgetWithIdentitySecret>;

// Contact

export const PageVisit = Type.Object({ page: Type.String(), date: timestamp });
export type PageVisit = Static<typeof PageVisit>;

const contactProperties = {
  widget_name: nullableString,
  widget_id: uuid,
  team_id: uuid,
  name: nullableString,
  email: nullableString,
  phone: nullableString,
  country_dialing_code: nullableString,
  bgcolor: nullableString,
  location: nullableString,
  browser_type: nullableString,
  country_code: nullableString,
  country: nullable(Type.String({ description: "As it was given, or else guessed from the time zone." })),
  country_flag: nullableString,
  country_emoji: nullableString,
  page_visited: Type.Array(PageVisit),
  online_status: choice(contactOnlineStatuses),
  last_active_at: timestamp,
  blocked_at: nullableTimestamp,
  is_name_updated: Type.Boolean({ description: "Whether the name was changed after the contact was created." }),
  created_at: timestamp,
  verified_id: nullable(Type.String({ description: "Set only by a signed identity token." })),
  verified_email: nullable(Type.String({ description: "Set only by a signed identity token." })),
  timezone: nullableString,
  language: nullableString,
  ip: nullable(Type.String({ description: "As it was given. Live chat stores no addresses of visitors." })),
  operating_system: nullableString,
};

/** The names that `include_fields` and `exclude_fields` of GET /contacts accept: all of a contact's attributes. */
export const contactFields = namesOf(contactProperties);
export const ContactAttributes = Type.Object(contactProperties);
export const Contact = resource("chat-contacts", uuid, ContactAttributes);
export type Contact = Static<typeof Contact>;
export const ListedContact = resource("chat-contacts", uuid, Type.Partial(ContactAttributes));
export type ListedContact = Static<typeof ListedContact>;

// Conversation

/** The newest message of a conversation, or null (decision 11). */
export const LatestMessage = Type.Object({
  id: uuid,
  content: Type.String(),
  type: choice(listedMessageTypes),
  origin: choice(messageOrigins),
  created_at: nullableTimestamp,
});
export type LatestMessage = Static<typeof LatestMessage>;

const conversationDefaultProperties = {
  is_resolved: Type.Boolean(),
  contact_id: uuid,
  unread_messages: Type.Integer({ minimum: 0, description: "Visitor messages since an agent last read or replied." }),
  created_at: timestamp,
};
const conversationProperties = {
  ...conversationDefaultProperties,
  contact_name: nullableString,
  latest_message: nullable(LatestMessage),
  agents: Type.Array(reachable),
};

/** The names that `include_fields` and `exclude_fields` of GET /conversations/all accept. */
export const conversationFields = namesOf(conversationProperties);
/** The fields that are answered by default (decision 11): the other three need `include_fields`. */
export const conversationDefaultFields = namesOf(conversationDefaultProperties);
export const Conversation = resource("conversations", uuid, Type.Object(conversationDefaultProperties));
export type Conversation = Static<typeof Conversation>;
export const ListedConversation = resource(
  "conversations",
  uuid,
  Type.Partial(Type.Object(conversationProperties), {
    description: "`contact_name`, `latest_message` and `agents` are returned only if `include_fields` names them.",
  }),
);
export type ListedConversation = Static<typeof ListedConversation>;

// Message

const messageOrigin = choice(messageOrigins);
const messageType = choice(listedMessageTypes);
/** A message of attachments alone has the empty text: the spec types `content` as string. */
const content = Type.String({ description: "Empty if the message has only attachments." });
const messageDefaultProperties = {
  origin: messageOrigin,
  content,
  type: messageType,
  conversation_id: uuid,
  created_at: nullableTimestamp,
};
const deliveryReason = nullable(Type.String({ description: "What went wrong, or the mail server's words." }));
const messageDelivery = Type.Object({
  state: choice(messageDeliveryStates, {
    description:
      "Of several recipients, the worst of theirs. `unknown`: it may have arrived. States only rise, but `failed` yields to `delivered` and `read`.",
  }),
  reason: deliveryReason,
  at: timestamp,
  attempts: Type.Array(
    Type.Object({
      at: timestamp,
      state: choice(messageAttemptStates, { description: "`delayed`: it is tried again." }),
      reason: deliveryReason,
    }),
    { description: "Oldest first." },
  ),
  recipients: Type.Optional(
    Type.Array(Type.Object({ address: Type.String(), state: choice(messageDeliveryStates), reason: deliveryReason }), {
      description: "Of an email, those in To and Cc.",
    }),
  ),
});
const mailAddress = Type.Object({ name: nullableString, address: Type.String() });
const messageEmail = Type.Object({
  from: nullable(mailAddress),
  to: Type.Array(mailAddress),
  cc: Type.Array(mailAddress),
  subject: Type.String(),
  message_id: nullable(Type.String({ description: "With its angle brackets." })),
});
const messageProperties = {
  ...messageDefaultProperties,
  chat_contact_id: nullable(uuid),
  agent: nullable(named),
  contact: nullable(named),
  delivery: nullable(messageDelivery),
  email: nullable(messageEmail),
};

/** The names that `include_fields` and `exclude_fields` of GET /conversations/{conversation_id}/messages accept. */
export const messageFields = namesOf(messageProperties);
/** The fields that are answered by default (decision 12). */
export const messageDefaultFields = namesOf(messageDefaultProperties);
export const ListedMessage = resource("messages", uuid, Type.Partial(Type.Object(messageProperties)));
export type ListedMessage = Static<typeof ListedMessage>;

/** The answer of POST /messages. */
export const Message = resource(
  "messages",
  uuid,
  Type.Object({
    conversation_id: uuid,
    contact_id: nullable(uuid),
    agent: nullable(named),
    contact: nullable(named),
    origin: messageOrigin,
    content,
    type: messageType,
    created_at: nullableTimestamp,
  }),
);
export type Message = Static<typeof Message>;

/** The answer of POST /conversations: the contact is named `chat_contact_id` here and carries e-mail and phone. */
export const VisitorMessage = resource(
  "messages",
  uuid,
  Type.Object({
    conversation_id: uuid,
    chat_contact_id: nullable(uuid),
    agent: nullable(named),
    contact: nullable(Type.Object({ id: uuid, name: nullableString, email: nullableString, phone: nullableString })),
    origin: messageOrigin,
    content,
    type: messageType,
    created_at: nullableTimestamp,
  }),
);
export type VisitorMessage = Static<typeof VisitorMessage>;

/** An uploaded file; a message names it by its `url`. */
export const UploadedFile = resource(
  "file",
  uuid,
  Type.Object({
    url: Type.String({ description: "Anyone with this URL can read the file." }),
    name: Type.String({ description: "Without a path or invisible characters." }),
    mime: Type.String({ description: "Detected from the content." }),
    size: Type.Integer({ minimum: 1, description: "In bytes." }),
  }),
);
export type UploadedFile = Static<typeof UploadedFile>;

// Agent

export const AgentAttributes = Type.Object({
  email: nullableString,
  name: nullableString,
  status: nullable(choice(agentStatuses)),
  online_status: nullable(choice(agentOnlineStatuses)),
  profile_photo_url: nullableString,
  resized_profile_photo_url: nullableString,
  role: nullable(choice(agentRoles)),
});
export const Agent = resource("agent-user", uuid, AgentAttributes);
export type Agent = Static<typeof Agent>;

// Webhook

const webhookProperties = {
  name: text(NAME_MAX),
  endpoint_url: text(URL_MAX),
  is_active: Type.Boolean(),
  events: Type.Array(Type.String()),
  created_at: timestamp,
  updated_at: timestamp,
};

/** `attributes` of a subscription is a JSON array that holds one object (decision 13). */
function webhookResource<A extends TObject>(attributes: A) {
  return Type.Object({
    type: Type.Literal("webhook"),
    id: uuid,
    attributes: Type.Array(attributes, { minItems: 1, maxItems: 1, description: "An array with one object." }),
  });
}

export const Webhook = webhookResource(Type.Object(webhookProperties));
export type Webhook = Static<typeof Webhook>;
/** The answer of POST /webhooks, and the only one with the secret. */
export const CreatedWebhook = webhookResource(
  Type.Object({
    ...webhookProperties,
    signing_secret: Type.String({
      pattern: "^whsec_",
      description: "Signs every delivery. Shown only in this response. Keep it safe.",
    }),
  }),
);
export type CreatedWebhook = Static<typeof CreatedWebhook>;

/** The answer of a rotation: the new secret, and when it signs alone. */
export const RotatedWebhook = webhookResource(
  Type.Object({
    ...webhookProperties,
    signing_secret: Type.String({ pattern: "^whsec_", description: "Shown only in this response. Keep it safe." }),
    takes_over_at: timestamp,
  }),
);
export type RotatedWebhook = Static<typeof RotatedWebhook>;

const attemptProperties = {
  id: Type.String({ description: "`X-Service-Delivery-Id`. Starts with `del_`." }),
  attempt: Type.Integer({ minimum: 1 }),
  endpoint_url: Type.String(),
  started_at: timestamp,
  duration_ms: nullable(Type.Integer({ minimum: 0 })),
  outcome: nullable(
    choice(["delivered", "failed", "stopped"], {
      description: "Null while it is in progress, and permanently if the server stopped in the middle of it.",
    }),
  ),
  error: nullable(
    Type.String({
      description:
        "Why it failed: `status` (see there), `gone` (410), `timeout`, `blocked_address`, `dns`, `connect`, `tls`, `reset`, `protocol`, `internal`; `stopped` if the subscription was turned off.",
    }),
  ),
  status: nullable(Type.Integer({ description: "The status of the response, if there was one." })),
};
/** One request of a delivery, without headers and bodies. */
export const WebhookAttempt = Type.Object(attemptProperties);
export type WebhookAttempt = Static<typeof WebhookAttempt>;

/** One request of a delivery, with the request sent and the answer received. */
export const WebhookAttemptLog = Type.Object({
  ...attemptProperties,
  request: Type.Object({
    headers: mapOf(Type.String(), { description: "Without the signatures." }),
    body: Type.String({ description: "Exactly as it was sent." }),
  }),
  response: nullable(
    Type.Object(
      { headers: mapOf(Type.String()), body: Type.String({ description: "Its first 4 KiB." }) },
      { description: "Null if there was none." },
    ),
  ),
});
export type WebhookAttemptLog = Static<typeof WebhookAttemptLog>;

const deliveryProperties = {
  event: Type.String({ description: "The event name." }),
  state: choice(deliveryStates, {
    description:
      "`waiting` for its next attempt, `sending`, `delivered`, `failed`, or `stopped` because the subscription was turned off.",
  }),
  attempt: Type.Integer({ minimum: 1, description: "The number of the next attempt, or of the last one." }),
  max_attempts: Type.Integer({ minimum: 1 }),
  next_attempt_at: nullable(
    Type.String({ format: "date-time", description: "Null if there is none, or it is due now." }),
  ),
  created_at: timestamp,
  ended_at: nullable(timestamp),
};
/** An event on its way to a subscription; its id is the event's. */
export const WebhookDelivery = Type.Object({
  type: Type.Literal("webhook-delivery"),
  id: Type.String({ description: "The event's ID. Starts with `evt_`." }),
  attributes: Type.Object({ ...deliveryProperties, last_attempt: nullable(WebhookAttempt) }),
});
export type WebhookDelivery = Static<typeof WebhookDelivery>;

export const WebhookDeliveryLog = Type.Object({
  type: Type.Literal("webhook-delivery"),
  id: Type.String({ description: "The event's ID. Starts with `evt_`." }),
  attributes: Type.Object({
    ...deliveryProperties,
    attempts: Type.Array(WebhookAttemptLog, { description: "Oldest first." }),
  }),
});
export type WebhookDeliveryLog = Static<typeof WebhookDeliveryLog>;

/** One subscribable event, as GET /webhooks/events lists it. */
export const EventDescriptor = Type.Object({
  value: Type.String({ description: "The event name." }),
  label: Type.String(),
  description: Type.String(),
});
export type EventDescriptor = Static<typeof EventDescriptor>;

// Assistant

const assistantProperties = {
  name: text(NAME_MAX),
  state: choice(["active", "paused", "revoked"]),
  is_live: Type.Boolean({
    description: "Whether it currently has tools: it is active and has access to at least one widget or channel.",
  }),
  permissions: Type.Array(choice(assistantPermissionNames)),
  widgets: allOr(uuid, {
    description: "Website conversations it can see: of `all` widgets, including future ones, or of these.",
  }),
  channels: allOr(choice(channelsToGrant), {
    description: "Conversations of other channels it can see: of `all`, or of these.",
  }),
  agent_id: nullable(
    Type.String({ format: "uuid", description: "The agent it replies as. If null, it cannot reply." }),
  ),
  token_ending: Type.String({ description: "The last four characters of its token." }),
  created_by: nullable(
    Type.String({ format: "uuid", description: "The agent who created it, and the author of its notes." }),
  ),
  created_at: timestamp,
  updated_at: timestamp,
  last_used_at: nullableTimestamp,
  app: nullable(
    Type.Object(
      {
        name: Type.String({ description: "What it calls itself." }),
        host: nullable(Type.String({ description: "The host that vouches for the name. Null if it only said so." })),
        redirect_host: Type.String({ description: "Where the browser was sent back to." }),
        resource: choice(appResources),
        ended_at: nullable(
          Type.String({
            format: "date-time",
            description: "When its access ended because an old token was used again, until it is connected again.",
          }),
        ),
      },
      { description: "The app that connected by OAuth. Null for a connection with a token of its own." },
    ),
  ),
};
/** A connection of an assistant (decision 49). */
export const Assistant = resource("assistant", uuid, Type.Object(assistantProperties));
export type Assistant = Static<typeof Assistant>;

/** The answer that creates a connection, or a new token for one: the only answers with the token. */
export const CreatedAssistant = resource(
  "assistant",
  uuid,
  Type.Object({
    ...assistantProperties,
    token: Type.String({
      pattern: "^fd_assistant_",
      description: "The bearer token. Shown only in this response. Keep it safe.",
    }),
  }),
);
export type CreatedAssistant = Static<typeof CreatedAssistant>;

/** One permission, as GET /assistants/permissions lists it. */
export const AssistantPermissionDescriptor = Type.Object({
  value: Type.String({ description: "The permission's name." }),
  label: Type.String(),
  explanation: Type.String({ description: "What it lets an assistant do." }),
  only_reads: Type.Boolean({ description: "Whether it only allows reading." }),
  tools: Type.Array(
    Type.Object({
      name: Type.String(),
      only_reads: Type.Boolean({ description: "Whether it changes nothing." }),
      asks_first: Type.Boolean({ description: "Whether it requires confirmation." }),
    }),
    { description: "The tools it enables." },
  ),
});
export type AssistantPermissionDescriptor = Static<typeof AssistantPermissionDescriptor>;

/** A line of the call log. */
export const AssistantCall = resource(
  "tool-call",
  uuid,
  Type.Object({
    tool: Type.String({ description: "The tool's name." }),
    arguments: Type.Unsafe<Record<string, unknown>>({
      type: "object",
      additionalProperties: true,
      description:
        "As received, without tokens. A value that is not an object is stored under `given`. For arguments over 64 KiB, only their length is stored, as `too_long`.",
    }),
    outcome: choice(["done", "confirmation", "refused", "failed"], {
      description:
        "`done`; `confirmation` if confirmation was requested and nothing changed; `refused`, see `message`; `failed` because of a bug in the service.",
    }),
    message: nullable(Type.String({ description: "Why it was refused, as reported to the assistant." })),
    duration_ms: Type.Integer({ minimum: 0 }),
    called_at: timestamp,
  }),
);
export type AssistantCall = Static<typeof AssistantCall>;

/** A queued change of one of several conversations, requested by an assistant (decision 60). */
export const QueuedChange = resource(
  "queued-change",
  uuid,
  Type.Object({
    conversation_id: uuid,
    operation: choice(["resolve-conversation", "unresolve-conversation", "assign-conversation"], {
      description: "The tool that requested it.",
    }),
    agent_id: nullable(Type.String({ format: "uuid", description: "The agent to assign the conversation to." })),
    state: choice(["waiting", "done", "refused"]),
    message: nullable(Type.String({ description: "Why it was refused." })),
    queued_at: timestamp,
    ended_at: nullableTimestamp,
  }),
);
export type QueuedChange = Static<typeof QueuedChange>;

// Knowledge base, tags, custom data, assignments

/** A question and its answer. */
export const Article = resource(
  "article",
  uuid,
  Type.Object({
    question: Type.String(),
    answer: Type.String(),
    is_published: Type.Boolean({ description: "False for a draft. Searches do not find drafts." }),
    created_by: nullable(Type.String({ format: "uuid", description: "The agent who wrote it." })),
    created_at: timestamp,
    updated_at: timestamp,
  }),
);
export type Article = Static<typeof Article>;

/** A tag of the team (decision 56). */
export const TeamTag = resource("tag", uuid, Type.Object({ name: Type.String(), color: nullableString }));
export type TeamTag = Static<typeof TeamTag>;

/** A custom field. */
export const CustomField = resource("custom-field", uuid, Type.Object({ name: Type.String() }));
export type CustomField = Static<typeof CustomField>;

/** A value of a contact; its id is its field's. */
export const CustomDatum = resource(
  "custom-data",
  Type.String({ format: "uuid", description: "The id of its custom field." }),
  Type.Object({ name: Type.String(), value: Type.String(), updated_at: timestamp }),
);
export type CustomDatum = Static<typeof CustomDatum>;

/** An agent to whom a conversation is assigned; its id is the agent's. */
export const Assignment = resource(
  "assignment",
  Type.String({ format: "uuid", description: "The id of the agent." }),
  Type.Object({ conversation_id: uuid, agent: named }),
);
export type Assignment = Static<typeof Assignment>;

// Envelopes

export const Pagination = Type.Object({
  total: Type.Integer({ minimum: 0 }),
  count: Type.Integer({ minimum: 0, description: "The number of items on this page." }),
  per_page: Type.Integer({ minimum: 1, description: "The page size." }),
  current_page: Type.Integer({ minimum: 1 }),
  total_pages: Type.Integer({ minimum: 0 }),
});
export type Pagination = Static<typeof Pagination>;

export const Links = Type.Object({
  self: Type.String(),
  first: Type.String(),
  last: Type.String(),
  next: nullable(Type.String({ description: "Null on the last page." })),
});
export type Links = Static<typeof Links>;

/** A list answer: `data`, `meta.pagination` and `links`. */
export function listOf<R extends TObject>(item: R) {
  return Type.Object({
    data: Type.Array(item),
    meta: Type.Object({ pagination: Pagination }),
    links: Links,
  });
}

// Privacy

const erasedCount = Type.Integer({ minimum: 0 });
export const Erasure = resource(
  "erasures",
  uuid,
  Type.Object({
    state: choice(["running", "done"]),
    contact_id: nullable(uuid),
    widget_id: nullable(
      Type.String({ format: "uuid", description: "The widget that was removed. Null if a contact was erased alone." }),
    ),
    requested_at: timestamp,
    finished_at: nullableTimestamp,
    erased: Type.Object({
      contacts: erasedCount,
      conversations: erasedCount,
      messages: erasedCount,
      files: erasedCount,
      events: erasedCount,
      page_visits: erasedCount,
      ip_addresses: erasedCount,
    }),
  }),
);
export type Erasure = Static<typeof Erasure>;

export const exportStates = ["running", "done", "failed"] as const;
export const ContactExport = resource(
  "exports",
  uuid,
  Type.Object({
    state: choice(exportStates),
    contact_id: uuid,
    include_notes: Type.Boolean(),
    requested_at: timestamp,
    finished_at: nullableTimestamp,
    expires_at: nullable(timestamp),
    size: nullable(Type.Integer({ minimum: 0 })),
    url: nullable(Type.String()),
  }),
);
export type ContactExport = Static<typeof ContactExport>;

/** A single answer: `data`. */
export function dataOf<R extends TObject>(item: R) {
  return Type.Object({ data: item });
}

/** An answer that says what was done: `message` and `data`. */
export function messageAndDataOf<R extends TObject>(item: R) {
  return Type.Object({ message: Type.String(), data: item });
}

/** An answer that says what was done, where nothing is left to show. */
export const messageAlone = Type.Object({ message: Type.String() });

/** The `mock` flag of the webhook operations: always false (decision 14). */
export const mock = Type.Boolean({ description: "Always false." });

/** The keys of a property table, typed as a closed list: one source for schema and names. */
function namesOf<P extends TProperties>(properties: P): readonly Extract<keyof P, string>[] {
  return Object.keys(properties) as Extract<keyof P, string>[];
}
