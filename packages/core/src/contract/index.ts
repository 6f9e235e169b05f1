/**
 * The contract: one catalogue for validation, serialisation, types, OpenAPI and the reference pages.
 * The building blocks of schemas (`fields.ts`) are not exported; only the bounds that others need are.
 */
export * from "./assistant-permission-list.ts";
export * from "./choose-fields.ts";
export * from "./errors.ts";
export * from "./events.ts";
export {
  ATTACHMENTS_MAX,
  CONTENT_MAX,
  EMAIL_MAX,
  ENDPOINT_URL_PATTERN,
  NAME_MAX,
  PHONE_PATTERN,
  SEARCH_MAX,
  URL_MAX,
  WEB_URL_PATTERN,
} from "./fields.ts";
export * from "./idempotency-key.ts";
export * from "./openapi.ts";
export * from "./operation.ts";
export * from "./privacy-settings.ts";
export * from "./resources.ts";
export * from "./rest.ts";
export * from "./tool.ts";
export * from "./tool-list.ts";
export * from "./tool-resources.ts";
export * from "./tools.ts";
