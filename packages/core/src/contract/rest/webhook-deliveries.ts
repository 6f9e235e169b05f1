/**
 * The REST operations on the deliveries of a subscription: its log, replays, test events, and new signing secrets.
 * All of them are ours (decision 16): the spec leaves the log to the dashboard.
 */
import { Type } from "typebox";
import { deliveryStates } from "../../domain/delivery-state.ts";
import { eventNames } from "../events.ts";
import { delivery, deliveryWithAttempts, ids, listOfOne, moments, subscription, webhook } from "../examples.ts";
import { choice, idOf, pageQuery } from "../fields.ts";
import type { RestOperation } from "../operation.ts";
import {
  listOf,
  messageAndDataOf,
  mock,
  RotatedWebhook,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryLog,
} from "../resources.ts";

const webhookParams = Type.Object({ webhook: idOf("the subscription") });
const deliveryParams = Type.Object({
  webhook: idOf("the subscription"),
  delivery: Type.String({ description: "The ID of the event. Starts with `evt_`." }),
});

/** A path of ours for the owner of a webhook: an id of another team answers 403 (decision 24). */
const foreign = "An ID of another team returns 403.";

export const listWebhookDeliveries = {
  id: "listWebhookDeliveries",
  performs: "list-webhook-deliveries",
  method: "GET",
  path: "/webhooks/{webhook}/deliveries",
  tag: "Webhooks",
  summary: "List deliveries",
  description: `Sent and pending deliveries of a subscription, newest event first. ${foreign}`,
  params: webhookParams,
  query: Type.Object({
    state: Type.Optional(choice(deliveryStates, { description: "Only deliveries in this state." })),
    event: Type.Optional(choice(eventNames, { description: "Only deliveries of this event." })),
    ...pageQuery({ default: 20, max: 100 }),
  }),
  responses: { 200: { description: "A page of deliveries.", body: listOf(WebhookDelivery) } },
  errors: [422],
  example: {
    params: { webhook: ids.webhook },
    query: { event: "message.received", page: 1, limit: 20 },
    response: listOfOne(`/webhooks/${ids.webhook}/deliveries`, delivery, 20),
  },
} as const satisfies RestOperation;

export const getWebhookDelivery = {
  id: "getWebhookDelivery",
  performs: "get-webhook-delivery",
  method: "GET",
  path: "/webhooks/{webhook}/deliveries/{delivery}",
  tag: "Webhooks",
  summary: "Get a delivery with its attempts",
  description: `One delivery with every attempt: the request, the response, the duration and the error. Signatures are not included. The key also needs the scope of the event. An unknown delivery returns 404. ${foreign}`,
  params: deliveryParams,
  responses: { 200: { description: "The delivery.", body: Type.Object({ data: WebhookDeliveryLog }) } },
  errors: [404],
  example: {
    params: { webhook: ids.webhook, delivery: delivery.id },
    response: { data: deliveryWithAttempts },
  },
} as const satisfies RestOperation;

export const replayWebhookDelivery = {
  id: "replayWebhookDelivery",
  performs: "replay-webhook-delivery",
  method: "POST",
  path: "/webhooks/{webhook}/deliveries/{delivery}/replay",
  tag: "Webhooks",
  summary: "Resend a delivery",
  description: `Queues a finished delivery again, with the same event ID and the same bytes, starting at attempt 1. A delivery in progress is left as it is. The key also needs the scope of the event. The subscription must be active (422). An unknown delivery returns 404, and one about an erased contact 409. ${foreign}`,
  params: deliveryParams,
  responses: { 200: { description: "The delivery, queued.", body: messageAndDataOf(WebhookDelivery) } },
  errors: [404, 409, 422],
  example: {
    params: { webhook: ids.webhook, delivery: delivery.id },
    response: {
      message: "The delivery is queued for resending.",
      data: { ...delivery, attributes: { ...delivery.attributes, state: "waiting", attempt: 1, ended_at: null } },
    },
  },
} as const satisfies RestOperation;

