/** Facts of every event name, in each form that its payload can take. */
import type { ConversationWithPeople } from "@frontdesk/server/conversations/find-conversation";
import type { Doer, EventFacts, EventName, FactsOf } from "@frontdesk/server/events/event";
import type {
  AgentRow,
  AssistantRow,
  AttachmentRow,
  ContactRow,
  ConversationRow,
  MessageRow,
  TeamRow,
  WebhookRow,
  WidgetRow,
} from "@frontdesk/server/storage/tables";

/** The members of an event's form besides its name. */
type Form<Name extends EventName> = WithoutName<FactsOf<Name>>;
/** Of each form apart: some events have two. */
type WithoutName<Facts> = Facts extends unknown ? Omit<Facts, "name"> : never;

const AT = Date.parse("2026-11-20T09:00:00.000Z");

// Payloads contain some columns of each row; only those are given.
const conversation = {
  id: "0198-conversation",
  channel: "website",
  is_resolved: 0,
  resolved_at: null,
  created_at: AT,
  first_page_url: "https://acme.test/pricing",
  visitor_seen_number: 3,
  team_seen_number: 4,
  rating: 5,
  rating_comment: "Quick",
  speaker: "human",
  snoozed_until: AT + 3_600_000,
} as ConversationRow;
const mail = { ...conversation, channel: "email", is_resolved: 1, first_page_url: null, snoozed_until: null };
const contact = { id: "0198-vera", name: "Vera", email: "vera@example.com", phone: "+4915112345678" } as ContactRow;
const unknown = { id: "0198-nobody", name: null, email: null, phone: null } as ContactRow;
const widget = { id: "0198-widget", name: "Website" } as WidgetRow;
const channelAccount = { id: "0198-channel", channel: "email", state: "active" };
const unnamedWidget = { id: "0198-unnamed", name: null } as WidgetRow;
const ada = {
  id: "0198-ada",
  name: "Ada",
  email: "ada@acme.example",
  role: "CHAT_AGENT_OWNER",
  status: "active",
  availability: "auto",
  profile_photo_url: "https://files.acme.test/ada.png",
} as AgentRow;
const grace = { ...ada, id: "0198-grace", name: null, email: "grace@acme.example", profile_photo_url: null };
const message = { id: "0198-message", content: "Do you ship to Portugal?", created_at: AT } as MessageRow;
const attachments = [
  { url: "https://files.acme.test/a.png", name: "a.png", type: "image", mime: "image/png", size: 7 },
  { url: "https://files.acme.test/b", name: null, type: null, mime: null, size: null },
] as AttachmentRow[];
const tag = { id: "0198-tag", name: "Shipping", color: "teal" };
const field = { id: "0198-field", name: "plan" };
const article = { id: "0198-article", question: "Do you ship?", is_published: 1 };
const draft = { id: "0198-draft", question: "Returns?", is_published: 0 };
const key = { id: "0198-key", name: "main", agent_id: ada.id };
const webhook = { id: "0198-webhook", name: "Shop" } as WebhookRow;
const assistant = { id: "0198-assistant", name: "Robin", state: "active" } as AssistantRow;
const team = { name: "Acme", api_access: 1 } as TeamRow;

const agentDid: Doer = { agent: { id: ada.id, name: "Ada", email: ada.email } };
const automationDid: Doer = { automation: { id: "0198-automation", name: "Tag by topic" } };
const systemDid: Doer = { system: {} };
const visitorDid = { visitor: { id: contact.id } };

/** A website conversation with all fields set, one with none, and one of another channel. */
const about: ConversationWithPeople[] = [
  { conversation, contact: { ...contact, blocked_at: null }, widget },
  { conversation, contact: { ...unknown, blocked_at: null }, widget: unnamedWidget },
  { conversation: mail, contact: { ...contact, blocked_at: null }, widget },
];
const [known, bare, byMail] = about as [ConversationWithPeople, ConversationWithPeople, ConversationWithPeople];
const withText = { message, attachments: [] };
const withFiles = { message: { ...message, content: "" }, attachments };

