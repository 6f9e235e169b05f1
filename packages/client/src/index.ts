/** The typed client of the Frontdesk REST API, and the verification of Frontdesk's deliveries. */
export type { Client, ClientOptions, Input, OperationId, Output } from "./create-client.ts";
export { createClient } from "./create-client.ts";
export { eachItem } from "./each-item.ts";
export { FrontdeskError } from "./frontdesk-error.ts";
export type { CallOptions } from "./send-request.ts";
export type { WebhookEvent, WebhookHeaders, WebhookRequest } from "./verify-webhook.ts";
export { verifyWebhook } from "./verify-webhook.ts";
export type { WebhookVerificationCode } from "./webhook-verification-error.ts";
export { WebhookVerificationError } from "./webhook-verification-error.ts";
