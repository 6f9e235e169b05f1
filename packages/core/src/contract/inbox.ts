/**
 * The requests and answers of an agent's inbox (docs/decisions/0026-inbox.md), beside the live stream (`live.ts`) and the
 * other requests of the dashboard (`session.ts`, which says who may and what errors look like). Every path begins with
 * `/app/api/inbox`. An API key, in `X-API-KEY`, acts as its agent.
 */
import type { Static, TObject, TProperties } from "typebox";
import { Type } from "typebox";
import { agentOnlineStatuses, agentRoles, agentStatuses } from "../domain/agent.ts";
import { channels } from "../domain/channel.ts";
import { detailSources } from "../domain/detail-source.ts";
import { draftReturnedBy } from "../domain/draft.ts";
import { inboxOrders, inboxViews } from "../domain/inbox.ts";
import { searchOperators } from "../domain/search-query.ts";
import { ErrorReason } from "./errors.ts";
import {
  ATTACHMENTS_MAX,
  CONTENT_MAX,
  choice,
  mapOf,
  nullable,
  SEARCH_MAX,
  TAG_COLOR_MAX,
  TAG_NAME_MAX,
  text,
  timestamp,
  uuid,
} from "./fields.ts";
import { forwardOperations } from "./inbox-forwards.ts";
import { spamOperations } from "./inbox-spam.ts";
import { LiveConversation, LiveMessage, LivePerson, LiveTag, TimelineEntry } from "./live.ts";
import { LiveMailHead, LiveMailPerson } from "./live-mail.ts";
import type { HttpOperation } from "./operation.ts";
import { Contact, CustomDatum } from "./resources.ts";
import { AttachmentInput, sendableTypes } from "./rest/messages.ts";

/** The prefix of every path in this file. */
export const INBOX_PREFIX = "/app/api/inbox";

const nullableString = nullable(Type.String());
const number = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** The position in the team's event log that an answer reflects: events up to `number` are in it already. */
const asOf = { number, epoch: Type.String() };

/** Most conversations of one change. */
export const BULK_MAX = 100;
/** Counting ends here: this value means "this many or more". */
export const COUNT_MAX = 1_000;
/** The conversations of a saved view are counted up to here. */
export const VIEW_COUNT_MAX = 100;
/** Most results of each kind in a search. */
export const FOUND_MAX = 10;
const TIME_ZONE_MAX = 64;
/** A preference set, as JSON, in bytes. */
export const PREFERENCES_MAX_BYTES = 8_192;
const SORT_NUMBER_MAX = Number.MAX_SAFE_INTEGER;
const LIST_MAX = 100;

// Lists

/** What a list shows: a view, narrowed by filters (`domain/inbox.ts`). A saved view stores one. */
const query = {
  view: choice(inboxViews),
  channel: Type.Optional(choice(channels)),
  /** A channel account. */
  channel_id: Type.Optional(uuid),
  /** Of the last activity: then or later. */
  active_from: Type.Optional(timestamp),
  /** Of the last activity: before. */
  active_until: Type.Optional(timestamp),
  /** `newest` when it is left out. */
  order: Type.Optional(choice(inboxOrders)),
};
/** Most tags, and most agents, of one list. */
const FILTER_IDS_MAX = 50;
const filterIds = Type.Array(uuid, { minItems: 1, maxItems: FILTER_IDS_MAX });
export const SavedQuery = Type.Object({
  ...query,
  widget_id: Type.Optional(uuid),
  /** Conversations with one of these tags. */
  tag_ids: Type.Optional(filterIds),
  /** Conversations assigned to one of these agents. */
  agent_ids: Type.Optional(filterIds),
  unread: Type.Optional(Type.Boolean()),
});
/** In an address: separated by commas. An id that is not known is on no conversation. */
const idsInAddress = text(FILTER_IDS_MAX * 37, { minLength: 1 });
export type SavedQuery = Static<typeof SavedQuery>;

export const InboxList = Type.Object({
  /** In the requested order. There may be fewer than the limit, and still a next page. */
  conversations: Type.Array(LiveConversation),
  /** The highest sort number that the agent has read, by conversation; those never read are left out. */
  own_reads: mapOf(number),
  /** The `before` of the next page; null when there is none. It is a cursor, so new activity moves no page. */
  next: nullableString,
  ...asOf,
});
export type InboxList = Static<typeof InboxList>;

