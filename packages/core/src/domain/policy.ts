/**
 * Who may do what: one row an operation, read by `perform` before anything runs, by the OpenAPI document
 * (the scope a key needs) and, later, by the dashboard and the assistant tools, which ask the same table.
 *
 * A column is a kind of actor; an actor whose column is missing from a row may not perform it.
 * The system (command line, background jobs) may perform everything.
 */

import type { AssistantPermission } from "./assistant-permissions.ts";

/** What an API key may be allowed to do; a key carries a set of these (decision 29). */
export const apiKeyScopes = [
  "widgets:read",
  "contacts:read",
  "contacts:write",
  "conversations:read",
  "conversations:write",
  "agents:read",
  "agents:write",
  "webhooks:read",
  "webhooks:write",
  "assistants:read",
  "assistants:write",
  "knowledge:read",
  "knowledge:write",
] as const;

export type ApiKeyScope = (typeof apiKeyScopes)[number];

export interface PolicyRow {
  /** The scope an API key needs. */
  apiKey?: ApiKeyScope;
  /** The permissions of an assistant connection, one of which it needs. */
  assistant?: readonly AssistantPermission[];
  /** Whether visitors may, each for themselves. */
  visitor?: true;
}

export const policy = {
  "list-widgets": { apiKey: "widgets:read" },
  "list-contacts": { apiKey: "contacts:read" },
  "get-contact": { apiKey: "contacts:read", assistant: ["read_visitor_details"] },
  "update-contact": { apiKey: "contacts:write" },
  "initialize-contact": { apiKey: "contacts:write" },
  "list-conversations": { apiKey: "conversations:read" },
  "receive-visitor-message": { apiKey: "conversations:write" },
  "send-visitor-message": { visitor: true },
  "open-chat": { visitor: true },
  "see-messages": { visitor: true },
  "read-log": {},
  "note-presence": {},
  "note-page-visit": {},
  "end-left-presence": {},
  "tell-who-types": {},
  "list-messages": { apiKey: "conversations:read" },
  "browse-conversations": { assistant: ["read_conversations"] },
  "open-conversation": { assistant: ["read_conversations"] },
  "read-messages": { assistant: ["read_conversation_messages"] },
  "search-conversations": { assistant: ["read_conversations"] },
  "find-contacts": { assistant: ["search_contacts"] },
  "request-handoff": { assistant: ["request_human_handoff"] },
  "return-to-assistant": {},
  "set-conversation-status": {
    apiKey: "conversations:write",
    assistant: ["resolve_conversations", "unresolve_conversations"],
  },
  "send-message": { apiKey: "conversations:write", assistant: ["send_replies"] },
  "add-note": { assistant: ["add_notes"] },
  "assign-agent": { apiKey: "conversations:write", assistant: ["assign_conversations"] },
  "unassign-agent": { apiKey: "conversations:write" },
  "list-tags": { apiKey: "conversations:read", assistant: ["view_tags"] },
  "add-tag": { apiKey: "conversations:write", assistant: ["add_tags"] },
  "remove-tag": { apiKey: "conversations:write", assistant: ["remove_tags"] },
  "list-custom-fields": { apiKey: "contacts:read", assistant: ["view_custom_fields"] },
  "list-custom-data": { apiKey: "contacts:read" },
  "set-custom-data": { apiKey: "contacts:write", assistant: ["add_custom_data", "update_custom_data"] },
  "remove-custom-data": { apiKey: "contacts:write", assistant: ["remove_custom_data"] },
  "list-articles": { apiKey: "knowledge:read" },
  "get-article": { apiKey: "knowledge:read" },
  "search-articles": { assistant: ["search_knowledge_base"] },
  "add-article": { apiKey: "knowledge:write" },
  "update-article": { apiKey: "knowledge:write" },
  "remove-article": { apiKey: "knowledge:write" },
  "list-agents": { apiKey: "agents:read" },
  "find-agents": { assistant: ["assign_conversations"] },
  "get-agent": { apiKey: "agents:read" },
  "invite-agents": { apiKey: "agents:write" },
  "list-webhooks": { apiKey: "webhooks:read" },
  "get-webhook": { apiKey: "webhooks:read" },
  "list-webhook-events": { apiKey: "webhooks:read" },
  "create-webhook": { apiKey: "webhooks:write" },
  "update-webhook": { apiKey: "webhooks:write" },
  "delete-webhook": { apiKey: "webhooks:write" },
  "rotate-webhook-secret": { apiKey: "webhooks:write" },
  "activate-webhook-secret": { apiKey: "webhooks:write" },
  "test-webhook": { apiKey: "webhooks:write" },
  "list-webhook-deliveries": { apiKey: "webhooks:read" },
  "get-webhook-delivery": { apiKey: "webhooks:read" },
  "replay-webhook-delivery": { apiKey: "webhooks:write" },
  "replay-failed-webhook-deliveries": { apiKey: "webhooks:write" },
  "get-setup-state": {},
  "setup-team": {},
  "create-team": {},
  "get-team": {},
  "update-team": {},
  "create-api-key": {},
  "list-api-keys": {},
  "revoke-api-key": {},
  "list-assistants": { apiKey: "assistants:read" },
  "get-assistant": { apiKey: "assistants:read" },
  "list-assistant-permissions": { apiKey: "assistants:read" },
  "create-assistant": { apiKey: "assistants:write" },
  "update-assistant": { apiKey: "assistants:write" },
  "set-assistant-state": { apiKey: "assistants:write" },
  "renew-assistant-token": { apiKey: "assistants:write" },
  "list-tool-calls": { apiKey: "assistants:read" },
  "list-queued-changes": { apiKey: "assistants:read" },
  "log-tool-calls": {},
  "create-agent": {},
  "create-widget": {},
  "show-widget": {},
  "update-widget-settings": {},
  "get-invitation": {},
  "accept-invitation": {},
} as const satisfies Record<string, PolicyRow>;

export type OperationName = keyof typeof policy;

/** The row of an operation, every column of it optional. */
export const policyOf = (name: OperationName): PolicyRow => policy[name];

/**
 * What a key needs besides `assistants:write` to give an assistant a permission: the scopes with which it could do the same
 * itself. Otherwise a key that may only write assistants could read every conversation by way of one (decision A48).
 */
export const scopesToGrant = {
  read_conversations: ["conversations:read"],
  read_conversation_messages: ["conversations:read"],
  read_visitor_details: ["contacts:read"],
  search_contacts: ["contacts:read"],
  search_knowledge_base: ["knowledge:read"],
  view_tags: ["conversations:read"],
  view_custom_fields: ["contacts:read"],
  assign_conversations: ["conversations:write", "agents:read"],
  send_replies: ["conversations:write"],
  resolve_conversations: ["conversations:write"],
  unresolve_conversations: ["conversations:write"],
  add_notes: ["conversations:write"],
  add_tags: ["conversations:write"],
  remove_tags: ["conversations:write"],
  add_custom_data: ["contacts:write"],
  update_custom_data: ["contacts:write"],
  remove_custom_data: ["contacts:write"],
  request_human_handoff: ["conversations:write"],
} as const satisfies Record<AssistantPermission, readonly ApiKeyScope[]>;

/** The scopes that are missing from `scopes` to give all of `permissions`, each once. */
export function scopesMissingToGrant(
  permissions: readonly AssistantPermission[],
  scopes: readonly ApiKeyScope[],
): ApiKeyScope[] {
  const needed = new Set<ApiKeyScope>(permissions.flatMap((permission) => scopesToGrant[permission]));
  return apiKeyScopes.filter((scope) => needed.has(scope) && !scopes.includes(scope));
}
