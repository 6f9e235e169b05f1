/** The typed client of the Frontdesk REST API. */
export type { Client, ClientOptions, Input, Output } from "./create-client.ts";
export { createClient } from "./create-client.ts";
export { eachItem } from "./each-item.ts";
export { FrontdeskError } from "./frontdesk-error.ts";
export type { OperationId } from "./routes.ts";
export type { CallOptions } from "./send-request.ts";
