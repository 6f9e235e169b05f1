/**
 * Where each operation lives: all that the client needs of the contract while it runs, without the schemas and their library.
 * The compiler holds it equal to the catalogue: a method, a path or a mark that differs does not compile.
 */
import type { rest } from "@frontdesk/core/contract/rest";

type Catalogue = typeof rest;

type RouteOf<O> = O extends { method: infer M; path: infer P }
  ? { method: M; path: P } & (O extends { retrySafe: true } ? { retrySafe: true } : { retrySafe?: never }) &
      (O extends { content: "file" } ? { content: "file" } : { content?: never })
  : never;

export const routes = {
  listWidgets: { method: "GET", path: "/widgets" },
  createWidget: { method: "POST", path: "/widgets", retrySafe: true },
  getWidget: { method: "GET", path: "/widgets/{widget}" },
  updateWidget: { method: "PATCH", path: "/widgets/{widget}" },
  makeIdentitySecret: { method: "POST", path: "/widgets/{widget}/identity-secret", retrySafe: true },
  listContacts: { method: "GET", path: "/contacts" },
  getContact: { method: "GET", path: "/contacts/{id}" },
  updateContact: { method: "PUT", path: "/contacts/{id}" },
  initializeContact: { method: "POST", path: "/contacts/initialize", retrySafe: true },
  listConversations: { method: "GET", path: "/conversations/all" },
  sendVisitorMessage: { method: "POST", path: "/conversations", retrySafe: true },
  setConversationStatus: { method: "POST", path: "/conversations/{conversation_id}/resolve" },
  readConversation: { method: "POST", path: "/conversations/{conversation_id}/read" },
  markConversationUnread: { method: "POST", path: "/conversations/{conversation_id}/unread" },
  listMessages: { method: "GET", path: "/conversations/{conversation_id}/messages" },
  createMessage: { method: "POST", path: "/messages", retrySafe: true },
  uploadFile: { method: "POST", path: "/files", content: "file" },
  listAgents: { method: "GET", path: "/agents" },
  getAgent: { method: "GET", path: "/agents/{id}" },
  inviteAgents: { method: "POST", path: "/agents/invite", retrySafe: true },
  listWebhooks: { method: "GET", path: "/webhooks" },
  createWebhook: { method: "POST", path: "/webhooks", retrySafe: true },
  listWebhookEvents: { method: "GET", path: "/webhooks/events" },
  getWebhook: { method: "GET", path: "/webhooks/{webhook}" },
  updateWebhook: { method: "PATCH", path: "/webhooks/{webhook}" },
  deleteWebhook: { method: "DELETE", path: "/webhooks/{webhook}" },
  rotateWebhookSecret: { method: "POST", path: "/webhooks/{webhook}/rotate", retrySafe: true },
  activateWebhookSecret: { method: "POST", path: "/webhooks/{webhook}/rotate/activate" },
  testWebhook: { method: "POST", path: "/webhooks/{webhook}/test" },
  listWebhookDeliveries: { method: "GET", path: "/webhooks/{webhook}/deliveries" },
  getWebhookDelivery: { method: "GET", path: "/webhooks/{webhook}/deliveries/{delivery}" },
  replayWebhookDelivery: { method: "POST", path: "/webhooks/{webhook}/deliveries/{delivery}/replay" },
  replayFailedWebhookDeliveries: { method: "POST", path: "/webhooks/{webhook}/replay" },
  listAssistants: { method: "GET", path: "/assistants" },
  createAssistant: { method: "POST", path: "/assistants", retrySafe: true },
  listAssistantPermissions: { method: "GET", path: "/assistants/permissions" },
  getAssistant: { method: "GET", path: "/assistants/{assistant}" },
  updateAssistant: { method: "PATCH", path: "/assistants/{assistant}" },
  pauseAssistant: { method: "POST", path: "/assistants/{assistant}/pause" },
  resumeAssistant: { method: "POST", path: "/assistants/{assistant}/resume" },
  revokeAssistant: { method: "POST", path: "/assistants/{assistant}/revoke" },
  renewAssistantToken: { method: "POST", path: "/assistants/{assistant}/token", retrySafe: true },
  listAssistantCalls: { method: "GET", path: "/assistants/{assistant}/calls" },
  listAssistantQueuedChanges: { method: "GET", path: "/assistants/{assistant}/queued-changes" },
  listArticles: { method: "GET", path: "/articles" },
  createArticle: { method: "POST", path: "/articles", retrySafe: true },
  getArticle: { method: "GET", path: "/articles/{article}" },
  updateArticle: { method: "PATCH", path: "/articles/{article}" },
  deleteArticle: { method: "DELETE", path: "/articles/{article}" },
  listTags: { method: "GET", path: "/tags" },
  addTag: { method: "POST", path: "/conversations/{conversation_id}/tags" },
  removeTag: { method: "DELETE", path: "/conversations/{conversation_id}/tags/{name}" },
  assignAgent: { method: "POST", path: "/conversations/{conversation_id}/assignments" },
  unassignAgent: { method: "DELETE", path: "/conversations/{conversation_id}/assignments/{agent_id}" },
  listCustomFields: { method: "GET", path: "/custom-fields" },
  listContactCustomData: { method: "GET", path: "/contacts/{id}/custom-data" },
  setCustomData: { method: "PUT", path: "/contacts/{id}/custom-data/{name}" },
  removeCustomData: { method: "DELETE", path: "/contacts/{id}/custom-data/{name}" },
} as const satisfies { [Id in keyof Catalogue]: RouteOf<Catalogue[Id]> };

export type OperationId = keyof Catalogue;

/** A route as the request maker reads it. */
export interface Route {
  readonly method: string;
  readonly path: string;
  /** Accepts `Idempotency-Key`, so that sending it again does nothing again. */
  readonly retrySafe?: true;
  /** The body is the content of a file instead of JSON. */
  readonly content?: "file";
}
