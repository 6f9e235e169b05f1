/** The REST operations that erase, redact, hold and export (additions, section 6; docs/decisions/0053-erasing.md, 0056-export.md). */
import { Type } from "typebox";
import { erasedParts, RETENTION_DAYS_MAX } from "../../domain/retention.ts";
import { ids, moments } from "../examples.ts";
import { choice, idOf, nullable, REASON_MAX, text, timestamp } from "../fields.ts";
import type { RestOperation } from "../operation.ts";
import { Privacy, PrivacyPreview, RetentionChange } from "../privacy-settings.ts";
import { ContactExport, dataOf, Erasure, messageAlone, messageAndDataOf } from "../resources.ts";

const reasonBody = (why: string) =>
  Type.Object({
    reason: Type.Optional(
      nullable(text(REASON_MAX, { description: `${why}, for your records. Don't name the person.` })),
    ),
  });
const byContact = Type.Object({ id: idOf("the contact") });

const erasure = {
  type: "erasures",
  id: ids.erasure,
  attributes: {
    state: "running",
    contact_id: ids.vera,
    widget_id: null,
    requested_at: moments.resolved,
    finished_at: null,
    erased: { contacts: 1, conversations: 1, messages: 0, files: 0, events: 0, page_visits: 0, ip_addresses: 0 },
  },
} as const;

export const eraseContact = {
  id: "eraseContact",
  performs: "erase-contact",
  method: "DELETE",
  path: "/contacts/{id}",
  tag: "Privacy",
  summary: "Erase a contact",
  description:
    "Erases a contact with their conversations, messages, files and data. From this response on, their IDs are unknown. The rest is erased in the background; " +
    "`contact.erased` is sent when it's done. It can't be undone. A contact on hold returns 409.",
  params: byContact,
  body: reasonBody("Why the contact is erased"),
  responses: { 202: { description: "The erasure has started.", body: messageAndDataOf(Erasure) } },
  errors: [404, 409, 422],
  example: {
    params: { id: ids.vera },
    body: { reason: "Requested by email" },
    response: { message: "Erasing the contact.", data: erasure },
  },
} as const satisfies RestOperation;

export const eraseConversation = {
  id: "eraseConversation",
  performs: "erase-conversation",
  method: "DELETE",
  path: "/conversations/{conversation_id}",
  tag: "Privacy",
  summary: "Erase a conversation",
  description:
    "Erases a conversation with its messages and files; its contact stays. From this response on, its ID is unknown. The rest is erased in the background. " +
    "It can't be undone. While the contact is on hold, it returns 409.",
  params: Type.Object({ conversation_id: idOf("the conversation") }),
  body: reasonBody("Why the conversation is erased"),
  responses: { 202: { description: "The erasure has started.", body: messageAndDataOf(Erasure) } },
  errors: [404, 409, 422],
  example: {
    params: { conversation_id: ids.conversation },
    body: { reason: "Requested by email" },
    response: {
      message: "Erasing the conversation.",
      data: {
        ...erasure,
        attributes: { ...erasure.attributes, erased: { ...erasure.attributes.erased, contacts: 0 } },
      },
    },
  },
} as const satisfies RestOperation;

export const getErasure = {
  id: "getErasure",
  performs: "get-erasure",
  method: "GET",
  path: "/erasures/{id}",
  tag: "Privacy",
  summary: "Get an erasure",
  description: "How far an erasure has come. `state` is `done` when nothing is left.",
  params: Type.Object({ id: idOf("the erasure") }),
  responses: { 200: { description: "The erasure.", body: dataOf(Erasure) } },
  errors: [404],
  example: { params: { id: ids.erasure }, response: { data: erasure } },
} as const satisfies RestOperation;

export const redactMessage = {
  id: "redactMessage",
  performs: "redact-message",
  method: "POST",
  path: "/messages/{id}/redact",
  tag: "Privacy",
  summary: "Redact a message",
  description:
    "Removes the text and files of a message everywhere, such as a card number. The message stays in its place, empty. It can't be undone. A repeated request changes nothing. " +
    "Later emails of the conversation may quote the message, so their originals and quoted text go too. While the contact is on hold, it returns 409.",
  params: Type.Object({ id: idOf("the message") }),
  body: reasonBody("Why the message is redacted"),
  responses: { 200: { description: "The message is empty.", body: messageAlone } },
  errors: [404, 409, 422],
  example: {
    params: { id: ids.message },
    body: { reason: "Card number" },
    response: { message: "Message redacted." },
  },
} as const satisfies RestOperation;

export const holdContact = {
  id: "holdContact",
  performs: "hold-contact",
  method: "POST",
  path: "/contacts/{id}/hold",
  tag: "Privacy",
  summary: "Put a contact on hold",
  description:
    "Until it's released, or until `until`, the contact can't be erased. A new hold replaces the one before.",
  params: byContact,
  body: Type.Object({
    reason: text(REASON_MAX, { minLength: 1, description: "Shown to those who try to erase the contact." }),
    until: Type.Optional(nullable(timestamp)),
  }),
  responses: { 200: { description: "The contact is on hold.", body: messageAlone } },
  errors: [404, 409, 422],
  example: {
    params: { id: ids.vera },
    body: { reason: "Court case 12/26", until: null },
    response: { message: "Contact on hold." },
  },
} as const satisfies RestOperation;

export const releaseContact = {
  id: "releaseContact",
  performs: "release-contact",
  method: "DELETE",
  path: "/contacts/{id}/hold",
  tag: "Privacy",
  summary: "Release a contact from hold",
  description: "A contact that isn't on hold stays as it is.",
  params: byContact,
  responses: { 200: { description: "The contact is not on hold.", body: messageAlone } },
  errors: [404],
  example: { params: { id: ids.vera }, response: { message: "Hold released." } },
} as const satisfies RestOperation;