/** Of one view; each is counted up to `COUNT_MAX`. */
const ViewCount = Type.Object({ count: number, unread: number });
export const InboxCounts = Type.Object({
  views: Type.Object(Object.fromEntries(inboxViews.map((view) => [view, ViewCount]))),
  ...asOf,
});
export type InboxCounts = Omit<Static<typeof InboxCounts>, "views"> & {
  /** `unread`: those with messages that no agent has read. Of `mentions`: those with an unread mention of the agent. */
  views: Record<(typeof inboxViews)[number], { count: number; unread: number }>;
};

// One conversation

/** A draft of a reply or a note. */
export const draftModes = ["reply", "note"] as const;
export const Draft = Type.Object({
  mode: choice(draftModes),
  content: Type.String(),
  updated_at: timestamp,
  /** Of a reply that was held when an email came in: it was not sent. Null for any other, and once the agent goes on with it. */
  returned_by: nullable(choice(draftReturnedBy)),
});
export type Draft = Static<typeof Draft>;

/** An agent, as beside a message. */
export const InboxFace = Type.Object({ id: uuid, name: nullableString, photo_url: nullableString });
export type InboxFace = Static<typeof InboxFace>;

const detailSource = nullable(choice([...detailSources, "unknown"]));
const sourced = {
  /**
   * Who gave the details, custom data by the ids of its fields. `unknown`: the visitor or the team, before it was stored. Null:
   * there is none, or it came by another channel.
   */
  detail_sources: Type.Object({ email: detailSource, phone: detailSource, custom_data: mapOf(detailSource) }),
};

const mailPeople = Type.Array(LiveMailPerson);
/** What agents see of a mail conversation besides its messages. */
export const MailDetails = Type.Object({
  /** The channel account. */
  account: Type.Object({ id: uuid, name: nullableString, address: Type.String() }),
  /** Who the last mail is from and to; null while there is none. */
  last: nullable(LiveMailHead),
  /** Whom a reply goes to now, by the same rule as when it is sent; null when none can be sent. */
  reply: nullable(Type.Object({ to: mailPeople, cc: mailPeople })),
  /** Why no reply can be sent. */
  refusal: nullable(Type.Object({ message: Type.String(), ...ErrorReason.properties })),
  /** How long a reply can be undone before it is sent. */
  hold_seconds: Type.Integer({ minimum: 0 }),
});
export type MailDetails = Static<typeof MailDetails>;

export const InboxConversationDetails = Type.Object({
  conversation: LiveConversation,
  /** As in the REST API: with the page visits, and `blocked_at`. */
  contact: Contact,
  /** Whether the contact's country is guessed from the time zone. */
  country_guessed: Type.Boolean(),
  /** By name. */
  custom_data: Type.Array(CustomDatum),
  ...sourced,
  /** The contact's other conversations, the newest message first, at most 20. */
  earlier_conversations: Type.Array(LiveConversation),
  /**
   * Those of other contacts of the same widget with the same email address, the newest message first, at most 20: the address is no proof
   * that it is the same person.
   */
  same_address_conversations: Type.Array(LiveConversation),
  /**
   * Why no email brings replies to the visitor once they have left: the server sends none, or there is no address. Null: one
   * does, or replies go another way.
   */
  unmailed: nullable(choice(["mail-off", "no-email"])),
  /** Null in other channels. */
  mail: nullable(MailDetails),
  /** Its timeline, the oldest first: the last 200 entries. The thread shows them between its messages, by time. */
  timeline: Type.Array(TimelineEntry),
  /** The highest sort number that the agent has read; 0 for none. */
  own_read: number,
  /** The agent's own drafts. */
  drafts: Type.Array(Draft),
  /** Who else has a draft; its text is not shown. */
  drafts_of_others: Type.Array(Type.Object({ agent: InboxFace, mode: choice(draftModes), updated_at: timestamp })),
  ...asOf,
});
export type InboxConversationDetails = Static<typeof InboxConversationDetails>;

