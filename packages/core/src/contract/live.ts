/**
 * The frames of the live stream (docs/decisions/0020-live-stream.md): what clients and the server send each other over a
 * WebSocket, over server-sent events, and in the answer to a poll. Clients ignore fields and types that they do not know.
 */
import type { Static } from "typebox";
import { Type } from "typebox";
import { agentOnlineStatuses } from "../domain/agent.ts";
import { speakers } from "../domain/ai/ai-settings.ts";
import { aiMessageKinds } from "../domain/ai/ai-state.ts";
import { channels } from "../domain/channel.ts";
import { sentViaWays } from "../domain/conversation.ts";
import { choice, mapOf, nullable, pageUrl, text, timestamp, URL_MAX, uuid } from "./fields.ts";
import { LiveDelivery, LiveEmail } from "./live-mail.ts";
import { contactOnlineStatuses } from "./resources.ts";
import { ChatContact, ChatConversation, ChatMessage } from "./visitor.ts";

/** Why the server closes a stream. After `token`, `frame` and `gone` a client does not come back by itself. */
export const liveClose = {
  /** The token is not valid, or no longer. */
  token: 4001,
  /** The client sent something that is not a frame, or too many frames. */
  frame: 4002,
  /** The visitor of this token is another contact now: reconnect, and fetch again. */
  moved: 4003,
  /** The widget of the visitor does not exist, or no longer. */
  gone: 4004,
  /** The client reads too slowly: more frames are queued than the server keeps. */
  slow: 4008,
  /** The server stops. */
  stopping: 1012,
  /** The server cannot serve the stream now, or the token has too many streams. */
  later: 1013,
} as const;
export type LiveCloseCode = (typeof liveClose)[keyof typeof liveClose];

/** Largest frame of a client, in bytes. */
export const LIVE_FRAME_MAX_BYTES = 4_096;
/** A client that has received nothing for so long has a dead connection; it sends `ping` before that. */
export const LIVE_SILENCE_MS = 45_000;

const number = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const nullableString = nullable(Type.String());

// From the client

/** The first frame. `since`, `epoch`: of the last `ready`, `reset` or event that was applied; left out or null at first. */
export const HelloFrame = Type.Object({
  type: Type.Literal("hello"),
  /** A visitor's token, or an API key with the scope `conversations:read`. Left out by agents who are signed in. */
  token: Type.Optional(text(256)),
  /** Sent by visitors. */
  widget_id: Type.Optional(text(64)),
  since: Type.Optional(nullable(number)),
  epoch: Type.Optional(nullable(text(64))),
  /** Sent with API keys and by agents: whether a person uses this client, who is shown as online. Programs leave it out. */
  present: Type.Optional(Type.Boolean()),
});
export type HelloFrame = Static<typeof HelloFrame>;

/** The user types, or has stopped. Never stored or replayed. Needs an agent, or an API key with `conversations:write`. */
export const TypingFrame = Type.Object({
  type: Type.Literal("typing"),
  conversation_id: uuid,
  typing: Type.Boolean(),
});
export type TypingFrame = Static<typeof TypingFrame>;

/** Where the visitor is: an http or https address. */
export const PageFrame = Type.Object({
  type: Type.Literal("page"),
  url: pageUrl,
  /** Cut to 255 characters: a page with a long title is still a page. */
  title: text(URL_MAX),
});
export type PageFrame = Static<typeof PageFrame>;

/** An agent has a conversation open, or has closed it. Never stored; to be repeated within `VIEWING_LEASE_MS`. */
export const ViewingFrame = Type.Object({
  type: Type.Literal("viewing"),
  conversation_id: uuid,
  viewing: Type.Boolean(),
});
export type ViewingFrame = Static<typeof ViewingFrame>;

/** A viewer who has not repeated `viewing` for so long has left. */
export const VIEWING_LEASE_MS = 60_000;

/**
 * The agent has been idle at this client for long, or is active again. They are shown as away while all their clients are
 * idle. To be repeated after a new `ready`.
 */
export const AwayFrame = Type.Object({ type: Type.Literal("away"), away: Type.Boolean() });
export type AwayFrame = Static<typeof AwayFrame>;

export const PingFrame = Type.Object({ type: Type.Literal("ping") });
export type PingFrame = Static<typeof PingFrame>;

export const clientFrames = {
  hello: HelloFrame,
  typing: TypingFrame,
  page: PageFrame,
  viewing: ViewingFrame,
  away: AwayFrame,
  ping: PingFrame,
} as const;
export type ClientFrame = HelloFrame | TypingFrame | PageFrame | ViewingFrame | AwayFrame | PingFrame;