const forms: { [Name in EventName]: Form<Name>[] } = {
  "message.received": [
    { ...known, ...withText },
    { ...bare, ...withFiles },
    { ...byMail, ...withText },
  ],
  "message.sent": [
    { ...known, ...withText, agent: ada },
    { ...byMail, ...withFiles, agent: grace },
  ],
  "message.sent-elsewhere": [{ ...byMail, ...withText, agent: ada, isLate: false }],
  "note.added": [
    { ...known, ...withText, agent: ada, mentions: [] },
    { ...bare, ...withFiles, agent: grace, mentions: [ada, grace] },
  ],
  "system-line.added": [{ ...known, ...withText, said: { name: "visitor.recognised", values: { who: "Vera" } } }],
  "conversation.created": about,
  "conversation.resolved": [
    { ...known, resolvedAt: AT, resolvedBy: agentDid },
    { ...byMail, resolvedAt: AT, resolvedBy: automationDid },
  ],
  "conversation.reopened": [
    { ...known, reopenedBy: visitorDid },
    { ...bare, reopenedBy: agentDid },
    { ...bare, reopenedBy: systemDid },
  ],
  "erasure.started": [
    { erased: { contactId: contact.id, conversationIds: "all" } },
    { erased: { contactId: contact.id, conversationIds: [conversation.id] }, contact },
  ],
  "conversation.texts-erased": [{ contact, erasedTexts: { conversationId: conversation.id, upTo: 2 } }],
  "conversation.files-erased": [
    { contact, erasedFiles: { conversationId: conversation.id, messageIds: [message.id] } },
  ],
  "message.delivery-changed": [{ contact, sentOutside: { messageId: message.id, conversationId: conversation.id } }],
  "contact.erased": [{ contactId: contact.id, erasedAt: AT }],
  "message.redacted": [
    { ...known, message, reason: undefined, redactedBy: agentDid },
    { ...known, message, reason: "Card number", redactedBy: agentDid },
  ],
  "conversation.seen": [known],
  "conversation.read": [known],
  "conversation.marked-unread": [byMail],
  "conversation.rated": [known],
  "conversation.snoozed": [
    { ...known, snoozedBy: agentDid },
    { ...byMail, snoozedBy: automationDid },
  ],
  "conversation.unsnoozed": [
    { ...known, endedBy: systemDid },
    { ...known, endedBy: visitorDid },
  ],
  "handoff.requested": [
    { ...known, requestedBy: automationDid },
    { ...known, reason: "asked-for-human", requestedBy: visitorDid },
  ],
  "speaker.changed": [known],
  "handoff.ended": [{ ...known, endedBy: agentDid }],
  "agent.assigned": [
    { ...known, agent: ada, assignedBy: agentDid },
    { ...known, agent: grace, assignedBy: systemDid },
  ],
  "agent.unassigned": [{ ...known, agent: grace, removedBy: automationDid }],
  "tag.created": [{ tag }],
  "tag.updated": [{ tag, before: { name: "Post", color: null } }],
  "tag.deleted": [
    { tag, mergedInto: undefined },
    { tag, mergedInto: { id: "0198-other", name: "Post", color: null } },
  ],
  "tag.assigned": [{ ...known, tag, assignedBy: agentDid }],
  "tag.removed": [{ ...byMail, tag, removedBy: systemDid }],
  "custom-field.created": [{ field }],
  "custom-field.updated": [{ field, before: { name: "tariff" } }],
  "custom-field.deleted": [{ field }],
  "custom.data.assigned": [
    { contact, customData: { name: "plan", value: "Business" }, assignedBy: agentDid },
    { contact: unknown, customData: { name: "__proto__", value: "1" }, assignedBy: systemDid },
  ],
  "custom.data.removed": [{ contact, customData: { name: "plan", value: "Business" }, removedBy: automationDid }],
  "article.created": [{ article, createdBy: agentDid }],
  "article.updated": [{ article: draft, updatedFields: ["question", "answer"], updatedBy: agentDid }],
  "article.removed": [{ article, removedBy: systemDid }],
  "contact.created": [{ contact }, { contact: unknown }],
  "contact.blocked": [{ contact, changedBy: agentDid }],
  "contact.unblocked": [{ contact, changedBy: agentDid }],
  "contact.updated": [
    { contact, previous: { phone: null }, current: { phone: "+4915112345678" }, source: undefined },
    { contact, previous: { name: null }, current: { name: "Vera" }, source: "https://acme.test/pricing" },
  ],
  "agent.created": [{ agent: ada }],
  "agent.invited": [{ agent: grace }],
  "agent.joined": [{ agent: grace }],
  "agent.updated": [{ agent: ada }, { agent: grace }],
  "visitor-session.verified": [{ contact }],
  "visitor-session.moved": [
    { contact, to: undefined },
    { contact: unknown, to: contact },
  ],
  "widget.created": [{ widget }],
  "widget.updated": [{ widget: unnamedWidget }],
  "widget.removed": [{ widget: unnamedWidget }],
  "channel.created": [{ account: channelAccount }],
  "channel.updated": [{ account: { ...channelAccount, state: "paused" } }],
  "channel.deleted": [{ account: channelAccount }],
  "webhook.tested": [{ webhook, shows: "message.received", eventId: "evt_1" }],
  "webhook.created": [{ webhook }],
  "webhook.updated": [{ webhook }],
  "webhook.deleted": [{ webhook }],
  "api-key.created": [{ key }],
  "api-key.revoked": [{ key }],
  "assistant.created": [{ assistant }],
  "assistant.updated": [{ assistant }],
  "team.created": [{ team }],
  "team.updated": [{ team: { ...team, api_access: 0 } }],
};

/** Every form of every event, in the order of the table above. */
export const everyFact: EventFacts[] = Object.entries(forms).flatMap(([name, each]) =>
  each.map((form) => ({ name, ...form }) as EventFacts),
);
