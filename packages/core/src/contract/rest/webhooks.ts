/** The REST operations on webhook subscriptions (spec, "Endpoints"; decisions 13 to 16, 24). */
import { Type } from "typebox";
import { eventDescriptors, eventNames } from "../events.ts";
import { ids, listOfOne, moments, subscription, webhook } from "../examples.ts";
import { choice, endpointUrl, idOf, NAME_MAX, pageQuery, text } from "../fields.ts";
import type { RestOperation } from "../operation.ts";
import { CreatedWebhook, EventDescriptor, listOf, mock, Webhook } from "../resources.ts";

/** Most names in one list of events, repeats counted; our choice, the spec leaves it open. */
const EVENTS_MAX = 100;

const webhookParams = Type.Object({ webhook: idOf("the subscription") });

const name = text(NAME_MAX, { minLength: 1, description: "A name to tell subscriptions apart." });
const isActive = Type.Boolean({ description: "If false, nothing is sent." });
const events = Type.Array(choice(eventNames), {
  minItems: 1,
  maxItems: EVENTS_MAX,
  description: "The events to send. Repeated names count once.",
});

export const listWebhooks = {
  id: "listWebhooks",
  performs: "list-webhooks",
  method: "GET",
  path: "/webhooks",
  tag: "Webhooks",
  summary: "List webhook subscriptions",
  description: "The team's subscriptions, oldest first. Signing secrets are not included.",
  query: Type.Object(pageQuery({ default: 20, max: 100 })),
  responses: { 200: { description: "A page of subscriptions.", body: listOf(Webhook) } },
  errors: [422],
  example: { query: { page: 1, limit: 20 }, response: listOfOne("/webhooks", webhook, 20) },
} as const satisfies RestOperation;

export const createWebhook = {
  id: "createWebhook",
  performs: "create-webhook",
  method: "POST",
  path: "/webhooks",
  tag: "Webhooks",
  summary: "Subscribe to events",
  description:
    "Creates a subscription. The response contains the signing secret, which is shown only once. `name` defaults to the host of the URL, and `is_active` to true. The key also needs the scope of each event, as listed with the events below. Missing scopes return 403.",
  body: Type.Object({
    name: Type.Optional(name),
    endpoint_url: endpointUrl,
    is_active: Type.Optional(isActive),
    events,
  }),
  responses: {
    201: {
      description: "The subscription with its signing secret.",
      body: Type.Object({ message: Type.String(), data: CreatedWebhook, mock }),
    },
  },
  errors: [422],
  retrySafe: true,
  example: {
    body: subscription,
    response: {
      message: "Webhook created.",
      data: {
        ...webhook,
        attributes: [
          {
            ...subscription,
            created_at: moments.widgetMade,
            updated_at: moments.widgetMade,
            signing_secret: "whsec_an-example-not-a-real-secret",
          },
        ],
      },
      mock: false,
    },
  },
} as const satisfies RestOperation;

export const getWebhook = {
  id: "getWebhook",
  performs: "get-webhook",
  method: "GET",
  path: "/webhooks/{webhook}",
  tag: "Webhooks",
  summary: "Get a webhook subscription",
  description: "One subscription, without its signing secret. An ID of another team returns 403.",
  params: webhookParams,
  responses: { 200: { description: "The subscription.", body: Type.Object({ data: Webhook, mock }) } },
  errors: [],
  example: { params: { webhook: ids.webhook }, response: { data: webhook, mock: false } },
} as const satisfies RestOperation;

export const updateWebhook = {
  id: "updateWebhook",
  performs: "update-webhook",
  method: "PATCH",
  path: "/webhooks/{webhook}",
  tag: "Webhooks",
  summary: "Change a webhook subscription",
  description:
    "Sets the fields you send and leaves the others unchanged. At least one field is required. The signing secret does not change. The key needs the scopes of every event that will newly be sent: of added events, and of all events if the URL changes or the subscription is turned on. An ID of another team returns 403.",
  params: webhookParams,
  // As with a contact: a body that names no known field passes here and is refused by the operation.
  body: Type.Object(
    {
      name: Type.Optional(name),
      endpoint_url: Type.Optional(endpointUrl),
      is_active: Type.Optional(isActive),
      events: Type.Optional(events),
    },
    { minProperties: 1 },
  ),
  responses: {
    200: {
      description: "The updated subscription.",
      body: Type.Object({ message: Type.String(), data: Webhook, mock }),
    },
  },
  errors: [422],
  example: {
    params: { webhook: ids.webhook },
    body: { is_active: true, events: subscription.events },
    response: { message: "Webhook updated.", data: webhook, mock: false },
  },
} as const satisfies RestOperation;

export const deleteWebhook = {
  id: "deleteWebhook",
  performs: "delete-webhook",
  method: "DELETE",
  path: "/webhooks/{webhook}",
  tag: "Webhooks",
  summary: "Delete a webhook subscription",
  description:
    "Deliveries to its endpoint stop immediately. An ID that belongs to another team or is already deleted returns 403.",
  params: webhookParams,
  responses: {
    200: { description: "The subscription is deleted.", body: Type.Object({ message: Type.String(), mock }) },
  },
  errors: [],
  example: { params: { webhook: ids.webhook }, response: { message: "Webhook deleted.", mock: false } },
} as const satisfies RestOperation;

export const listWebhookEvents = {
  id: "listWebhookEvents",
  performs: "list-webhook-events",
  method: "GET",
  path: "/webhooks/events",
  tag: "Webhooks",
  summary: "List events",
  description: "Every event you can subscribe to, with a label and a description.",
  responses: {
    200: { description: "The events.", body: Type.Object({ data: Type.Array(EventDescriptor) }) },
  },
  errors: [],
  example: { response: { data: eventDescriptors.slice(0, 2) } },
} as const satisfies RestOperation;