// From the server

/** Everything up to `number` has been sent; what follows is live. */
export const ReadyFrame = Type.Object({ type: Type.Literal("ready"), number, epoch: Type.String() });
export type ReadyFrame = Static<typeof ReadyFrame>;

/**
 * The log does not reach back to `since`, is another one, or more was missed than is sent: fetch again. `ready` and the events
 * after `number` follow.
 */
export const ResetFrame = Type.Object({ type: Type.Literal("reset"), number, epoch: Type.String() });
export type ResetFrame = Static<typeof ResetFrame>;

export const PongFrame = Type.Object({ type: Type.Literal("pong") });
export type PongFrame = Static<typeof PongFrame>;

const event = {
  type: Type.Literal("event"),
  /** The number in the team's event log. Numbers rise, with gaps for events that this viewer does not get. */
  number: Type.Integer({ minimum: 1 }),
  name: Type.String(),
  at: timestamp,
};

/** An event as a visitor sees it; which fields it has depends on the event. */
export const VisitorEventFrame = Type.Object({
  ...event,
  /** The visitor's conversation as it is when the event is sent. */
  conversation: Type.Optional(ChatConversation),
  message: Type.Optional(ChatMessage),
  /** The visitor's details, when they have changed. */
  contact: Type.Optional(ChatContact),
});
export type VisitorEventFrame = Static<typeof VisitorEventFrame>;

/** The names of the events that visitors see. */
export const visitorEventNames = [
  "message.received",
  "message.sent",
  "conversation.created",
  "conversation.resolved",
  "conversation.reopened",
  "conversation.seen",
  "conversation.read",
  "conversation.rated",
  /** Whether the AI answers, or a person. */
  "speaker.changed",
  "contact.updated",
  "message.redacted",
  /** Of a conversation: what is shown has to be fetched again. A visitor who is erased has no stream any more. */
  "erasure.started",
  /** The same: texts and files of it are gone. */
  "conversation.texts-erased",
  /** The same: files of some messages are gone; the texts stay. */
  "conversation.files-erased",
] as const;
export type VisitorEventName = (typeof visitorEventNames)[number];

/** A message as the team sees it: notes too. */
export const LiveMessage = Type.Object({
  ...ChatMessage.properties,
  type: choice(["message", "note", "system", "reminder"]),
  /** Whether a person, a program, an assistant, an automation or the built-in AI sent it, or it came in by its channel. */
  sent_via: choice(sentViaWays),
  /** Of a message of the built-in AI: the run that led to it, where there was one, and what kind of message it is. */
  ai: Type.Optional(Type.Object({ run_id: nullable(uuid), kind: choice(aiMessageKinds) })),
  /** The ids of the agents that a note mentions. */
  mentions: Type.Array(uuid),
  /** Of a mail whose original is kept, or will be once it is sent. `has_html`: whether its HTML can be shown. */
  mail: Type.Optional(Type.Object({ has_html: Type.Boolean() })),
  /** Left out where nothing is sent outside. */
  delivery: Type.Optional(LiveDelivery),
  /** Left out for what is no mail. */
  email: Type.Optional(LiveEmail),
  /** The copilot has written a part of it; left out for all others. */
  drafted_with_ai: Type.Optional(Type.Boolean()),
});
export type LiveMessage = Static<typeof LiveMessage>;

export const LivePerson = Type.Object({ id: uuid, name: nullableString, email: nullableString });
export type LivePerson = Static<typeof LivePerson>;

export const LiveTag = Type.Object({ id: uuid, name: Type.String(), color: nullableString });
export type LiveTag = Static<typeof LiveTag>;

/** The newest message of a conversation, as a list shows it. */
export const LiveLastMessage = Type.Object({
  id: uuid,
  sort_number: Type.Integer({ minimum: 1 }),
  type: choice(["message", "note", "system", "reminder"]),
  from: choice(["visitor", "agent"]),
  /** The beginning of it, some hundred characters. */
  content: Type.String(),
  created_at: timestamp,
  is_redacted: Type.Optional(Type.Boolean()),
});
export type LiveLastMessage = Static<typeof LiveLastMessage>;

