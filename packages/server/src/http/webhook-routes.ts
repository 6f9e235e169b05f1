import { rest } from "@frontdesk/core/contract";
import { createWebhook } from "../webhooks/create-webhook.ts";
import { deleteWebhook } from "../webhooks/delete-webhook.ts";
import { getWebhook } from "../webhooks/get-webhook.ts";
import { listWebhookEvents } from "../webhooks/list-webhook-events.ts";
import { listWebhooks } from "../webhooks/list-webhooks.ts";
import { presentCreatedWebhook, presentWebhook } from "../webhooks/present-webhook.ts";
import { updateWebhook } from "../webhooks/update-webhook.ts";
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
];
