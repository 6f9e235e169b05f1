/** What the dashboard asks about emails that are spam, held, or automatic (docs/decisions/0065-spam.md). */
import type { Static } from "typebox";
import { Type } from "typebox";
import { nullable, timestamp, uuid } from "./fields.ts";
import type { HttpOperation } from "./operation.ts";

const nullableString = nullable(Type.String());
const ofSpam = Type.Object({ id: Type.String() });

/** Spam is counted up to here: this value means "this many or more". */
export const SPAM_COUNT_MAX = 1_000;
/** More of the text of a mail is in its original alone, in UTF-16 units. */
export const SPAM_TEXT_MAX = 20_000;
const PAGE_MAX = 100;

const listedMail = {
  id: uuid,
  /** The channel account of its mailbox. */
  channel_id: uuid,
  /** The address is folded to lower case; null for a mail that names none. */
  sender: Type.Object({ name: nullableString, address: nullableString }),
  subject: Type.String(),
  /** The first words of its text, in one line. */
  excerpt: Type.String(),
  received_at: timestamp,
};

export const SpamItem = Type.Object(listedMail);
export type SpamItem = Static<typeof SpamItem>;

export const SpamList = Type.Object({
  /** The newest first. */
  spam: Type.Array(SpamItem),
  /** The `before` of the next page; null when there is none. */
  next: nullable(uuid),
  /** Counted up to `SPAM_COUNT_MAX`. */
  total: Type.Integer({ minimum: 0 }),
});
export type SpamList = Static<typeof SpamList>;

export const SpamText = Type.Object({
  /** As plain text; null for a mail that cannot be read. */
  text: nullableString,
  /** Whether it is only the beginning of it. */
  is_cut: Type.Boolean(),
});
export type SpamText = Static<typeof SpamText>;

/** Its sender had sent too many, or a program wrote it; it is a gray line in its conversation. */
export const HeldMail = Type.Object({ ...listedMail, conversation_id: uuid });
export type HeldMail = Static<typeof HeldMail>;

export const HeldMailList = Type.Object({
  /** Those of the last 30 days, the newest first. */
  mails: Type.Array(HeldMail),
  /** The `before` of the next page; null when there is none. */
  next: nullable(uuid),
});
export type HeldMailList = Static<typeof HeldMailList>;

const page = Type.Object({
  before: Type.Optional(uuid),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_MAX, default: 50 })),
});

export const spamOperations = {
  listSpam: {
    method: "GET",
    path: "/spam",
    query: page,
    responses: { 200: { body: SpamList } },
  },
  getSpamText: {
    method: "GET",
    path: "/spam/{id}/text",
    params: ofSpam,
    responses: { 200: { body: SpamText } },
  },
  /** Byte for byte, to be saved. */
  getSpamOriginal: {
    method: "GET",
    path: "/spam/{id}/original",
    params: ofSpam,
    responses: { 200: { body: Type.String(), mediaType: "message/rfc822" } },
  },
  /** It is imported as any other email. `is_paused`: once its mailbox is active again. A repeat is 404. */
  markNotSpam: {
    method: "POST",
    path: "/spam/{id}/not-spam",
    params: ofSpam,
    responses: { 200: { body: Type.Object({ is_paused: Type.Boolean() }) } },
  },
  /** For good. 409 while its sender is on hold; a repeat is 404. */
  deleteSpam: {
    method: "DELETE",
    path: "/spam/{id}",
    params: ofSpam,
    responses: { 200: { body: Type.Object({}) } },
  },
  listHeldMails: {
    method: "GET",
    path: "/held-mails",
    query: page,
    responses: { 200: { body: HeldMailList } },
  },
  /** Those that answer no conversation, such as newsletters. */
  listAutomaticMails: {
    method: "GET",
    path: "/automatic-mails",
    query: page,
    responses: { 200: { body: HeldMailList } },
  },
} as const satisfies Record<string, HttpOperation>;