/** A conversation as the team sees it, complete: a later one replaces an earlier one. */
export const LiveConversation = Type.Object({
  id: uuid,
  widget_id: uuid,
  channel: choice(channels),
  /** The channel account; of the website, the widget. */
  channel_id: uuid,
  /** Of a mail conversation, without `Re:` and the like; null in other channels. */
  subject: nullableString,
  contact: LivePerson,
  is_resolved: Type.Boolean(),
  unread_messages: Type.Integer({ minimum: 0 }),
  /** Null while there are no messages but system lines. */
  last_message: nullable(LiveLastMessage),
  /** What its visitor has written last, while `speaker` is `waiting`: the last message tells only that it was handed over. Null otherwise. */
  open_question: nullable(LiveLastMessage),
  message_count: Type.Integer({ minimum: 0 }),
  /** First assigned first. */
  assigned_agents: Type.Array(LivePerson),
  /** In the order in which the team created them. */
  tags: Type.Array(LiveTag),
  /** When an assistant requested a handoff; null when none has, or it has ended. */
  handoff_requested_at: nullable(timestamp),
  /** Who speaks for the team. `waiting`: the built-in AI has handed it over, and no person has written since. */
  speaker: choice(speakers),
  /** The highest sort number that the visitor has seen. */
  seen_number: Type.Integer({ minimum: 0 }),
  /** The highest sort number that any agent has read. */
  team_seen_number: Type.Integer({ minimum: 0 }),
  /** The visitor's rating; null while there is none. */
  rating: nullable(Type.Object({ score: Type.Integer(), comment: nullableString, rated_at: timestamp })),
  /** Whether the owner's server has vouched for the contact, by a signed identity. */
  is_verified: Type.Boolean(),
  /** Whether the contact is blocked. */
  is_blocked: Type.Boolean(),
  /** Until when it is snoozed; null when it is not, or when it is snoozed until its visitor writes. */
  snoozed_until: nullable(timestamp),
  snoozed_until_reply: Type.Boolean(),
  /** When its snooze ended; null when it was never snoozed, or was replied to, resolved or snoozed again since. */
  woken_at: nullable(timestamp),
  /** The ids of the agents that notes mention. */
  mentions: Type.Array(uuid),
  /** The sort number of the newest note that mentions an agent, by the agent's id. */
  mention_numbers: mapOf(Type.Integer({ minimum: 1 })),
  /** Since when the visitor waits for an answer; null when none is due. */
  waiting_since: nullable(timestamp),
  /** Whether a human or an assistant has replied since it was opened last. */
  is_answered: Type.Boolean(),
  /** What the inbox is sorted by: the time of the last message, or of the end of a snooze. */
  active_at: timestamp,
  created_at: timestamp,
  /** Of its last message, resolving or reopening. */
  updated_at: timestamp,
});
export type LiveConversation = Static<typeof LiveConversation>;

/** The names of timeline entries. */
export const timelineEntryNames = [
  "conversation.resolved",
  "conversation.reopened",
  "conversation.snoozed",
  "conversation.unsnoozed",
  "handoff.requested",
  "handoff.ended",
  /** The built-in AI answers from now on, or a person. Its handoff is a `handoff.requested`. */
  "speaker.changed",
  "agent.assigned",
  "agent.unassigned",
  "tag.assigned",
  "tag.removed",
  /** The website has identified its visitor. Shown in place of the system line `message_id`, which says it in English. */
  "visitor.recognised",
] as const;
export type TimelineEntryName = (typeof timelineEntryNames)[number];

/** An entry of a conversation's timeline: a name and values, so that each agent reads it in their own language. */
export const TimelineEntry = Type.Object({
  /** The number in the team's event log: it identifies the entry and gives the order. */
  number: Type.Integer({ minimum: 1 }),
  conversation_id: uuid,
  name: choice(timelineEntryNames),
  at: timestamp,
  /** Who did it; null for the service itself. */
  by: nullable(
    Type.Object({ kind: choice(["agent", "automation", "visitor"]), id: Type.String(), name: nullableString }),
  ),
  /** As the name has them: `agent` and `agent_id`, `tag`, `until`, `reason`, `speaker`; `who`, `id` and `message_id`. */
  values: mapOf(Type.String()),
});
export type TimelineEntry = Static<typeof TimelineEntry>;

/** An event as an agent sees it. */
export const AgentEventFrame = Type.Object({
  ...event,
  /** Of an event of a conversation. In a replay only the last event of a conversation on a page has it. */
  conversation: Type.Optional(LiveConversation),
  /** Of an event that is about a new message. */
  message: Type.Optional(LiveMessage),
  /** Its timeline entry, for an event that has one. */
  timeline_entry: Type.Optional(TimelineEntry),
  /** Of an event without a conversation: as the log has it. */
  data: Type.Optional(Type.Object({})),
});
export type AgentEventFrame = Omit<Static<typeof AgentEventFrame>, "data"> & { data?: Record<string, unknown> };