/** While it stands, the contact is not erased. */
export const ContactHold = Type.Object({
  reason: Type.String(),
  /** The name of the agent or program; null for one without. */
  held_by: nullableString,
  held_at: timestamp,
  /** Null: until it is released. */
  until: nullable(timestamp),
});
export type ContactHold = Static<typeof ContactHold>;

/** A contact with everything that the team knows of them. */
export const InboxContact = Type.Object({
  contact: Contact,
  /** Whether the contact's country is guessed from the time zone. */
  country_guessed: Type.Boolean(),
  /** By name. */
  custom_data: Type.Array(CustomDatum),
  ...sourced,
  /** The newest message first, at most 50. */
  conversations: Type.Array(LiveConversation),
  /** Null without one, and for agents who may not erase contacts. */
  hold: nullable(ContactHold),
  ...asOf,
});
export type InboxContact = Static<typeof InboxContact>;

export const InboxThread = Type.Object({
  /** Oldest first, system lines too. */
  messages: Type.Array(LiveMessage),
  has_before: Type.Boolean(),
  has_after: Type.Boolean(),
  ...asOf,
});
export type InboxThread = Static<typeof InboxThread>;

/** A conversation after a change. `number`: it reflects the event log up to there; the event of the change has a later one. */
const Changed = Type.Object({ conversation: LiveConversation, ...asOf });

const attachments = Type.Array(AttachmentInput, { maxItems: ATTACHMENTS_MAX });
const newReply = {
  /** Chosen by the browser, the same when the message is sent again: a repeat is answered with the stored message. */
  client_id: uuid,
  content: text(CONTENT_MAX),
  attachments: Type.Optional(attachments),
  /** The highest sort number when the agent began to write: 409 when a teammate has replied since. */
  after_number: Type.Optional(number),
  /** Sends it even if a teammate has replied since. */
  anyway: Type.Optional(Type.Boolean()),
  /** Resolves the conversation in the same commit. */
  resolve: Type.Optional(Type.Boolean()),
  /** The copilot has written a part of it. */
  drafted_with_ai: Type.Optional(Type.Boolean()),
};
const NewMessage = Type.Object({
  ...newReply,
  type: choice(sendableTypes),
  /** The agents that a note mentions. */
  mentions: Type.Optional(Type.Array(uuid, { maxItems: 50, uniqueItems: true })),
});

/** The longest time to undo a reply. */
export const HOLD_MAX_MS = 60_000;
/** A reply that can be undone for `hold_ms` (docs/decisions/0052-undo-send.md). */
const ReplyToHold = Type.Object({ ...newReply, hold_ms: Type.Integer({ minimum: 1, maximum: HOLD_MAX_MS }) });

const SentMessage = Type.Object({ message: LiveMessage, conversation: LiveConversation, ...asOf });
/** `sent`: the message, when it was sent before; null when it is held or undone, as asked. */
const HeldOrSent = Type.Object({ sent: nullable(SentMessage) });

/** The answer 409 to a reply when a teammate replied first. Nothing was sent. */
export const Overtaken = Type.Object({ message: Type.String(), reply: LiveMessage });
export type Overtaken = Static<typeof Overtaken>;

// Operations on one conversation, or on many

/** The bodies of `POST /conversations/{conversation_id}/<name>`, and of `POST /bulk/<name>` beside `conversation_ids`. */
export const inboxActions = {
  /** Marks it read for the team and the agent, up to `sort_number` or all of it, with the agent's mentions in it. */
  read: Type.Object({ sort_number: Type.Optional(number) }),
  unread: Type.Object({}),
  resolve: Type.Object({}),
  reopen: Type.Object({}),
  /** Exactly one of the two. The snooze ends at the time, and in any case with the visitor's next message. */
  snooze: Type.Object({
    until: Type.Optional(timestamp),
    until_reply: Type.Optional(Type.Boolean()),
    /** The highest sort number that the agent has seen, by conversation: refused when the visitor has written since. */
    after_numbers: Type.Optional(mapOf(number, { maxProperties: BULK_MAX })),
  }),
  unsnooze: Type.Object({}),
  assign: Type.Object({ agent_id: uuid }),
  unassign: Type.Object({ agent_id: uuid }),
  tag: Type.Object({
    name: text(TAG_NAME_MAX, { minLength: 1 }),
    color: Type.Optional(nullable(text(TAG_COLOR_MAX))),
  }),
  untag: Type.Object({ name: text(TAG_NAME_MAX, { minLength: 1 }) }),
  /** A human speaks from now on, not the built-in AI. */
  "take-over": Type.Object({}),
  /** Assistants may reply again; the built-in AI answers again, where it is set up. */
  "return-to-assistant": Type.Object({}),
  /** Blocks the contact: their messages are refused. */
  block: Type.Object({}),
  unblock: Type.Object({}),
} as const satisfies Record<string, TObject>;
export type InboxActionName = keyof typeof inboxActions;
export type InboxActionInput<Name extends InboxActionName> = Static<(typeof inboxActions)[Name]>;
export const inboxActionNames = Object.keys(inboxActions) as InboxActionName[];

