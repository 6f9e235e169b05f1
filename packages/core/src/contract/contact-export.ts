/**
 * The JSON in the zip file of an exported contact (docs/decisions/0056-export.md). Published as `docs/reference/export-schema.json`:
 * within a version, fields and choices are only added.
 */
import type { Static, TObject, TSchema } from "typebox";
import { Type } from "typebox";
import { detailSources } from "../domain/detail-source.ts";
import { messageDeliveryStates } from "../domain/message-delivery.ts";
import { choice, nullable, timestamp, uuid } from "./fields.ts";

export const EXPORT_VERSION = 1;

/** The names of what is in every export. */
export const exportFiles = {
  contact: "contact.json",
  conversations: "conversations.json",
  page: "index.html",
  sums: "SHA256SUMS",
} as const;

const nullableString = nullable(Type.String());
const nullableTimestamp = nullable(timestamp);
const closed = <P extends Record<string, TSchema>>(properties: P, description?: string) =>
  Type.Object(properties, { additionalProperties: false, ...(description && { description }) });

const exportedPath = Type.String({ description: "Its path in this export; null when it is gone." });

const source = Type.Unsafe<(typeof detailSources)[number] | null>({
  type: ["string", "null"],
  enum: [...detailSources, null],
  description: "Who gave it; null when that isn't known.",
});

export const ExportedContact = closed(
  {
    version: Type.Literal(EXPORT_VERSION),
    exported_at: timestamp,
    includes_notes: Type.Boolean({ description: "Whether internal notes and tags are included." }),
    team: Type.String({ description: "Who exported it." }),
    contact: closed({
      id: uuid,
      name: nullableString,
      email: nullableString,
      email_source: source,
      phone: nullableString,
      phone_source: source,
      country_dialing_code: nullableString,
      verified_id: nullable(
        Type.String({ description: "Their ID in the team's own system, as the website vouched for it." }),
      ),
      verified_email: nullableString,
      location: nullableString,
      country: nullableString,
      country_code: nullableString,
      timezone: nullableString,
      language: nullableString,
      ip: nullableString,
      browser: nullableString,
      operating_system: nullableString,
      channel: Type.String(),
      widget: nullable(Type.String({ description: "The chat widget by which they came first." })),
      created_at: timestamp,
      last_active_at: timestamp,
      blocked_at: nullableTimestamp,
      intake: nullable(
        Type.Object({}, { description: "What the website or a program gave when the contact was created." }),
      ),
      custom_data: Type.Array(closed({ name: Type.String(), value: Type.String(), source, updated_at: timestamp })),
      identities: Type.Array(
        closed({ kind: Type.String(), value: Type.String() }, "An address or a provider's ID by which they are known."),
      ),
      page_visits: Type.Array(closed({ page: Type.String(), visited_at: timestamp })),
      suppressions: Type.Array(
        closed(
          { address: Type.String(), reason: Type.String(), created_at: timestamp },
          "An address of theirs that gets no more emails from a mailbox of the team.",
        ),
      ),
      unimported_emails: Type.Array(
        closed(
          { received_at: timestamp, size: Type.Integer({ minimum: 0 }), file: nullable(exportedPath) },
          "An email of theirs that is not in a conversation: it waits to be read, couldn't be read, or is spam.",
        ),
      ),
    }),
  },
  "contact.json",
);
export type ExportedContact = Static<typeof ExportedContact>;

export const ExportedAttachment = closed({
  name: nullableString,
  mime: nullableString,
  size: nullable(Type.Integer({ minimum: 0 })),
  file: nullable(
    Type.String({ description: "Its path in this export; null for a link to elsewhere, and for a file that is gone." }),
  ),
  url: nullable(Type.String({ description: "The address of what is stored elsewhere." })),
});
export type ExportedAttachment = Static<typeof ExportedAttachment>;

const mailAddress = closed({ name: nullableString, address: Type.String() });

export const ExportedMessage = closed({
  id: uuid,
  type: choice(["message", "reminder", "note"]),
  from: choice(["contact", "team", "other"], {
    description: "`other`: an email from neither of them, such as from a person in Cc.",
  }),
  name: nullable(Type.String({ description: "The name of the person who wrote it, as the contact saw it." })),
  by_ai: Type.Optional(Type.Literal(true, { description: "The built-in AI has written it." })),
  content: Type.String({ description: "Of an email, without what `email.folded_text` has." }),
  created_at: timestamp,
  attachments: Type.Array(ExportedAttachment),
  email: Type.Optional(
    closed(
      {
        from: nullable(mailAddress),
        to: Type.Array(mailAddress),
        cc: Type.Array(mailAddress),
        subject: Type.String(),
        message_id: nullable(Type.String({ description: "With its angle brackets." })),
        folded_text: nullable(Type.String({ description: "What the team sees folded: usually a quote." })),
        deliveries: Type.Array(
          closed({
            address: Type.String(),
            state: choice(messageDeliveryStates),
            reason: nullable(Type.String({ description: "What went wrong, or the mail server's words." })),
          }),
          { description: "How far an email of the team got to the contact's own addresses." },
        ),
      },
      "Only of emails.",
    ),
  ),
  original: Type.Optional(
    closed(
      {
        size: Type.Integer({ minimum: 0 }),
        file: nullable(exportedPath),
      },
      "Of an email: the email as it was sent, with its headers.",
    ),
  ),
});
export type ExportedMessage = Static<typeof ExportedMessage>;

const conversation = {
  id: uuid,
  channel: Type.String(),
  widget: nullableString,
  first_page_url: nullableString,
  email_subject: nullable(Type.String({ description: "That of its first email; null without one." })),
  created_at: timestamp,
  resolved_at: nullableTimestamp,
  rating: nullable(
    closed({ rating: Type.Integer({ minimum: 1, maximum: 5 }), comment: nullableString, rated_at: nullableTimestamp }),
  ),
  tags: Type.Optional(Type.Array(Type.String(), { description: "Only with notes." })),
};
const ConversationHead = closed(conversation);
/** A conversation without its messages, which follow it. */
export type ExportedConversation = Static<typeof ConversationHead>;

export const ExportedConversations = closed(
  {
    version: Type.Literal(EXPORT_VERSION),
    conversations: Type.Array(closed({ ...conversation, messages: Type.Array(ExportedMessage) })),
  },
  "conversations.json",
);

/** The published schema: `#/$defs/contact` is of `contact.json`, `#/$defs/conversations` of `conversations.json`. */
export function exportSchema(): { $defs: { contact: TObject; conversations: TObject } } & Record<string, unknown> {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "An exported contact of Frontdesk",
    description: "contact.json is described by #/$defs/contact, conversations.json by #/$defs/conversations.",
    $defs: { contact: ExportedContact, conversations: ExportedConversations },
  };
}
