/**
 * Who may do what: one row an operation, read by `perform` before anything runs, by the OpenAPI document (the scope a key
 * needs), by the assistant tools, and by the dashboard, which shows what the signed-in agent's role may do.
 *
 * A column is a kind of actor; an actor whose column is missing from a row may not perform it. The system (the operator's
 * command line, housekeeping) may perform everything.
 */

import { type AgentRole, canAct, isOfRank, type Rank } from "./agent.ts";
import { type AssistantPermission, assistantPermissionNames } from "./assistant-permissions.ts";

/** What an API key may be allowed to do; a key carries a set of these (decision 29). */
export const apiKeyScopes = [
  "widgets:read",
  "widgets:write",
  "contacts:read",
  "contacts:write",
  "conversations:read",
  "conversations:write",
  "agents:read",
  "agents:write",
  "channels:read",
  "channels:write",
  "webhooks:read",
  "webhooks:write",
  "assistants:read",
  "assistants:write",
  "knowledge:read",
  "knowledge:write",
  "privacy:write",
  "ai:read",
  "ai:write",
] as const;

export type ApiKeyScope = (typeof apiKeyScopes)[number];

export interface PolicyRow {
  /** The scope an API key needs. */
  apiKey?: ApiKeyScope;
  /** The scopes an API key needs in addition, because the answer gives it the power of these scopes as well. */
  apiKeyAlso?: readonly ApiKeyScope[];
  /** The permissions of an assistant connection; it needs one of them. */
  assistant?: readonly AssistantPermission[];
  /** Whether visitors may, each for themselves. */
  visitor?: true;
  /** Whether automations of a team may. */
  automation?: true;
  /** Whether accounts of channels may, with what they have received. */
  channel?: true;
  /** Whether the built-in AI may. */
  ai?: true;
  /** The lowest role of a signed-in agent who may. */
  agent?: Rank;
  /**
   * Whether signed-in agents need a recent proof of who they are: it gives power, reveals a secret, or deletes for good
   * (`domain/ways-in.ts`).
   */
  fresh?: true;
  /** Whether a session may that has to add a second factor first. */
  enrolment?: true;
  /** Whether it is in the audit log (docs/decisions/0025-signed-in-agents.md): settings, access, and sign-ins. */
  audited?: true;
}

