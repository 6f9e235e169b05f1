/**
 * The requests and answers of a visitor's browser (docs/decisions/0020-live-stream.md): the widget's private API, not a part of
 * the REST API. Bounds of values are those of REST.
 */
import type { Static } from "typebox";
import { Type } from "typebox";
import { speakers } from "../domain/ai/ai-settings.ts";
import {
  ATTACHMENTS_MAX,
  CONTENT_MAX,
  CUSTOM_VALUE_MAX,
  choice,
  email,
  mapOf,
  NAME_MAX,
  nullable,
  personName,
  phone,
  SEARCH_MAX,
  text,
  timestamp,
  uuid,
} from "./fields.ts";
import type { Body, HttpOperation, Response } from "./operation.ts";
import { OwnPageVisits } from "./rest/contacts.ts";
import { AttachmentInput } from "./rest/messages.ts";
import { defaulted } from "./tool-fields.ts";

const nullableString = nullable(Type.String());

/** The prefix of every path in this file; the widget is that of the visitor. */
export const VISITOR_PREFIX = "/visitor/{widget}";

export type VisitorBody<O extends HttpOperation> = Body<O>;

/** A file beside a message, as the visitor sees it. */
export const ChatAttachment = Type.Object({
  url: Type.String(),
  name: nullableString,
  mime: nullableString,
  size: nullable(Type.Integer()),
});

/** What a message of the built-in AI is taken from: an article of the team. */
export const ChatSource = Type.Object({
  title: Type.String(),
  /** Where it can be read outside, an http or https address; null when nowhere. */
  url: nullableString,
  /** The article, for a widget that shows articles. */
  article_id: Type.Optional(uuid),
});
export type ChatSource = Static<typeof ChatSource>;

/** A message as its visitor sees it: never a note, a reminder or a system line. */
export const ChatMessage = Type.Object({
  id: uuid,
  conversation_id: uuid,
  sort_number: Type.Integer({ minimum: 1 }),
  from: Type.Union([Type.Literal("visitor"), Type.Literal("agent")]),
  /** Empty when there are only attachments. */
  content: Type.String(),
  attachments: Type.Array(ChatAttachment),
  /** The agent who wrote it; null for the visitor's own. */
  agent: nullable(Type.Object({ id: uuid, name: nullableString, photo_url: nullableString })),
  /** The id that the browser sent with it. */
  client_id: nullable(uuid),
  created_at: timestamp,
  /** Its text and files were removed for good. */
  is_redacted: Type.Optional(Type.Boolean()),
  /** The built-in AI has written it. */
  by_ai: Type.Optional(Type.Boolean()),
  /** Of a message of the AI that cites articles. */
  sources: Type.Optional(Type.Array(ChatSource)),
});
export type ChatMessage = Static<typeof ChatMessage>;

/** The ratings of a conversation, from bad to good. */
export const RATING_MIN = 1;
export const RATING_MAX = 5;
export const RATING_COMMENT_MAX = 1_000;

export const ChatConversation = Type.Object({
  id: uuid,
  is_resolved: Type.Boolean(),
  /** The highest sort number that the visitor has seen. */
  seen_number: Type.Integer({ minimum: 0 }),
  /** The highest sort number that any agent has read. */
  team_seen_number: Type.Integer({ minimum: 0 }),
  /** The visitor's rating; null while there is none. */
  rating: nullable(Type.Integer({ minimum: RATING_MIN, maximum: RATING_MAX })),
  /** Who speaks for the team. `waiting`: the AI has handed it over, and no person has written since. */
  speaker: choice(speakers),
});
export type ChatConversation = Static<typeof ChatConversation>;

export const ChatContact = Type.Object({ id: uuid, name: nullableString, email: nullableString });
export type ChatContact = Static<typeof ChatContact>;

/** An article that is suggested to a visitor. */
export const SuggestedArticle = Type.Object({ id: uuid, question: Type.String() });
export type SuggestedArticle = Static<typeof SuggestedArticle>;

