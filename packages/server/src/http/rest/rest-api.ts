import { openApiDocument } from "@frontdesk/core/contract";
import { apis } from "@frontdesk/core/contract/apis";
import type { FastifyInstance } from "fastify";
import { VERSION } from "../../version.ts";
import { agentRoutes } from "./agent-routes.ts";
import { aiRoutes } from "./ai-routes.ts";
import { articleRoutes } from "./article-routes.ts";
import { assignmentRoutes } from "./assignment-routes.ts";
import { assistantRoutes } from "./assistant-routes.ts";
import { channelRoutes } from "./channel-routes.ts";
import { contactRoutes } from "./contact-routes.ts";
import { conversationRoutes } from "./conversation-routes.ts";
import { copilotRoutes } from "./copilot-routes.ts";
import { customDataRoutes } from "./custom-data-routes.ts";
import { fileUploadRoutes } from "./file-upload-routes.ts";
import { messageRoutes } from "./message-routes.ts";
import { originalRoutes } from "./original-routes.ts";
import { privacyRoutes } from "./privacy-routes.ts";
import type { RestServices } from "./rest-endpoint.ts";
import { tagRoutes } from "./tag-routes.ts";
import { webhookRoutes } from "./webhook-routes.ts";
import { widgetRoutes } from "./widget-routes.ts";

/** The base path of the REST API (specification, "Versioning"). */
export const REST_PREFIX = apis.rest.prefix;

/** Every endpoint; a test compares them with the catalogue, one to one. */
export const endpoints = [
  ...widgetRoutes,
  ...contactRoutes,
  ...conversationRoutes,
  ...messageRoutes,
  ...originalRoutes,
  ...copilotRoutes,
  ...fileUploadRoutes,
  ...agentRoutes,
  ...channelRoutes,
  ...webhookRoutes,
  ...assistantRoutes,
  ...articleRoutes,
  ...tagRoutes,
  ...assignmentRoutes,
  ...customDataRoutes,
  ...privacyRoutes,
  ...aiRoutes,
];

/**
 * The same operations for agents signed in to the dashboard, with the session in place of a key
 * (docs/decisions/0025-signed-in-agents.md).
 */
export const SIGNED_IN_REST_PREFIX = apis["signed-in rest"].prefix;

/** All operations of the REST API, with the authentication in `services`. */
export async function restOperations(app: FastifyInstance, services: RestServices): Promise<void> {
  app.decorateRequest("idempotencyKey");
  for (const { register } of endpoints) register(app, services);
}

/** The REST API and the document that describes it. */
export async function restApi(app: FastifyInstance, services: RestServices): Promise<void> {
  await restOperations(app, services);

  let document: string | undefined;
  app.get("/openapi.json", async (_request, reply) => {
    document ??= JSON.stringify(
      openApiDocument({ serverUrl: `${services.publicUrl}${REST_PREFIX}`, version: VERSION }),
    );
    return reply.type("application/json; charset=utf-8").send(document);
  });
}