export const policy = {
  "list-widgets": { apiKey: "widgets:read", agent: "member" },
  "get-widget": { apiKey: "widgets:read", agent: "member" },
  "create-widget": { apiKey: "widgets:write", agent: "admin", audited: true },
  "update-widget": { apiKey: "widgets:write", agent: "admin", audited: true },
  // A key that erases its conversations with it needs the scope of `erase-contact` as well.
  "remove-widget": { apiKey: "widgets:write", agent: "admin", fresh: true, audited: true },
  "count-widget-use": { agent: "admin" },
  // The holder of the secret can sign in as any visitor: read their chat, write in it, and change their details.
  "rotate-identity-secret": {
    apiKey: "widgets:write",
    apiKeyAlso: ["conversations:read", "conversations:write", "contacts:write"],
    agent: "admin",
    fresh: true,
    audited: true,
  },
  "list-contacts": { apiKey: "contacts:read", agent: "member" },
  "get-contact": { apiKey: "contacts:read", assistant: ["read_visitor_details"], agent: "member" },
  "update-contact": { apiKey: "contacts:write", agent: "member" },
  "initialize-contact": { apiKey: "contacts:write", agent: "member" },
  "list-conversations": { apiKey: "conversations:read", agent: "member" },
  "create-channel-account": {},
  "set-channel-account-state": {},
  "open-channel-account": {},
  "note-account-state": {},
  "receive-message": { channel: true },
  "is-mail-taken": { channel: true },
  "is-sent-reply": { channel: true },
  "start-mail-file": { channel: true },
  "take-mail": { channel: true },
  "next-mail": { channel: true },
  "import-more": { channel: true },
  "import-mail": { channel: true },
  "import-sent-mail": { channel: true },
  "note-mail-failed": { channel: true },
  "forget-old-spam": {},
  "mail-to-send": { channel: true },
  "keep-composed-mail": { channel: true },
  "mails-sent-of-day": { channel: true },
  "earlier-images": { channel: true },
  "try-account-again": {},
  "receive-visitor-message": { apiKey: "conversations:write", agent: "member" },
  "send-visitor-message": { visitor: true },
  "identify-visitor": { visitor: true },
  "start-upload": { apiKey: "conversations:write", visitor: true, agent: "member" },
  "finish-upload": {},
  "drop-upload": {},
  "open-file": {},
  "open-chat": { visitor: true },
  "see-messages": { visitor: true },
  "rate-conversation": { visitor: true },
  "end-snooze": {},
  "report-channel-trouble": {},
  "mail-replies": {},
  "fold-search-texts": {},
  "replies-to-mail": {},
  "note-replies-mailed": {},
  "read-log": {},
  "note-presence": {},
  "note-widget-seen": {},
  "end-left-presence": {},
  "get-presence-details": {},
  "list-messages": { apiKey: "conversations:read", agent: "member" },
  "open-original": { apiKey: "conversations:read", agent: "member" },
  "browse-conversations": { assistant: ["read_conversations"], agent: "member" },
  "open-conversation": { assistant: ["read_conversations"], agent: "member" },
  "read-messages": { assistant: ["read_conversation_messages"], ai: true, agent: "member" },
  "search-conversations": { assistant: ["read_conversations"], agent: "member" },
  "find-contacts": { assistant: ["search_contacts"], agent: "member" },
  "request-handoff": { assistant: ["request_human_handoff"], ai: true },
  "take-over": { apiKey: "conversations:write", agent: "member" },
  "ask-for-person": { visitor: true },
  "confirm-helped": { visitor: true },
  // The turns of the built-in AI.
  "open-ai-turn": {},
  "gather-ai-turn": {},
  "show-ai-draft": {},
  "find-passages": {},
  "reserve-ai-tokens": {},
  "settle-ai-call": {},
  "end-model-trouble": {},
  "end-ai-turn": { ai: true },
  "release-from-ai": {},
  "gather-handoff-summary": {},
  "note-handoff-summary": { ai: true },
  "resolve-ai-silence": {},
  // Vectors of articles.
  "open-embedding-model": {},
  "find-missing-vectors": {},
  "keep-vectors": {},
  "sweep-vectors": {},
  "read-vectors": {},
  "queue-embedding": {},
  "list-ai-runs": { apiKey: "ai:read", apiKeyAlso: ["conversations:read"], agent: "member" },
  "get-ai-run": { apiKey: "ai:read", apiKeyAlso: ["conversations:read"], agent: "member" },
  "return-to-assistant": { apiKey: "conversations:write", agent: "member" },
  "set-conversation-status": {
    apiKey: "conversations:write",
    assistant: ["resolve_conversations", "unresolve_conversations"],
    automation: true,
    ai: true,
    agent: "member",
  },
  "read-conversation": { apiKey: "conversations:write", agent: "member" },
  "mark-unread": { apiKey: "conversations:write", agent: "member" },
  "snooze-conversation": { apiKey: "conversations:write", automation: true, agent: "member" },
  "unsnooze-conversation": { apiKey: "conversations:write", automation: true, agent: "member" },
  // The answer contains the whole contact.
  "block-contact": { apiKey: "contacts:write", apiKeyAlso: ["contacts:read"], agent: "member" },
  "unblock-contact": { apiKey: "contacts:write", apiKeyAlso: ["contacts:read"], agent: "member" },
  "list-inbox": { apiKey: "conversations:read", agent: "member" },
  "count-inbox": { apiKey: "conversations:read", agent: "member" },
  // The answer contains everything known of the contact.
  "open-in-inbox": { apiKey: "conversations:read", apiKeyAlso: ["contacts:read"], agent: "member" },
  "open-contact": { apiKey: "contacts:read", agent: "member" },
  "read-thread": { apiKey: "conversations:read", agent: "member" },
  // Finds contacts who have not written, too.
  "search-inbox": { apiKey: "conversations:read", apiKeyAlso: ["contacts:read"], agent: "member" },
  // The answer contains the team's agents and widgets.
  "list-people": { apiKey: "conversations:read", apiKeyAlso: ["agents:read", "widgets:read"], agent: "member" },
  "send-from-inbox": { apiKey: "conversations:write", agent: "member" },
  // For people alone: to programs and assistants, spam does not exist.
  "list-spam": { agent: "member" },
  "open-spam": { agent: "member" },
  "mark-not-spam": { agent: "member" },
  "delete-spam": { agent: "member" },
  "list-held-mails": { agent: "member" },
  "list-automatic-mails": { agent: "member" },
  // For people alone: what a program sends is sent at once.
  "hold-reply": { agent: "member" },
  "undo-reply": { agent: "member" },
  "forward-from-inbox": { agent: "member" },
  "undo-forward": { agent: "member" },
  // By a timer, in the name of the agent.
  "send-held-reply": { agent: "member" },
  "return-held-reply": {},
  "read-in-inbox": { apiKey: "conversations:write", agent: "member" },
  "keep-draft": { apiKey: "conversations:write", agent: "member" },
  "drop-draft": { apiKey: "conversations:write", agent: "member" },
  "list-drafts": { apiKey: "conversations:read", agent: "member" },
  "list-canned-replies": { apiKey: "conversations:read", agent: "member" },
  "write-own-canned-replies": { apiKey: "conversations:write", agent: "member" },
  "write-team-canned-replies": { agent: "admin", audited: true },
  "list-saved-views": { apiKey: "conversations:read", agent: "member" },
  "write-saved-views": { apiKey: "conversations:write", agent: "member" },
  "get-preferences": { apiKey: "conversations:read", agent: "member" },
  "set-preferences": { apiKey: "conversations:write", agent: "member" },
  "send-message": {
    apiKey: "conversations:write",
    assistant: ["send_replies"],
    automation: true,
    ai: true,
    agent: "member",
  },
  // The copilot: what the model is asked for an agent.
  "draft-reply": { apiKey: "conversations:write", agent: "member" },
  "summarise-conversation": { apiKey: "conversations:write", agent: "member" },
  "suggest-tags": { apiKey: "conversations:write", agent: "member" },
  "rewrite-text": { apiKey: "conversations:write", agent: "member" },
  "start-mail-conversation": { apiKey: "conversations:write", agent: "member" },
  "send-again": { apiKey: "conversations:write", agent: "member" },
  "add-note": { assistant: ["add_notes"], automation: true, ai: true },
  "assign-agent": {
    apiKey: "conversations:write",
    assistant: ["assign_conversations"],
    automation: true,
    agent: "member",
  },
  "unassign-agent": { apiKey: "conversations:write", automation: true, agent: "member" },
  "list-tags": { apiKey: "conversations:read", assistant: ["view_tags"], agent: "member" },
  "add-tag": {
    apiKey: "conversations:write",
    assistant: ["add_tags"],
    automation: true,
    ai: true,
    agent: "member",
  },
  "remove-tag": {
    apiKey: "conversations:write",
    assistant: ["remove_tags"],
    automation: true,
    agent: "member",
  },
  "list-custom-fields": { apiKey: "contacts:read", assistant: ["view_custom_fields"], agent: "member" },
  "list-custom-data": { apiKey: "contacts:read", agent: "member" },
  "set-custom-data": {
    apiKey: "contacts:write",
    assistant: ["add_custom_data", "update_custom_data"],
    automation: true,
    agent: "member",
  },
  "remove-custom-data": { apiKey: "contacts:write", assistant: ["remove_custom_data"], agent: "member" },
  // Tags and custom fields themselves: their names and their existence.
  "list-tag-use": { agent: "admin" },
  "create-tag": { agent: "admin", audited: true },
  "update-tag": { agent: "admin", audited: true },
  "delete-tag": { agent: "admin", audited: true },
  "list-field-use": { agent: "admin" },
  "create-custom-field": { agent: "admin", audited: true },
  "update-custom-field": { agent: "admin", audited: true },
  "delete-custom-field": { agent: "admin", audited: true },
  "list-articles": { apiKey: "knowledge:read", agent: "member" },
  "get-article": { apiKey: "knowledge:read", agent: "member" },
  "search-articles": { assistant: ["search_knowledge_base"], ai: true, agent: "member" },
  "suggest-articles": { apiKey: "knowledge:read", agent: "member" },
  // By anyone, of a widget that suggests articles.
  "suggest-articles-to-visitor": {},
  "read-article-as-visitor": {},
  "add-article": { apiKey: "knowledge:write", agent: "member" },
  "update-article": { apiKey: "knowledge:write", agent: "member" },
  "remove-article": { apiKey: "knowledge:write", agent: "member" },
  "list-article-origins": { agent: "member" },
  "list-sites": { agent: "member" },
  "add-site": { agent: "admin", audited: true },
  "remove-site": { agent: "admin", audited: true },
  "read-site-again": { agent: "admin", audited: true },
  "import-article-file": { agent: "member" },
  "suggest-article": { agent: "member" },
  "add-suggested-article": { agent: "member" },
  "read-site": {},
  "begin-site-reading": {},
  "note-pages-found": {},
  "next-site-page": {},
  "note-site-page": {},
  "end-site-reading": {},
  "remove-site-pages": {},
  "list-agents": { apiKey: "agents:read", agent: "member" },
  "find-agents": { assistant: ["assign_conversations"], agent: "member" },
  "get-agent": { apiKey: "agents:read", agent: "member" },
  "invite-agents": { apiKey: "agents:write", agent: "admin", fresh: true, audited: true },
  "list-channels": { apiKey: "channels:read", agent: "member" },
  "get-channel": { apiKey: "channels:read", agent: "member" },
  "list-channel-reasons": { agent: "member" },
  "create-channel": { apiKey: "channels:write", agent: "admin", audited: true },
  "update-channel": { apiKey: "channels:write", agent: "admin", audited: true },
  "delete-channel": { apiKey: "channels:write", agent: "admin", audited: true },
  "list-suppressions": { apiKey: "channels:read", agent: "member" },
  "delete-suppression": { apiKey: "channels:write", agent: "admin", audited: true },
  "check-channel": { apiKey: "channels:write", agent: "admin" },
  "check-new-channel": { apiKey: "channels:write", agent: "admin" },
  "find-mail-servers": { agent: "admin" },
  "get-mailbox-use": { agent: "member" },
  "get-mailbox-sign-in-url": { agent: "admin" },
  "begin-mailbox-sign-in": { agent: "admin" },
  "take-mailbox-sign-in": { agent: "admin" },
  "end-mailbox-sign-in": { agent: "admin", audited: true },
  "list-webhooks": { apiKey: "webhooks:read", agent: "admin" },
  "get-webhook": { apiKey: "webhooks:read", agent: "admin" },
  "list-webhook-events": { apiKey: "webhooks:read", agent: "admin" },
  "create-webhook": { apiKey: "webhooks:write", agent: "admin", fresh: true, audited: true },
  "update-webhook": { apiKey: "webhooks:write", agent: "admin", fresh: true, audited: true },
  "delete-webhook": { apiKey: "webhooks:write", agent: "admin", audited: true },
  "rotate-webhook-secret": { apiKey: "webhooks:write", agent: "admin", fresh: true, audited: true },
  "activate-webhook-secret": { apiKey: "webhooks:write", agent: "admin", fresh: true, audited: true },
  "test-webhook": { apiKey: "webhooks:write", agent: "admin" },
  "list-webhook-deliveries": { apiKey: "webhooks:read", agent: "admin" },
  "get-webhook-delivery": { apiKey: "webhooks:read", agent: "admin" },
  "replay-webhook-delivery": { apiKey: "webhooks:write", agent: "admin" },
  "replay-failed-webhook-deliveries": { apiKey: "webhooks:write", agent: "admin" },
  "get-ai": { apiKey: "ai:read", agent: "admin" },
  "get-ai-report": { apiKey: "ai:read", agent: "admin" },
  "update-ai": { apiKey: "ai:write", agent: "admin", audited: true },
  "test-ai": { apiKey: "ai:write", agent: "admin" },
  "get-setup-state": {},
  "setup-team": { audited: true },
  "create-team": {},
  "get-team": { agent: "member" },
  "update-team": { agent: "owner", fresh: true, audited: true },
  "create-api-key": { agent: "admin", fresh: true, audited: true },
  "list-api-keys": { agent: "admin" },
  "revoke-api-key": { agent: "admin", audited: true },
  "list-assistants": { apiKey: "assistants:read", agent: "admin" },
  "get-assistant": { apiKey: "assistants:read", agent: "admin" },
  "list-assistant-permissions": { apiKey: "assistants:read", agent: "admin" },
  "create-assistant": { apiKey: "assistants:write", agent: "admin", fresh: true, audited: true },
  "update-assistant": { apiKey: "assistants:write", agent: "admin", audited: true },
  "set-assistant-state": { apiKey: "assistants:write", agent: "admin", audited: true },
  "renew-assistant-token": { apiKey: "assistants:write", agent: "admin", fresh: true, audited: true },
  // Members see whom to ask.
  "show-app-request": { agent: "member" },
  "connect-app": { agent: "admin", fresh: true, audited: true },
  "get-app-addresses": { agent: "admin" },
  // Their lines say that a code or token was used again.
  "exchange-code": { audited: true },
  "renew-app-tokens": { audited: true },
  "revoke-app-token": { audited: true },
  "list-tool-calls": { apiKey: "assistants:read", agent: "admin" },
  "list-queued-changes": { apiKey: "assistants:read", agent: "admin" },
  "log-tool-calls": {},
  "create-agent": { audited: true },
  "show-widget": { agent: "member" },
  "show-widget-look": { agent: "member" },
  "get-invitation": {},
  "accept-invitation": { audited: true },
  "rename-team": { agent: "admin", audited: true },
  "start-session": { audited: true },
  "verify-session": { agent: "member", enrolment: true, audited: true },
  "note-failed-sign-in": { audited: true },
  "finish-second-step": { audited: true },
  "find-passkey": {},
  "sign-in-with-passkey": { audited: true },
  "end-session": { agent: "member", enrolment: true, audited: true },
  "end-other-sessions": { agent: "member", audited: true },
  "list-sessions": { agent: "member" },
  "change-password": { agent: "member", fresh: true, audited: true },
  "request-password-reset": { agent: "admin", fresh: true, audited: true },
  "reset-password": { audited: true },
  "get-password-reset": {},
  "get-own-profile": { agent: "member", enrolment: true },
  "get-own-factors": { agent: "member", enrolment: true },
  "begin-app": { agent: "member", fresh: true, enrolment: true },
  "confirm-app": { agent: "member", fresh: true, enrolment: true, audited: true },
  "begin-passkey": { agent: "member", fresh: true, enrolment: true },
  "add-passkey": { agent: "member", fresh: true, enrolment: true, audited: true },
  "rename-passkey": { agent: "member" },
  "remove-factor": { agent: "member", fresh: true, audited: true },
  "renew-recovery-codes": { agent: "member", fresh: true, audited: true },
  "end-browser-trust": { agent: "member", audited: true },
  "remove-agent-factors": { agent: "admin", fresh: true, audited: true },
  "end-agent-sessions": { agent: "admin", fresh: true, audited: true },
  "get-sign-in-rules": { agent: "admin" },
  "list-agents-with-factor": { agent: "admin" },
  "update-sign-in-rules": { agent: "owner", fresh: true, audited: true },
  "update-own-profile": { agent: "member" },
  "set-agent-role": { agent: "admin", fresh: true, audited: true },
  "count-open-conversations": { agent: "admin" },
  "deactivate-agent": { agent: "admin", fresh: true, audited: true },
  // What deactivating has left to be done; the job is the system's.
  "hand-over-conversations": {},
  "remove-agent": { agent: "admin", fresh: true, audited: true },
  "reactivate-agent": { agent: "admin", fresh: true, audited: true },
  "renew-invitation": { agent: "admin", fresh: true, audited: true },
  "revoke-invitation": { agent: "admin", audited: true },
  "list-audit-log": { agent: "admin" },
  "get-sso-settings": { agent: "owner" },
  "create-sso-provider": { agent: "owner", fresh: true, audited: true },
  "update-sso-provider": { agent: "owner", fresh: true, audited: true },
  "delete-sso-provider": { agent: "owner", fresh: true, audited: true },
  "look-at-sso-provider": { agent: "owner" },
  "begin-sso-test": { agent: "owner" },
  "test-sso-provider": { agent: "owner" },
  "add-sso-domain": { agent: "owner" },
  "get-sso-domain": { agent: "owner" },
  "prove-sso-domain": { agent: "owner", fresh: true, audited: true },
  "remove-sso-domain": { agent: "owner", fresh: true, audited: true },
  "require-sso": { agent: "owner", fresh: true, audited: true },
  "set-break-glass": { agent: "owner", fresh: true, audited: true },
  // By the operator.
  "give-sso-domain": { audited: true },
  "turn-off-sso": { audited: true },
  "find-sso": {},
  "begin-sso": {},
  "open-sso-provider": {},
  "sign-in-by-sso": { audited: true },
  "refuse-sso": { audited: true },
  "end-sso-sessions": { audited: true },
  "list-own-sso": { agent: "member", enrolment: true },
  "begin-own-sso": { agent: "member", fresh: true },
  "begin-sso-proof": { agent: "member", enrolment: true },
  "verify-by-sso": { agent: "member", enrolment: true, audited: true },
  "link-own-sso": { agent: "member", audited: true },
  "unlink-own-sso": { agent: "member", fresh: true, audited: true },
  "erase-contact": { apiKey: "privacy:write", agent: "admin", fresh: true, audited: true },
  "erase-conversation": { apiKey: "privacy:write", agent: "admin", fresh: true, audited: true },
  "redact-message": { apiKey: "privacy:write", agent: "admin", audited: true },
  "get-erasure": { apiKey: "privacy:write", agent: "admin" },
  "erase-piece": {},
  "finish-erasure": {},
  "note-rows-erased": {},
  "resume-erasures": {},
  "get-retention": { apiKey: "privacy:write", agent: "admin" },
  "update-retention": { apiKey: "privacy:write", agent: "admin", fresh: true, audited: true },
  "preview-retention": { apiKey: "privacy:write", agent: "admin" },
  "apply-retention": {},
  "hide-due": {},
  "hide-contacts-of-widget": {},
  "end-retention-run": {},
  "list-holds": { agent: "admin" },
  "list-erasures": { agent: "admin" },
  "hold-contact": { apiKey: "privacy:write", agent: "admin", audited: true },
  "release-contact": { apiKey: "privacy:write", agent: "admin", audited: true },
  "export-contact": { apiKey: "privacy:write", agent: "admin", fresh: true, audited: true },
  "get-export": { apiKey: "privacy:write", agent: "admin" },
  "list-exports": { agent: "admin" },
  "open-export": { apiKey: "privacy:write", agent: "admin" },
  "read-export": {},
  "finish-export": {},
  "expire-export": {},
  "get-data-requests": { agent: "admin" },
  "set-data-requests": { agent: "admin", audited: true },
  "show-data-page": {},
  "ask-for-own-data": {},
  "mail-own-data-link": {},
  "show-own-data": {},
  "confirm-own-data": { audited: true },
  "open-own-data": {},
} as const satisfies Record<string, PolicyRow>;

