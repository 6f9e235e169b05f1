import { rest } from "@frontdesk/core/contract";
import { createWebhook } from "../../webhooks/create-webhook.ts";
import { deleteWebhook } from "../../webhooks/delete-webhook.ts";
import { getDelivery } from "../../webhooks/get-delivery.ts";
import { getWebhook } from "../../webhooks/get-webhook.ts";
import { listDeliveries } from "../../webhooks/list-deliveries.ts";
import { listWebhookEvents } from "../../webhooks/list-webhook-events.ts";
import { listWebhooks } from "../../webhooks/list-webhooks.ts";
import { presentDelivery, presentDeliveryLog } from "../../webhooks/present-delivery.ts";
import { presentCreatedWebhook, presentRotatedWebhook, presentWebhook } from "../../webhooks/present-webhook.ts";
import { replayDelivery, replayFailedDeliveries } from "../../webhooks/replay-delivery.ts";
import { activateWebhookSecret, rotateWebhookSecret } from "../../webhooks/rotate-webhook-secret.ts";
import { testWebhook } from "../../webhooks/test-webhook.ts";
import { updateWebhook } from "../../webhooks/update-webhook.ts";
import { listBody, pageOf } from "./list-body.ts";
import { endpoint } from "./rest-endpoint.ts";

/** Decision 14. */
const mock = false;

export const webhookRoutes = [
  endpoint(
    rest.listWebhooks,
    listWebhooks,
    ({ query }) => pageOf(query),
    (listed, { url, query }) => listBody(url, pageOf(query), listed, presentWebhook),
  ),
  endpoint(
    rest.createWebhook,
    createWebhook,
    ({ body }) => ({
      endpointUrl: body.endpoint_url,
      events: body.events,
      name: body.name,
      isActive: body.is_active ?? true,
    }),
    ({ webhook, signingSecret }) => ({
      message: "Webhook created.",
      data: presentCreatedWebhook(webhook, signingSecret),
      mock,
    }),
  ),
  endpoint(
    rest.listWebhookEvents,
    listWebhookEvents,
    () => ({}),
    (events) => ({ data: [...events] }),
  ),
  endpoint(
    rest.getWebhook,
    getWebhook,
    ({ params }) => ({ webhookId: params.webhook }),
    (webhook) => ({ data: presentWebhook(webhook), mock }),
  ),
  endpoint(
    rest.updateWebhook,
    updateWebhook,
    ({ params, body }) => ({
      webhookId: params.webhook,
      change: { name: body.name, endpointUrl: body.endpoint_url, isActive: body.is_active, events: body.events },
    }),
    (webhook) => ({ message: "Webhook updated.", data: presentWebhook(webhook), mock }),
  ),
  endpoint(
    rest.deleteWebhook,
    deleteWebhook,
    ({ params }) => ({ webhookId: params.webhook }),
    () => ({ message: "Webhook deleted.", mock }),
  ),
  endpoint(
    rest.rotateWebhookSecret,
    rotateWebhookSecret,
    ({ params }) => ({ webhookId: params.webhook }),
    ({ webhook, signingSecret, takesOverAt }) => ({
      message: "The new signing secret becomes active in 24 hours.",
      data: presentRotatedWebhook(webhook, signingSecret, takesOverAt),
      mock,
    }),
  ),
  endpoint(
    rest.activateWebhookSecret,
    activateWebhookSecret,
    ({ params }) => ({ webhookId: params.webhook }),
    (webhook) => ({ message: "The new signing secret is active.", data: presentWebhook(webhook), mock }),
  ),
  endpoint(
    rest.testWebhook,
    testWebhook,
    ({ params, query }) => ({ webhookId: params.webhook, event: query.event }),
    (delivery) => ({
      message: "A test event is on its way.",
      data: presentDelivery({ delivery, lastAttempt: undefined }),
    }),
  ),
  endpoint(
    rest.listWebhookDeliveries,
    listDeliveries,
    ({ params, query }) => ({
      webhookId: params.webhook,
      state: query.state,
      event: query.event,
      ...pageOf(query),
    }),
    (listed, { url, query }) => listBody(url, pageOf(query), listed, presentDelivery),
  ),
  endpoint(
    rest.getWebhookDelivery,
    getDelivery,
    ({ params }) => ({ webhookId: params.webhook, eventId: params.delivery }),
    (found) => ({ data: presentDeliveryLog(found) }),
  ),
  endpoint(
    rest.replayWebhookDelivery,
    replayDelivery,
    ({ params }) => ({ webhookId: params.webhook, eventId: params.delivery }),
    (delivery) => ({
      message: "The delivery is queued for resending.",
      data: presentDelivery({ delivery, lastAttempt: undefined }),
    }),
  ),
  endpoint(
    rest.replayFailedWebhookDeliveries,
    replayFailedDeliveries,
    ({ params, body }) => ({ webhookId: params.webhook, since: Date.parse(body.since) }),
    (replayed) => ({
      message:
        replayed === 1 ? "One delivery is queued for resending." : `${replayed} deliveries are queued for resending.`,
      replayed,
    }),
  ),
];