const ofConversation = Type.Object({ conversation_id: Type.String() });
const ofContact = Type.Object({ contact_id: Type.String() });

/** `POST /conversations/{conversation_id}/<name>`. */
export function actionOperation<Name extends InboxActionName>(name: Name) {
  return {
    method: "POST",
    path: `/conversations/{conversation_id}/${name}`,
    params: ofConversation,
    body: inboxActions[name],
    responses: { 200: { body: Changed } },
  } as const satisfies HttpOperation;
}

const bulkBody = (name: InboxActionName) =>
  Type.Object({
    conversation_ids: Type.Array(uuid, { minItems: 1, maxItems: BULK_MAX, uniqueItems: true }),
    ...(inboxActions[name].properties as TProperties),
  });
/** Once for all servers of a process: what is compiled for a schema is kept as long as the process runs. */
const bulkBodies = Object.fromEntries(inboxActionNames.map((name) => [name, bulkBody(name)])) as Record<
  InboxActionName,
  ReturnType<typeof bulkBody>
>;

/** `POST /bulk/<name>`: each conversation is a commit of its own, so that one that is refused does not hold back the others. */
export function bulkOperation<Name extends InboxActionName>(name: Name) {
  return {
    method: "POST",
    path: `/bulk/${name}`,
    body: bulkBodies[name],
    responses: { 200: { body: BulkResult } },
  } as const satisfies HttpOperation;
}
export const BulkResult = Type.Object({
  done: Type.Array(uuid),
  /** With the first reason of each; without one where a client had no answer at all. */
  failed: Type.Array(
    Type.Object({
      id: uuid,
      message: Type.String(),
      reason: Type.Optional(ErrorReason.properties.reason),
      values: ErrorReason.properties.values,
    }),
  ),
});
export type BulkResult = Static<typeof BulkResult>;

// Canned replies, saved views, preferences

/** Whose canned reply: the agent's own, or the team's, which admins write. */
export const cannedReplyOwners = ["own", "team"] as const;
export const CANNED_NAME_MAX = 100;
export const CannedReply = Type.Object({
  id: uuid,
  whose: choice(cannedReplyOwners),
  /** What agents type after a slash to find it. */
  name: Type.String(),
  /** May hold `{{contact.name}}`, `{{contact.first_name}}`, `{{contact.email}}`, `{{agent.name}}` and `{{team.name}}`, each with a fallback: `{{contact.name|there}}`. */
  content: Type.String(),
  updated_at: timestamp,
});
export type CannedReply = Static<typeof CannedReply>;
const cannedName = text(CANNED_NAME_MAX, { minLength: 1 });
const cannedContent = text(CONTENT_MAX, { minLength: 1 });
const whose = Type.Object({ whose: choice(cannedReplyOwners) });
const ofReply = Type.Object({ whose: choice(cannedReplyOwners), id: Type.String() });
const OneReply = Type.Object({ canned_reply: CannedReply });

export const SavedView = Type.Object({ id: uuid, name: Type.String(), query: SavedQuery });
/** `count`: how many conversations it shows, up to `VIEW_COUNT_MAX`. */
const CountedView = Type.Object({ ...SavedView.properties, count: number });
export type SavedView = Static<typeof SavedView>;
const viewName = text(100, { minLength: 1 });
const byId = Type.Object({ id: Type.String() });