/** A piece of text; a link when it has an address (`http`, `https` or `mailto`). */
const TextPiece = Type.Object({ text: Type.String(), href: Type.Optional(Type.String()) });
const textPieces = Type.Array(TextPiece);
/** A part of an article's answer, without markup. */
export const ArticlePart = Type.Union([
  Type.Object({ type: choice(["heading", "paragraph", "code"]), text: textPieces }),
  Type.Object({
    type: Type.Literal("list"),
    /** `depth`: 0 for the outer list. `number`: of a numbered list. */
    items: Type.Array(Type.Object({ depth: Type.Integer(), number: Type.Optional(Type.Integer()), text: textPieces })),
  }),
]);
export type ArticlePart = Static<typeof ArticlePart>;
export type TextPiece = Static<typeof TextPiece>;

/** An article as a visitor reads it. */
export const ArticleToRead = Type.Object({ ...SuggestedArticle.properties, answer: Type.Array(ArticlePart) });
export type ArticleToRead = Static<typeof ArticleToRead>;

/** What a visitor sees of their conversation. */
export const Chat = Type.Object({
  contact: ChatContact,
  conversation: nullable(ChatConversation),
  /** Newest first. */
  messages: Type.Array(ChatMessage),
  has_more: Type.Boolean(),
  /** The number in the event log that this answer reflects; the stream goes on from here. */
  number: Type.Integer({ minimum: 0 }),
  epoch: Type.String(),
});
export type Chat = Static<typeof Chat>;

/**
 * A signed identity: a JWT of the owner's server (docs/decisions/0023-verified-visitors.md). An invalid one is
 * refused with 422 on `identity`, or on the claim (`identity.email`).
 *
 * A verified session that has expired is refused with 401 and `identity` among `errors`: identify the visitor again, or begin
 * with a new token as an unknown visitor.
 */
const identity = text(4_096, { minLength: 1 });
/** The field that is named when an identity has expired, and for no other reason: the page should fetch a new one. */
export const IDENTITY_EXPIRED = "identity.exp";

/** Most names of custom data at a time. */
const DATA_MAX = 20;
/** Custom data as the page sends it. */
const pageData = mapOf(text(CUSTOM_VALUE_MAX), { maxProperties: DATA_MAX });

/** The payload of an identity without its times (RFC 7519): who it is, and what the owner's server knows of them. */
export const IdentityClaims = Type.Object({
  sub: text(NAME_MAX, { minLength: 1 }),
  email: Type.Optional(email),
  name: Type.Optional(personName),
  phone: Type.Optional(phone),
  data: Type.Optional(
    mapOf(
      Type.Unsafe<string | number | boolean>({ type: ["string", "number", "boolean"], maxLength: CUSTOM_VALUE_MAX }),
      { maxProperties: DATA_MAX },
    ),
  ),
});
export type IdentityClaims = Static<typeof IdentityClaims>;

/** Most messages of one answer. */
const PAGE_MAX = 100;

