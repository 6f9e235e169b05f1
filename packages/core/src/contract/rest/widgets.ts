/**
 * The REST operations on widgets (spec, "Endpoints"). All but the list are ours: the spec leaves the settings to the dashboard
 * (docs/decisions/0023-verified-visitors.md).
 */
import { Type } from "typebox";
import { ids, listOfOne, moments, wholeWidget, widget } from "../examples.ts";
import { choice, idOf, NAME_MAX, nullable, pageQuery, REASON_MAX, text } from "../fields.ts";
import type { RestOperation } from "../operation.ts";
import {
  dataOf,
  Erasure,
  listOf,
  messageAndDataOf,
  WholeWidget,
  Widget,
  WidgetWithIdentitySecret,
} from "../resources.ts";
import { WidgetSettingsChange } from "../widget-settings.ts";

const widgetParams = Type.Object({ widget: idOf("the widget") });

const name = text(NAME_MAX, { minLength: 1, description: "A name to tell widgets apart." });

export const listWidgets = {
  id: "listWidgets",
  performs: "list-widgets",
  method: "GET",
  path: "/widgets",
  tag: "Widgets",
  summary: "List widgets",
  description: "The chat widgets of the team, oldest first.",
  query: Type.Object(pageQuery({ default: 20, max: 100 })),
  responses: { 200: { description: "A page of widgets.", body: listOf(Widget) } },
  errors: [422],
  example: { query: { page: 1, limit: 20 }, response: listOfOne("/widgets", widget, 20) },
} as const satisfies RestOperation;

export const createWidget = {
  id: "createWidget",
  performs: "create-widget",
  method: "POST",
  path: "/widgets",
  tag: "Widgets",
  summary: "Create a widget",
  description: "Adds a widget to the team. All settings are optional; a widget with the defaults is ready to use.",
  body: Type.Object({ name }),
  responses: { 201: { description: "The new widget.", body: messageAndDataOf(WholeWidget) } },
  errors: [422],
  retrySafe: true,
  example: { body: { name: "Website" }, response: { message: "Widget created.", data: wholeWidget } },
} as const satisfies RestOperation;

export const getWidget = {
  id: "getWidget",
  performs: "get-widget",
  method: "GET",
  path: "/widgets/{widget}",
  tag: "Widgets",
  summary: "Get a widget",
  description: "One widget with all its settings.",
  params: widgetParams,
  responses: { 200: { description: "The widget.", body: dataOf(WholeWidget) } },
  errors: [404],
  example: { params: { widget: ids.widget }, response: { data: wholeWidget } },
} as const satisfies RestOperation;

export const updateWidget = {
  id: "updateWidget",
  performs: "update-widget",
  method: "PATCH",
  path: "/widgets/{widget}",
  tag: "Widgets",
  summary: "Change a widget",
  description:
    "Sets the name and the settings you send and leaves the others unchanged. At least one is required. Visitors see the change the next time they open the page.",
  params: widgetParams,
  // As with a contact: a body that names no known field passes here and is refused by the operation.
  body: Type.Object({ name: Type.Optional(name), settings: Type.Optional(WidgetSettingsChange) }, { minProperties: 1 }),
  responses: { 200: { description: "The updated widget.", body: messageAndDataOf(WholeWidget) } },
  errors: [404, 422],
  example: {
    params: { widget: ids.widget },
    body: { settings: { color: "#0f766e", page_fields: ["plan"] } },
    response: { message: "Widget updated.", data: wholeWidget },
  },
} as const satisfies RestOperation;

export const removeWidget = {
  id: "removeWidget",
  performs: "remove-widget",
  method: "DELETE",
  path: "/widgets/{widget}",
  tag: "Widgets",
  summary: "Remove a widget",
  description:
    "Removes a widget. From this response on, it's gone from your websites, its ID is unknown, and assistants limited to it no longer see it. " +
    'A widget with contacts returns 409 with their numbers, unless you send `conversations: "erase"`: then they are erased in the background, like with `DELETE /contacts/{id}`, ' +
    "and `contact.erased` is sent for each one. This also requires the scope `privacy:write`, and returns 409 if one of the contacts is on hold. It can't be undone.",
  params: widgetParams,
  body: Type.Object({
    conversations: Type.Optional(
      nullable(
        choice(["erase"], {
          description: "What happens to its contacts and their conversations. They can't be moved.",
        }),
      ),
    ),
    reason: Type.Optional(nullable(text(REASON_MAX, { description: "For your records. Don't name a person." }))),
  }),
  responses: { 202: { description: "The widget is removed.", body: messageAndDataOf(Erasure) } },
  errors: [404, 409, 422],
  example: {
    params: { widget: ids.widget },
    body: { conversations: "erase", reason: "The shop has closed" },
    response: {
      message: "Widget removed.",
      data: {
        type: "erasures",
        id: ids.toolCall,
        attributes: {
          state: "running",
          contact_id: null,
          widget_id: ids.widget,
          requested_at: moments.resolved,
          finished_at: null,
          erased: { contacts: 0, conversations: 0, messages: 0, files: 0, events: 0, page_visits: 0, ip_addresses: 0 },
        },
      },
    },
  },
} as const satisfies RestOperation;

export const makeIdentitySecret = {
  id: "makeIdentitySecret",
  performs: "rotate-identity-secret",
  method: "POST",
  path: "/widgets/{widget}/identity-secret",
  tag: "Widgets",
  summary: "Create an identity secret",
  description:
    "Creates the secret that your server signs visitor identities with. It is shown only in this response. A previous secret stops working immediately, along with everything it signed: visitors verified with it must be identified again. The required scopes match what the secret gives access to: its holder can read and write as any visitor.",
  params: widgetParams,
  responses: { 200: { description: "The widget with its secret.", body: messageAndDataOf(WidgetWithIdentitySecret) } },
  errors: [404, 422],
  retrySafe: true,
  example: {
    params: { widget: ids.widget },
    response: {
      message: "Identity secret created. A previous one no longer works.",
      data: {
        ...wholeWidget,
        attributes: {
          ...wholeWidget.attributes,
          identity_secret_made_at: moments.widgetMade,
          identity_secret: "fd_identity_an-example-not-a-real-secret",
        },
      },
    },
  },
} as const satisfies RestOperation;
