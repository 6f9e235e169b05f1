/**
 * What a visitor's browser asks and is answered (docs/decisions/0020-live-stream.md): the widget's own interface, no part of the
 * REST API. Bounds of values are those of REST.
 */
import type { Static, TObject, TSchema } from "typebox";
import { Type } from "typebox";
import { ATTACHMENTS_MAX, CONTENT_MAX, email, nullable, personName, phone, text, timestamp, uuid } from "./fields.ts";
import { PageVisits } from "./rest/contacts.ts";
import { AttachmentInput } from "./rest/messages.ts";

const nullableString = nullable(Type.String());

/** One request of a visitor. `path` stands below `/visitor/{widget_id}`. */
export interface VisitorOperation {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly query?: TObject;
  readonly body?: TObject;
  readonly status: 200 | 201;
  readonly answer: TSchema;
}

/** What goes in and comes out of an operation, as types; undefined where it takes nothing. */
export type VisitorBody<O extends VisitorOperation> = O extends { body: infer S extends TSchema }
  ? Static<S>
  : undefined;
export type VisitorQuery<O extends VisitorOperation> = O extends { query: infer S extends TSchema }
  ? Static<S>
  : undefined;
export type VisitorAnswer<O extends VisitorOperation> = Static<O["answer"]>;

/** A file beside a message, as the visitor sees it. */
export const ChatAttachment = Type.Object({
  url: Type.String(),
  name: nullableString,
  mime: nullableString,
  size: nullable(Type.Integer()),
});

/** A message as its visitor sees it: never a note, a reminder or a system line. */
export const ChatMessage = Type.Object({
  id: uuid,
  conversation_id: uuid,
  sort_number: Type.Integer({ minimum: 1 }),
  from: Type.Union([Type.Literal("visitor"), Type.Literal("agent")]),
  /** Empty when there are only attachments. */
  content: Type.String(),
  attachments: Type.Array(ChatAttachment),
  /** Who of the team wrote it; null for the visitor's own. */
  agent: nullable(Type.Object({ id: uuid, name: nullableString, photo_url: nullableString })),
  /** What the browser called it when it sent it. */
  client_id: nullable(uuid),
  created_at: timestamp,
});
export type ChatMessage = Static<typeof ChatMessage>;

export const ChatConversation = Type.Object({
  id: uuid,
  is_resolved: Type.Boolean(),
  /** The highest sort number that the visitor has seen. */
  seen_number: Type.Integer({ minimum: 0 }),
});
export type ChatConversation = Static<typeof ChatConversation>;

export const ChatContact = Type.Object({ id: uuid, name: nullableString, email: nullableString });
export type ChatContact = Static<typeof ChatContact>;

/** What a visitor sees of their conversation. */
export const Chat = Type.Object({
  contact: ChatContact,
  conversation: nullable(ChatConversation),
  /** Newest first. */
  messages: Type.Array(ChatMessage),
  has_more: Type.Boolean(),
  /** Of the log: everything up to it is in this answer; the stream goes on from here. */
  number: Type.Integer({ minimum: 0 }),
  epoch: Type.String(),
});
export type Chat = Static<typeof Chat>;

/** Most messages of one answer. */
const PAGE_MAX = 100;

export const visitorOperations = {
  sendMessage: {
    method: "POST",
    path: "/messages",
    // "Text or an attachment" is asked by the route, as in REST.
    body: Type.Object({
      client_id: uuid,
      content: text(CONTENT_MAX),
      attachments: Type.Optional(Type.Array(AttachmentInput, { maxItems: ATTACHMENTS_MAX })),
      name: Type.Optional(personName),
      email: Type.Optional(email),
      phone: Type.Optional(phone),
      language: Type.Optional(text(255)),
      timezone: Type.Optional(text(255)),
      page_visited: Type.Optional(PageVisits),
    }),
    status: 201,
    answer: Type.Object({ message: ChatMessage, contact: ChatContact }),
  },
  openChat: {
    method: "GET",
    path: "/chat",
    query: Type.Object({
      before: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_MAX, default: 50 })),
    }),
    status: 200,
    answer: Chat,
  },
  seeMessages: {
    method: "POST",
    path: "/seen",
    body: Type.Object({ conversation_id: uuid, sort_number: Type.Integer({ minimum: 0 }) }),
    status: 200,
    answer: Type.Object({ conversation: ChatConversation }),
  },
} as const satisfies Record<string, VisitorOperation>;