export const replayFailedWebhookDeliveries = {
  id: "replayFailedWebhookDeliveries",
  performs: "replay-failed-webhook-deliveries",
  method: "POST",
  path: "/webhooks/{webhook}/replay",
  tag: "Webhooks",
  summary: "Resend all failed deliveries",
  description: `Queues all failed or stopped deliveries of events since a given time again, for example after an outage of the endpoint. Those about erased contacts are left out. The key also needs the scopes of all these events. The subscription must be active (422). ${foreign}`,
  params: webhookParams,
  body: Type.Object({
    since: Type.String({ format: "date-time", description: "Events that happened at this time or later, ISO 8601." }),
  }),
  responses: {
    200: {
      description: "The number of queued deliveries.",
      body: Type.Object({ message: Type.String(), replayed: Type.Integer({ minimum: 0 }) }),
    },
  },
  errors: [422],
  example: {
    params: { webhook: ids.webhook },
    body: { since: moments.arrived },
    response: { message: "12 deliveries are queued for resending.", replayed: 12 },
  },
} as const satisfies RestOperation;

export const testWebhook = {
  id: "testWebhook",
  performs: "test-webhook",
  method: "POST",
  path: "/webhooks/{webhook}/test",
  tag: "Webhooks",
  summary: "Send a test event",
  description: `Sends an example of one of its events to the subscription, signed like any other, in a single attempt. The result appears in the log. \`event\` defaults to the subscription's first event. The key also needs the scope of the event. The subscription must be active (422). ${foreign}`,
  params: webhookParams,
  query: Type.Object({ event: Type.Optional(choice(eventNames, { description: "The event to send." })) }),
  responses: { 200: { description: "The delivery, queued.", body: messageAndDataOf(WebhookDelivery) } },
  errors: [422],
  example: {
    params: { webhook: ids.webhook },
    query: { event: "message.received" },
    response: {
      message: "A test event is on its way.",
      data: {
        ...delivery,
        attributes: { ...delivery.attributes, state: "waiting", max_attempts: 1, ended_at: null, last_attempt: null },
      },
    },
  },
} as const satisfies RestOperation;

const rotated = {
  ...webhook,
  attributes: [
    {
      ...subscription,
      created_at: moments.widgetMade,
      updated_at: moments.answered,
      signing_secret: "whsec_an-example-not-a-real-secret",
      takes_over_at: "2026-09-15T09:28:31.007Z",
    },
  ],
};

export const rotateWebhookSecret = {
  id: "rotateWebhookSecret",
  performs: "rotate-webhook-secret",
  method: "POST",
  path: "/webhooks/{webhook}/rotate",
  tag: "Webhooks",
  summary: "Rotate the signing secret",
  description: `Creates a new secret, shown only in this response. For 24 hours, \`X-Service-Signature\` is still signed with the old secret and \`X-Service-Signature-Next\` with the new one. After that, only the new secret is used. A repeated request creates another new secret and discards the previous new one. The key also needs the scopes of the subscription's events. ${foreign}`,
  params: webhookParams,
  responses: {
    200: {
      description: "The subscription with its new secret.",
      body: Type.Object({ message: Type.String(), data: RotatedWebhook, mock }),
    },
  },
  errors: [422],
  retrySafe: true,
  example: {
    params: { webhook: ids.webhook },
    response: { message: "The new signing secret becomes active in 24 hours.", data: rotated, mock: false },
  },
} as const satisfies RestOperation;

export const activateWebhookSecret = {
  id: "activateWebhookSecret",
  performs: "activate-webhook-secret",
  method: "POST",
  path: "/webhooks/{webhook}/rotate/activate",
  tag: "Webhooks",
  summary: "Activate the new signing secret now",
  description: `Ends the overlap of a rotation: from now on, only the new secret is used. If there is no new secret to activate, returns 422. ${foreign}`,
  params: webhookParams,
  responses: {
    200: {
      description: "The subscription.",
      body: Type.Object({ message: Type.String(), data: Webhook, mock }),
    },
  },
  errors: [422],
  example: {
    params: { webhook: ids.webhook },
    response: { message: "The new signing secret is active.", data: webhook, mock: false },
  },
} as const satisfies RestOperation;
