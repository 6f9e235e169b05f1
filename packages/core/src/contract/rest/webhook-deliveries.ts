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
const foreign = "An id that is not the team's answers 403.";

export const listWebhookDeliveries = {
  id: "listWebhookDeliveries",
  performs: "list-webhook-deliveries",
  method: "GET",
  path: "/webhooks/{webhook}/deliveries",
  tag: "Webhooks",
  summary: "List deliveries",
  description: `What was sent to a subscription, or is to be sent, newest event first. ${foreign}`,
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
  description: `One delivery with every attempt: what was sent, what came back, how long it took, what went wrong. Signatures are not shown. A key needs the scope of the event besides. A delivery that is not there answers 404. ${foreign}`,
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
  description: `Queues a delivery that has ended once more, with the same event id and the same bytes, from attempt 1. One that is on its way already is left as it is. A key needs the scope of the event besides. The subscription must be active (422). A delivery that is not there answers 404. ${foreign}`,
  params: deliveryParams,
  responses: { 200: { description: "The delivery, queued.", body: messageAndDataOf(WebhookDelivery) } },
  errors: [404, 422],
  example: {
    params: { webhook: ids.webhook, delivery: delivery.id },
    response: {
      message: "The delivery is queued again.",
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
  description: `Queues every delivery once more that failed or was stopped, of the events since a time: after an outage of the endpoint nothing has to be looked for. A key needs the scopes of all these events besides. The subscription must be active (422). ${foreign}`,
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
    response: { message: "12 deliveries are queued again.", replayed: 12 },
  },
} as const satisfies RestOperation;

export const testWebhook = {
  id: "testWebhook",
  performs: "test-webhook",
  method: "POST",
  path: "/webhooks/{webhook}/test",
  tag: "Webhooks",
  summary: "Send a test event",
  description: `Sends an example of one of its events to the subscription, signed like every other, in one attempt; how it went stands in the log. \`event\` is the first of the subscription's own when left out. A key needs the scope of the event besides. The subscription must be active (422). ${foreign}`,
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
  description: `Makes a new secret, shown in this answer only. For 24 hours \`X-Service-Signature\` stays signed with the old one and \`X-Service-Signature-Next\` is signed with the new one; then the new one takes over. A repeat makes another new secret, and the one before it is forgotten. A key needs the scopes of the subscription's events besides. ${foreign}`,
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
    response: { message: "The new signing secret takes over in 24 hours.", data: rotated, mock: false },
  },
} as const satisfies RestOperation;

export const activateWebhookSecret = {
  id: "activateWebhookSecret",
  performs: "activate-webhook-secret",
  method: "POST",
  path: "/webhooks/{webhook}/rotate/activate",
  tag: "Webhooks",
  summary: "Activate the new signing secret now",
  description: `Ends the overlap of a rotation: from now on only the new secret signs. Without a new secret that waits, 422. ${foreign}`,
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
    response: { message: "The new signing secret has taken over.", data: webhook, mock: false },
  },
} as const satisfies RestOperation;
