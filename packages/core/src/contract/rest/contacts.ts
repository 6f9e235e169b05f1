/** The REST operations on contacts (spec, "Endpoints"; decisions 1, 17, 18). */
import { Type } from "typebox";
import { ids, invoice, listOfOne, moments, question, vera, visitedPage } from "../examples.ts";
import {
  ATTACHMENTS_MAX,
  attachmentUrl,
  CONTENT_MAX,
  email,
  fieldsQuery,
  idOf,
  NAME_MAX,
  pageQuery,
  pageUrl,
  personName,
  phone,
  search,
  text,
  timestamp,
  URL_MAX,
} from "../fields.ts";
import type { RestOperation } from "../operation.ts";
import { Contact, contactFields, dataOf, ListedContact, listOf, messageAndDataOf } from "../resources.ts";

/** Longest free text about a browser, a place or a language; our choice, the spec leaves it open. */
const TRAIT_MAX = 255;
/** Most pages of one visit that a request may hold; our choice, the spec leaves it open. */
const PAGES_MAX = 100;

/** The pages of a visit, in the order they were visited in. */
/** Sent by the team's own program, which may name pages as it likes. */
export const PageVisits = Type.Array(Type.Object({ page: text(URL_MAX), date: timestamp }), { maxItems: PAGES_MAX });
/** Sent by a visitor. */
export const OwnPageVisits = Type.Array(Type.Object({ page: pageUrl, date: timestamp }), { maxItems: PAGES_MAX });

export const listContacts = {
  id: "listContacts",
  performs: "list-contacts",
  method: "GET",
  path: "/contacts",
  tag: "Contacts",
  summary: "List contacts",
  description: "People who have written or visited, most recently active first.",
  query: Type.Object({
    search: Type.Optional(
      search(
        "Part of a name, an email address or a phone number (only digits are compared), case-insensitive, or a full contact ID. Empty matches all.",
      ),
    ),
    ...pageQuery({ default: 10, max: 100 }),
    ...fieldsQuery(contactFields),
  }),
  responses: { 200: { description: "A page of contacts.", body: listOf(ListedContact) } },
  errors: [422],
  example: {
    query: { search: "vera", page: 1, limit: 10, include_fields: "name,email" },
    response: listOfOne(
      "/contacts",
      { ...vera, attributes: { name: vera.attributes.name, email: vera.attributes.email } },
      10,
    ),
  },
} as const satisfies RestOperation;

const contactParams = Type.Object({ id: idOf("the contact") });

export const getContact = {
  id: "getContact",
  performs: "get-contact",
  method: "GET",
  path: "/contacts/{id}",
  tag: "Contacts",
  summary: "Get a contact",
  description: "One contact with all attributes.",
  params: contactParams,
  responses: { 200: { description: "The contact.", body: dataOf(Contact) } },
  errors: [404],
  example: { params: { id: ids.vera }, response: { data: vera } },
} as const satisfies RestOperation;

export const updateContact = {
  id: "updateContact",
  performs: "update-contact",
  method: "PUT",
  path: "/contacts/{id}",
  tag: "Contacts",
  summary: "Update a contact",
  description:
    "Sets the fields you send and leaves the others unchanged. At least one of `name`, `email` and `phone` is required. A changed name sets `is_name_updated`.",
  params: contactParams,
  // Unknown fields are ignored, so `{"nickname": "V"}` passes here; the operation refuses it, because it names no change.
  body: Type.Object(
    { email: Type.Optional(email), name: Type.Optional(personName), phone: Type.Optional(phone) },
    { minProperties: 1 },
  ),
  responses: { 200: { description: "The updated contact.", body: messageAndDataOf(Contact) } },
  errors: [404, 422],
  example: {
    params: { id: ids.vera },
    body: { name: "Vera", phone: "+4915112345678" },
    response: { message: "Contact updated.", data: vera },
  },
} as const satisfies RestOperation;

const trait = Type.Optional(text(TRAIT_MAX));

export const initializeContact = {
  id: "initializeContact",
  performs: "initialize-contact",
  method: "POST",
  path: "/contacts/initialize",
  tag: "Contacts",
  summary: "Create a contact",
  description:
    "Creates a contact on a widget, typically when a visitor starts a chat. Every call creates a new contact. With `message.content`, a conversation starts with that text and `message.urls` as its attachments; this also needs the scope `conversations:write`. " +
    "Use the ID in the response as the `contact_id` of `POST /conversations`. Note the spelling: `widgetId` here, `widget_id` there.",
  body: Type.Object({
    widgetId: idOf("the widget"),
    browser_type: trait,
    operating_system: trait,
    ip: trait,
    language: trait,
    name: Type.Optional(text(NAME_MAX)),
    timezone: trait,
    location: trait,
    country: trait,
    country_dialing_code: trait,
    email: Type.Optional(email),
    phone: Type.Optional(phone),
    marketplace_channel: trait,
    marketplace_origin: trait,
    preferred_chat_language: Type.Optional(text(TRAIT_MAX, { description: "Such as `auto-detect`." })),
    is_simulator: Type.Optional(Type.Boolean()),
    is_form_auto_submitted: Type.Optional(Type.Boolean()),
    message: Type.Optional(
      Type.Object({
        urls: Type.Optional(Type.Array(attachmentUrl, { maxItems: ATTACHMENTS_MAX })),
        content: Type.Optional(text(CONTENT_MAX)),
      }),
    ),
    page_visited: Type.Optional(PageVisits),
  }),
  responses: { 200: { description: "The new contact.", body: messageAndDataOf(Contact) } },
  errors: [422],
  retrySafe: true,
  example: {
    body: {
      widgetId: ids.widget,
      name: "Vera",
      email: "vera@example.com",
      phone: "+4915112345678",
      browser_type: "Firefox",
      operating_system: "Linux",
      language: "de",
      timezone: "Europe/Berlin",
      preferred_chat_language: "auto-detect",
      message: { content: question, urls: [invoice.url] },
      page_visited: [{ page: visitedPage, date: moments.arrived }],
    },
    response: { message: "Contact initialized.", data: vera },
  },
} as const satisfies RestOperation;