const privacy = {
  type: "privacy",
  id: ids.team,
  attributes: {
    erase_after_days: 365,
    erase_what: "conversations",
    files_after_days: 90,
    page_visits_after_days: 30,
    ip_after_days: 14,
    widgets: [{ widget_id: ids.widget, erase_after_days: 730 }],
    channels: [],
    starts_at: "2026-11-27T09:00:00.000Z",
    changed_at: "2026-11-20T09:00:00.000Z",
  },
} as const;

export const getPrivacy = {
  id: "getPrivacy",
  performs: "get-retention",
  method: "GET",
  path: "/privacy",
  tag: "Privacy",
  summary: "Get the privacy settings",
  description:
    "After how many days what is stored is erased; null is never. `starts_at` is when the last change starts to erase more; null when all settings are in force.",
  responses: { 200: { description: "The settings.", body: dataOf(Privacy) } },
  errors: [],
  example: { response: { data: privacy } },
} as const satisfies RestOperation;

export const updatePrivacy = {
  id: "updatePrivacy",
  performs: "update-retention",
  method: "PATCH",
  path: "/privacy",
  tag: "Privacy",
  summary: "Change the privacy settings",
  description:
    "Sets the fields you send and leaves the others unchanged. `widgets` and `channels` replace the whole list; a field that an entry leaves out is as the widget of the channel has it, else as the team has it. " +
    "A change that erases more than before starts 7 days later; until then only what both the old and the new settings erase is erased. A change that erases less is in force at once.",
  body: RetentionChange,
  responses: { 200: { description: "The new settings.", body: messageAndDataOf(Privacy) } },
  errors: [422],
  example: {
    body: { erase_after_days: 365, files_after_days: 90 },
    response: { message: "Privacy settings updated.", data: privacy },
  },
} as const satisfies RestOperation;

const previewDays = (of: string) =>
  Type.Optional(
    Type.Integer({ minimum: 1, maximum: RETENTION_DAYS_MAX, description: `In place of the team's \`${of}\`.` }),
  );

export const previewPrivacy = {
  id: "previewPrivacy",
  performs: "preview-retention",
  method: "GET",
  path: "/privacy/preview",
  tag: "Privacy",
  summary: "Preview the privacy settings",
  description:
    "How much would be erased if the settings were in force now, without their notice. Parameters replace the team's settings for this preview; nothing is changed. At most 10,000 of each kind are counted.",
  query: Type.Object({
    erase_after_days: previewDays("erase_after_days"),
    erase_what: Type.Optional(choice(erasedParts, { description: "In place of the team's `erase_what`." })),
    files_after_days: previewDays("files_after_days"),
    page_visits_after_days: previewDays("page_visits_after_days"),
    ip_after_days: previewDays("ip_after_days"),
  }),
  responses: { 200: { description: "The numbers.", body: dataOf(PrivacyPreview) } },
  errors: [422],
  example: {
    query: { erase_after_days: 365 },
    response: {
      data: {
        type: "privacy-previews",
        id: ids.team,
        attributes: { conversations: 12, contacts: 9, files: 4, page_visits: 230, ip_addresses: 3 },
      },
    },
  },
} as const satisfies RestOperation;

const contactExport = {
  type: "exports",
  id: ids.export,
  attributes: {
    state: "running",
    contact_id: ids.vera,
    include_notes: false,
    requested_at: moments.resolved,
    finished_at: null,
    expires_at: null,
    size: null,
    url: null,
  },
} as const;

export const exportContact = {
  id: "exportContact",
  performs: "export-contact",
  method: "POST",
  path: "/contacts/{id}/export",
  tag: "Privacy",
  summary: "Export a contact",
  description:
    "Collects everything about a contact in a zip file: `contact.json`, `conversations.json`, `index.html` to read, the files in `files/`, and `SHA256SUMS`. " +
    "It's made in the background; get the export to see when it's done. While one is running, a repeated request returns it.",
  params: byContact,
  body: Type.Object({
    include_notes: Type.Optional(
      Type.Boolean({
        default: false,
        description: "Also internal notes and tags. Read them before you pass them on: they may be about other people.",
      }),
    ),
  }),
  responses: { 202: { description: "The export has started.", body: messageAndDataOf(ContactExport) } },
  errors: [404, 422],
  example: {
    params: { id: ids.vera },
    body: { include_notes: false },
    response: { message: "Exporting the contact.", data: contactExport },
  },
} as const satisfies RestOperation;

export const getExport = {
  id: "getExport",
  performs: "get-export",
  method: "GET",
  path: "/exports/{id}",
  tag: "Privacy",
  summary: "Get an export",
  description:
    "`url` is the address of the zip file once `state` is `done`. It works for 7 days, with an API key or for a signed-in agent who may export contacts; " +
    "then the export is deleted. It is deleted at once when anything in it is erased or redacted.",
  params: Type.Object({ id: idOf("the export") }),
  responses: { 200: { description: "The export.", body: dataOf(ContactExport) } },
  errors: [404],
  example: {
    params: { id: ids.export },
    response: {
      data: {
        ...contactExport,
        attributes: {
          ...contactExport.attributes,
          state: "done",
          finished_at: "2026-09-14T09:41:15.000Z",
          expires_at: "2026-09-21T09:41:15.000Z",
          size: 48_213,
          url: "https://chat.example.com/exports/fd_export_…/contact-export-2026-09-14.zip",
        },
      },
    },
  },
} as const satisfies RestOperation;