export const visitorOperations = {
  sendMessage: {
    method: "POST",
    path: "/messages",
    // "Text or an attachment" is checked by the route, as in REST.
    body: Type.Object({
      client_id: uuid,
      content: text(CONTENT_MAX),
      attachments: Type.Optional(Type.Array(AttachmentInput, { maxItems: ATTACHMENTS_MAX })),
      name: Type.Optional(personName),
      email: Type.Optional(email),
      phone: Type.Optional(phone),
      language: Type.Optional(text(255)),
      timezone: Type.Optional(text(255)),
      page_visited: Type.Optional(OwnPageVisits),
      identity: Type.Optional(identity),
      data: Type.Optional(pageData),
    }),
    responses: { 201: { body: Type.Object({ message: ChatMessage, contact: ChatContact }) } },
  },
  /** What the page knows of its visitor. For a visitor who has not written, it is stored with the first message. */
  introduce: {
    method: "POST",
    path: "/introduce",
    body: Type.Object({
      name: Type.Optional(personName),
      email: Type.Optional(email),
      phone: Type.Optional(phone),
      identity: Type.Optional(identity),
      data: Type.Optional(pageData),
    }),
    responses: {
      200: {
        body: Type.Object({
          /** Null while there is no contact: the visitor has not written, and the identity matches no contact. */
          contact: nullable(ChatContact),
          /** When a verified session expires unless the visitor is identified again; null for any other. */
          verified_until: nullable(timestamp),
          /** What a verified identity says of a visitor who has not written: the form before the chat does not ask for it. */
          given: Type.Array(Type.Union([Type.Literal("name"), Type.Literal("email")])),
          /** Names of `data` that pages may not set. */
          ignored: Type.Array(Type.String()),
        }),
      },
    },
  },
  openChat: {
    method: "GET",
    path: "/chat",
    query: Type.Object({
      before: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
      limit: defaulted(Type.Integer({ minimum: 1, maximum: PAGE_MAX, default: 50 })),
    }),
    responses: { 200: { body: Chat } },
  },
  seeMessages: {
    method: "POST",
    path: "/seen",
    body: Type.Object({ conversation_id: uuid, sort_number: Type.Integer({ minimum: 0 }) }),
    responses: { 200: { body: Type.Object({ conversation: ChatConversation }) } },
  },
  /** The visitor wants a person instead of the AI. A repeat changes nothing. */
  askForPerson: {
    method: "POST",
    path: "/handoff",
    body: Type.Object({ conversation_id: uuid }),
    responses: { 200: { body: Type.Object({ conversation: ChatConversation }) } },
  },
  /** The visitor says that the AI's answer helped, which resolves the conversation where its owner wants that. A repeat changes nothing. */
  confirmHelped: {
    method: "POST",
    path: "/helped",
    body: Type.Object({ conversation_id: uuid }),
    responses: { 200: { body: Type.Object({ conversation: ChatConversation }) } },
  },
  /** The visitor's rating of a resolved conversation. A later one replaces an earlier one. */
  rate: {
    method: "POST",
    path: "/rating",
    body: Type.Object({
      conversation_id: uuid,
      rating: Type.Integer({ minimum: RATING_MIN, maximum: RATING_MAX }),
      comment: Type.Optional(text(RATING_COMMENT_MAX)),
    }),
    responses: { 200: { body: Type.Object({ conversation: ChatConversation }) } },
  },
} as const satisfies Record<string, HttpOperation>;

/** Published articles, for the visitors of a widget that suggests them; anyone may ask. */
export const visitorArticles = {
  /** The published articles that fit a text best, at most three. Not found for a widget that suggests no articles. */
  suggestArticles: {
    method: "GET",
    path: "/articles",
    open: true,
    query: Type.Object({ q: text(SEARCH_MAX) }),
    responses: { 200: { body: Type.Object({ articles: Type.Array(SuggestedArticle) }) } },
  },
  readArticle: {
    method: "GET",
    path: "/articles/{article}",
    open: true,
    params: Type.Object({ article: Type.String() }),
    responses: { 200: { body: Type.Object({ article: ArticleToRead }) } },
  },
} as const satisfies Record<string, HttpOperation>;

/**
 * A file, sent before the message that holds it: the body of the request is its content. It belongs to the token it was sent
 * with until a message of that visitor takes it, by its `url` (docs/decisions/0022-files.md).
 */
export const visitorUpload = {
  method: "POST",
  path: "/files",
  query: Type.Object({ name: text(255, { minLength: 1 }) }),
  content: "file",
  responses: {
    201: {
      body: Type.Object({
        file: Type.Object({ url: Type.String(), name: Type.String(), mime: Type.String(), size: Type.Integer() }),
      }),
    },
  },
} as const satisfies HttpOperation;
export type UploadedFile = Response<typeof visitorUpload>["file"];