const hour = Type.String({ pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$" });
const width = Type.Integer({ minimum: 100, maximum: 2_000 });
const onOff = Type.Optional(Type.Boolean());

/** An agent's preferences for the dashboard. What is left out has the dashboard's default. */
export const Preferences = Type.Object(
  {
    theme: Type.Optional(choice(["light", "dark", "system"])),
    language: Type.Optional(text(35)),
    density: Type.Optional(choice(["comfortable", "compact"])),
    /** Single keys that do something (WCAG 2.1.4). */
    shortcuts: onOff,
    list_width: Type.Optional(width),
    details_width: Type.Optional(width),
    details_open: onOff,
    nav_open: onOff,
    /** Which conversations cause desktop notifications. */
    notify: Type.Optional(choice(["all", "mine", "none"])),
    notify_mentions: onOff,
    sound: onOff,
    /** Local times between which there are no notifications. */
    quiet_from: Type.Optional(nullable(hour)),
    quiet_to: Type.Optional(nullable(hour)),
    /** Shown as away after so many minutes without activity; 0 for never. */
    away_after_minutes: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_440 })),
    /** Days of the week on which they work, from Sunday, 0; left out for all. On other days they are shown as away. */
    here_days: Type.Optional(Type.Array(Type.Integer({ minimum: 0, maximum: 6 }), { maxItems: 7, uniqueItems: true })),
    /** Local times between which they work on these days; the end may be on the next day. */
    here_from: Type.Optional(nullable(hour)),
    here_to: Type.Optional(nullable(hour)),
    /** The send key: Enter, or Enter with Ctrl or Command. */
    send_with: Type.Optional(choice(["enter", "mod-enter"])),
    /** Whether a reply assigns its agent to an unassigned conversation; on by default. */
    assign_on_reply: onOff,
    /** How long a reply can be undone before it is sent; 0, or left out: it is sent at once. */
    undo_send_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: HOLD_MAX_MS / 1_000 })),
    /** The view that opens first. */
    first_view: Type.Optional(choice(inboxViews)),
    /** Hints and steps of the first run that are done. */
    done_steps: Type.Optional(Type.Array(text(50), { maxItems: 50 })),
  },
  { additionalProperties: false },
);
export type Preferences = Static<typeof Preferences>;

// Search, and the team

/** A match in a text: UTF-16 units from `start` to before `end`. */
const Highlight = Type.Object({ start: number, end: number });
const Highlights = Type.Array(Highlight);

export const InboxFound = Type.Object({
  /** Operators whose value is not known: with one of them nothing is found. */
  unknown: Type.Array(Type.Object({ operator: choice(searchOperators), value: Type.String() })),
  /** Whether nothing contains what was typed, and one typo in a word was forgiven. */
  forgiving: Type.Boolean(),
  /** Contacts by name, e-mail or phone, last activity first. */
  people: Type.Array(
    Type.Object({
      ...LivePerson.properties,
      phone: nullableString,
      name_highlights: Highlights,
      email_highlights: Highlights,
    }),
  ),
  /** Conversations found by their contact's name or e-mail, by their subject, or by operators alone, newest activity first. */
  conversations: Type.Array(Type.Object({ conversation: LiveConversation, name_highlights: Highlights })),
  /** The newest message in a conversation that holds it, newest activity of the conversation first. */
  messages: Type.Array(
    Type.Object({
      id: uuid,
      conversation_id: uuid,
      sort_number: number,
      type: choice(["message", "note", "reminder"]),
      from: choice(["visitor", "agent"]),
      contact: LivePerson,
      /** Of its conversation, as `LiveConversation` has it. */
      subject: nullableString,
      /** The part of the text around the match. */
      excerpt: Type.String(),
      highlights: Highlights,
      created_at: timestamp,
    }),
  ),
});
export type InboxFound = Static<typeof InboxFound>;