export type OperationName = keyof typeof policy;

/** The row of an operation, every column of it optional. */
export const policyOf = (name: OperationName): PolicyRow => policy[name];

const operationNames = Object.keys(policy) as OperationName[];

/** An operation whose row says `audited`. */
export type AuditedOperation = {
  [Name in OperationName]: (typeof policy)[Name] extends { audited: true } ? Name : never;
}[OperationName];

/** All operations in the audit log. */
export const auditedOperations = operationNames.filter((name) => policyOf(name).audited) as AuditedOperation[];

/** All operations that need a recent proof of who the agent is. */
export const freshOperations: readonly OperationName[] = operationNames.filter((name) => policyOf(name).fresh);

/** Every scope an API key needs for the operation; undefined when no key may perform it. */
export function scopesFor(name: OperationName): readonly ApiKeyScope[] | undefined {
  const { apiKey, apiKeyAlso = [] } = policyOf(name);
  return apiKey && [apiKey, ...apiKeyAlso];
}

/** The scopes of `needed` that are missing from `held`, each once, in the order of the catalogue. */
export function scopesMissing(needed: readonly ApiKeyScope[], held: readonly ApiKeyScope[]): ApiKeyScope[] {
  return apiKeyScopes.filter((scope) => needed.includes(scope) && !held.includes(scope));
}