/** Another person types, or has stopped. Without a further frame it ends after some seconds. */
export const TypingNowFrame = Type.Object({
  type: Type.Literal("typing"),
  conversation_id: uuid,
  from: choice(["visitor", "agent"]),
  /** The agent who types; null for the visitor. */
  agent: nullable(Type.Object({ id: uuid, name: nullableString, photo_url: nullableString })),
  /** The built-in AI types, as its agent. */
  by_ai: Type.Optional(Type.Boolean()),
  typing: Type.Boolean(),
});
export type TypingNowFrame = Static<typeof TypingNowFrame>;

/**
 * What the built-in AI is about to say in a conversation, as far as it is written and has passed its checks. Never stored or
 * replayed: `message.sent` takes its place. It holds while the AI speaks in the conversation, which is open, and while no message
 * is newer than `after`; without a further frame of the AI it ends after some seconds, as typing does.
 */
export const DraftFrame = Type.Object({
  type: Type.Literal("draft"),
  conversation_id: uuid,
  /** Grows in a conversation: a later frame takes the place of an earlier one. */
  seq: Type.Integer({ minimum: 1 }),
  /** Plain text from the beginning of the message on. "" withdraws the draft: it is not said. */
  text: Type.String(),
  /** The sort number of the visitor's message that it answers. */
  after: Type.Integer({ minimum: 0 }),
  /** The AI, as its agent. */
  agent: nullable(Type.Object({ id: uuid, name: nullableString, photo_url: nullableString })),
});
export type DraftFrame = Static<typeof DraftFrame>;

/** To agents: another agent has a conversation open, or has closed it. After `ready`, one frame for each viewer. */
export const ViewingNowFrame = Type.Object({
  type: Type.Literal("viewing"),
  conversation_id: uuid,
  agent: Type.Object({ id: uuid, name: nullableString, photo_url: nullableString }),
  viewing: Type.Boolean(),
});
export type ViewingNowFrame = Static<typeof ViewingNowFrame>;

/** To the streams of an agent: they have read a conversation up to a sort number, at any of their screens. Never replayed. */
export const OwnReadFrame = Type.Object({
  type: Type.Literal("own-read"),
  conversation_id: uuid,
  read_number: Type.Integer({ minimum: 0 }),
});
export type OwnReadFrame = Static<typeof OwnReadFrame>;

/** To visitors, after `ready` and when it changes: whether any agent is online. */
export const TeamPresenceFrame = Type.Object({ type: Type.Literal("presence"), team_online: Type.Boolean() });
export type TeamPresenceFrame = Static<typeof TeamPresenceFrame>;

export const LivePage = Type.Object({ url: Type.String(), title: Type.String() });
export type LivePage = Static<typeof LivePage>;

/** To agents, after `ready` (all agents who are online) and when it changes (those who have changed). */
export const PresenceFrame = Type.Object({
  type: Type.Literal("presence"),
  /** True: the list is complete; agents who are not in it are offline. */
  whole: Type.Boolean(),
  contacts: Type.Array(
    Type.Object({
      id: uuid,
      online_status: choice(contactOnlineStatuses),
      last_active_at: timestamp,
      page: nullable(LivePage),
    }),
  ),
  agents: Type.Array(Type.Object({ id: uuid, online_status: choice(agentOnlineStatuses) })),
});
export type PresenceFrame = Static<typeof PresenceFrame>;

export type VisitorFrame =
  | VisitorEventFrame
  | ReadyFrame
  | ResetFrame
  | TypingNowFrame
  | DraftFrame
  | TeamPresenceFrame
  | PongFrame;
export type AgentFrame =
  | AgentEventFrame
  | ReadyFrame
  | ResetFrame
  | TypingNowFrame
  | DraftFrame
  | ViewingNowFrame
  | OwnReadFrame
  | PresenceFrame
  | PongFrame;

/** What GET /live/poll answers: events, `reset` before them if needed, and `ready` with the number that they reach. */
export const LivePoll = Type.Object({
  frames: Type.Array(Type.Object({ type: Type.String() })),
  /** Whether there is more already: then poll again at once, with the number of `ready`. */
  has_more: Type.Boolean(),
});
export type LivePoll = { frames: (VisitorFrame | AgentFrame)[]; has_more: boolean };