/** The agents, tags and widgets to choose from. */
export const InboxPeople = Type.Object({
  /** The agent of this request. */
  me: uuid,
  /** Oldest first, without deactivated agents. */
  agents: Type.Array(
    Type.Object({
      ...InboxFace.properties,
      email: Type.String(),
      role: choice(agentRoles),
      status: choice(agentStatuses),
      online_status: choice(agentOnlineStatuses),
    }),
  ),
  /** By name. */
  tags: Type.Array(LiveTag),
  /** Oldest first. */
  widgets: Type.Array(Type.Object({ id: uuid, name: nullableString })),
  /** The channel accounts besides widgets, oldest first. `can_send`: whether a conversation can be started by it now. */
  channels: Type.Array(
    Type.Object({
      id: uuid,
      channel: choice(channels),
      name: nullableString,
      address: Type.String(),
      can_send: Type.Boolean(),
    }),
  ),
  /** The built-in AI, and where it answers; null until it is set up. */
  ai: nullable(
    Type.Object({
      name: Type.String(),
      is_active: Type.Boolean(),
      widgets: Type.Union([Type.Literal("all"), Type.Array(uuid)]),
      channels: Type.Array(choice(channels)),
    }),
  ),
});
export type InboxPeople = Static<typeof InboxPeople>;

const nothing = Type.Object({});