/** Whether a signed-in agent of this role may perform the operation. */
export function roleMay(role: AgentRole, name: OperationName): boolean {
  const { agent } = policyOf(name);
  return agent !== undefined && isOfRank(role, agent);
}

/** All operations that a signed-in agent of this role may perform. */
export function operationsOf(role: AgentRole): OperationName[] {
  return operationNames.filter((name) => roleMay(role, name));
}

/** What a signed-in agent of this role may do, in scopes of API keys: those all of whose operations the role may perform. */
export function scopesOf(role: AgentRole): ApiKeyScope[] {
  return apiKeyScopes.filter((scope) =>
    operationNames.every((name) => policyOf(name).apiKey !== scope || roleMay(role, name)),
  );
}

/** What an agent may do at present, in scopes of API keys: nothing once they are deactivated. */
export function scopesOfAgent(agent: { role: string; status: string }): ApiKeyScope[] {
  return canAct(agent) ? scopesOf(agent.role as AgentRole) : [];
}

/**
 * What a key needs besides `assistants:write` to give an assistant a permission: the scopes with which it could do the same
 * itself. Otherwise a key that may only write assistants could read every conversation through one (decision A48).
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
  return scopesMissing(
    permissions.flatMap((permission) => scopesToGrant[permission]),
    scopes,
  );
}

/** The permissions for which these scopes suffice. */
export function permissionsWithin(scopes: readonly ApiKeyScope[]): AssistantPermission[] {
  return assistantPermissionNames.filter((permission) => scopesMissingToGrant([permission], scopes).length === 0);
}