export const inboxOperations = {
  listConversations: {
    method: "GET",
    path: "/conversations",
    query: Type.Object({
      ...query,
      widget_id: Type.Optional(idsInAddress),
      tag_ids: Type.Optional(idsInAddress),
      agent_ids: Type.Optional(idsInAddress),
      unread: Type.Optional(choice(["true"])),
      /** The `next` of the page before: `<value>,<id>`. */
      before: Type.Optional(text(100)),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIST_MAX, default: 50 })),
    }),
    responses: { 200: { body: InboxList } },
  },
  getCounts: { method: "GET", path: "/counts", responses: { 200: { body: InboxCounts } } },
  getConversation: {
    method: "GET",
    path: "/conversations/{conversation_id}",
    params: ofConversation,
    responses: { 200: { body: InboxConversationDetails } },
  },
  /** The newest ones; with `before` those with lower sort numbers, with `after` those with higher ones. */
  listMessages: {
    method: "GET",
    path: "/conversations/{conversation_id}/messages",
    params: ofConversation,
    query: Type.Object({
      before: Type.Optional(Type.Integer({ minimum: 1, maximum: SORT_NUMBER_MAX })),
      after: Type.Optional(Type.Integer({ minimum: 0, maximum: SORT_NUMBER_MAX })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIST_MAX, default: 50 })),
    }),
    responses: { 200: { body: InboxThread } },
  },
  /**
   * 409 with `Overtaken` when a teammate has replied first, and with the reason `reply-undone`, `reply-returned` or
   * `reply-returned-by-email` when the reply was held and is a draft again. A held reply is sent now.
   */
  sendMessage: {
    method: "POST",
    path: "/conversations/{conversation_id}/messages",
    params: ofConversation,
    body: NewMessage,
    responses: { 201: { body: SentMessage } },
  },
  /** Stores a reply, and sends it some seconds after `hold_ms`, unless it was sent or undone before. Refuses as `sendMessage` does. */
  holdReply: {
    method: "POST",
    path: "/conversations/{conversation_id}/held-replies",
    params: ofConversation,
    body: ReplyToHold,
    responses: { 200: { body: HeldOrSent } },
  },
  /** The reply is not sent, also when it arrives later than this request. */
  undoReply: {
    method: "DELETE",
    path: "/conversations/{conversation_id}/held-replies",
    params: ofConversation,
    query: Type.Object({ client_id: uuid }),
    responses: { 200: { body: HeldOrSent } },
  },
  putDraft: {
    method: "PUT",
    path: "/conversations/{conversation_id}/draft",
    params: ofConversation,
    /** `returned_by`: as it was, while the agent has not gone on with it. */
    body: Type.Object({
      mode: choice(draftModes),
      content: text(CONTENT_MAX, { minLength: 1 }),
      returned_by: Type.Optional(nullable(choice(draftReturnedBy))),
    }),
    responses: { 200: { body: Type.Object({ draft: Draft }) } },
  },
  /** Without a draft nothing changes. */
  deleteDraft: {
    method: "DELETE",
    path: "/conversations/{conversation_id}/draft",
    params: ofConversation,
    query: Type.Object({ mode: choice(draftModes) }),
    responses: { 200: { body: nothing } },
  },
  getContact: {
    method: "GET",
    path: "/contacts/{contact_id}",
    params: ofContact,
    responses: { 200: { body: InboxContact } },
  },
  /** Their messages are refused from now on. */
  blockContact: {
    method: "POST",
    path: "/contacts/{contact_id}/block",
    params: ofContact,
    responses: { 200: { body: InboxContact } },
  },
  unblockContact: {
    method: "POST",
    path: "/contacts/{contact_id}/unblock",
    params: ofContact,
    responses: { 200: { body: InboxContact } },
  },
  /** All drafts of the agent, latest first, at most 200. */
  listDrafts: {
    method: "GET",
    path: "/drafts",
    responses: {
      200: { body: Type.Object({ drafts: Type.Array(Type.Object({ conversation_id: uuid, ...Draft.properties })) }) },
    },
  },
  /** The agent's own and the team's, by name. */
  listCannedReplies: {
    method: "GET",
    path: "/canned-replies",
    responses: { 200: { body: Type.Object({ canned_replies: Type.Array(CannedReply) }) } },
  },
  addCannedReply: {
    method: "POST",
    path: "/canned-replies/{whose}",
    params: whose,
    body: Type.Object({ name: cannedName, content: cannedContent }),
    responses: { 201: { body: OneReply } },
  },
  updateCannedReply: {
    method: "PATCH",
    path: "/canned-replies/{whose}/{id}",
    params: ofReply,
    body: Type.Object({ name: Type.Optional(cannedName), content: Type.Optional(cannedContent) }),
    responses: { 200: { body: OneReply } },
  },
  removeCannedReply: {
    method: "DELETE",
    path: "/canned-replies/{whose}/{id}",
    params: ofReply,
    responses: { 200: { body: nothing } },
  },
  /**
   * The published articles that fit what an agent has typed, best first, at most `ARTICLES_MAX`; without a text, those changed
   * last.
   */
  suggestArticles: {
    method: "GET",
    path: "/articles",
    query: Type.Object({ q: text(SEARCH_MAX) }),
    responses: {
      200: {
        body: Type.Object({
          articles: Type.Array(
            // `text`: what is inserted into a message.
            Type.Object({ id: uuid, question: Type.String(), text: Type.String() }),
          ),
        }),
      },
    },
  },
  /** The agent's own, oldest first. */
  listSavedViews: {
    method: "GET",
    path: "/saved-views",
    responses: { 200: { body: Type.Object({ saved_views: Type.Array(CountedView) }) } },
  },
  addSavedView: {
    method: "POST",
    path: "/saved-views",
    body: Type.Object({ name: viewName, query: SavedQuery }),
    responses: { 201: { body: Type.Object({ saved_view: SavedView }) } },
  },
  updateSavedView: {
    method: "PATCH",
    path: "/saved-views/{id}",
    params: byId,
    body: Type.Object({ name: Type.Optional(viewName), query: Type.Optional(SavedQuery) }),
    responses: { 200: { body: Type.Object({ saved_view: SavedView }) } },
  },
  removeSavedView: { method: "DELETE", path: "/saved-views/{id}", params: byId, responses: { 200: { body: nothing } } },
  getPreferences: {
    method: "GET",
    path: "/preferences",
    responses: { 200: { body: Type.Object({ preferences: Preferences }) } },
  },
  /** Replaces all preferences: what is left out is removed. */
  putPreferences: {
    method: "PUT",
    path: "/preferences",
    body: Preferences,
    responses: { 200: { body: Type.Object({ preferences: Preferences }) } },
  },
  search: {
    method: "GET",
    path: "/search",
    /** `q`: words and operators (`domain/search-query.ts`). Days begin in `time_zone`; UTC without one. */
    query: Type.Object({ q: text(SEARCH_MAX), time_zone: Type.Optional(text(TIME_ZONE_MAX)) }),
    responses: { 200: { body: InboxFound } },
  },
  listPeople: { method: "GET", path: "/people", responses: { 200: { body: InboxPeople } } },
  ...spamOperations,
  ...forwardOperations,
} as const satisfies Record<string, HttpOperation>;
