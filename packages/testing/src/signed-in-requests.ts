/**
 * Every request of the dashboard that needs a session. `roles.test.ts` checks that no entry of the catalogues is missing, so a
 * test that loops over these covers all of them.
 */

import { type HttpOperation, type RestOperation, rest } from "@frontdesk/core/contract";
import {
  actionOperation,
  type InboxActionInput,
  type InboxActionName,
  inboxActionNames,
  inboxOperations,
} from "@frontdesk/core/contract/inbox";
import { sessionOperations } from "@frontdesk/core/contract/session";
import type { OperationName } from "@frontdesk/core/domain/policy";
import { conversationActions } from "@frontdesk/server/inbox/conversation-actions";

export interface SignedInRequest {
  performs: OperationName;
  method: string;
  /** Below `SESSION_PREFIX`. */
  path: string;
  body?: object | undefined;
}

/** An unused id. */
export const UNKNOWN_ID = "01980c61-13aa-7e02-b3f5-27d9a6c41e03";

/** Requests of the dashboard other than the inbox's. */
export const sessionRequests: { performs: OperationName; operation: HttpOperation; query?: string; body?: object }[] = [
  { performs: "get-own-profile", operation: sessionOperations.getMe },
  { performs: "update-own-profile", operation: sessionOperations.updateMe, body: {} },
  { performs: "list-sessions", operation: sessionOperations.listSessions },
  { performs: "end-other-sessions", operation: sessionOperations.endOtherSessions },
  { performs: "end-session", operation: sessionOperations.endSession },
  { performs: "verify-session", operation: sessionOperations.verifySession, body: { password: "wrong horse" } },
  { performs: "get-own-factors", operation: sessionOperations.getOwnFactors },
  { performs: "begin-app", operation: sessionOperations.beginApp },
  { performs: "confirm-app", operation: sessionOperations.confirmApp, body: { code: "123456" } },
  { performs: "begin-passkey", operation: sessionOperations.beginPasskey },
  { performs: "add-passkey", operation: sessionOperations.addPasskey, body: { name: "Phone", response: {} } },
  { performs: "rename-passkey", operation: sessionOperations.renamePasskey, body: { name: "Phone" } },
  { performs: "end-browser-trust", operation: sessionOperations.endBrowserTrust },
  { performs: "remove-factor", operation: sessionOperations.removeFactor },
  { performs: "renew-recovery-codes", operation: sessionOperations.renewRecoveryCodes },
  { performs: "get-sign-in-rules", operation: sessionOperations.getSignInRules },
  { performs: "update-sign-in-rules", operation: sessionOperations.updateSignInRules, body: {} },
  { performs: "remove-agent-factors", operation: sessionOperations.removeAgentFactors },
  { performs: "end-agent-sessions", operation: sessionOperations.endAgentSessions },
  {
    performs: "change-password",
    operation: sessionOperations.changePassword,
    body: { current_password: "x", new_password: "correct horse" },
  },
  { performs: "set-agent-role", operation: sessionOperations.setAgentRole, body: { role: "CHAT_AGENT_MEMBER" } },
  { performs: "count-open-conversations", operation: sessionOperations.countOpenConversations },
  { performs: "deactivate-agent", operation: sessionOperations.deactivateAgent, body: {} },
  { performs: "remove-agent", operation: sessionOperations.removeAgent, body: {} },
  { performs: "reactivate-agent", operation: sessionOperations.reactivateAgent },
  { performs: "invite-agents", operation: sessionOperations.inviteAgents, body: { agents: ["lin@acme.test"] } },
  { performs: "renew-invitation", operation: sessionOperations.renewInvitation },
  { performs: "revoke-invitation", operation: sessionOperations.revokeInvitation },
  { performs: "request-password-reset", operation: sessionOperations.createPasswordReset },
  { performs: "rename-team", operation: sessionOperations.renameTeam, body: { name: "Acme" } },
  { performs: "update-team", operation: sessionOperations.setApiAccess, body: { on: true } },
  { performs: "list-api-keys", operation: sessionOperations.listApiKeys },
  { performs: "create-api-key", operation: sessionOperations.createApiKey, body: { name: "Shop" } },
  { performs: "revoke-api-key", operation: sessionOperations.revokeApiKey },
  { performs: "get-webhook", operation: sessionOperations.getSecretRotation },
  { performs: "open-original", operation: sessionOperations.getQuotedText },
  { performs: "open-original", operation: sessionOperations.getMailHtml },
  { performs: "open-original", operation: sessionOperations.getRemoteImage, query: "url=https://images.test/a.png" },
  { performs: "preview-retention", operation: sessionOperations.previewRetention, body: { erase_after_days: 30 } },
  { performs: "get-data-requests", operation: sessionOperations.getDataRequests },
  { performs: "set-data-requests", operation: sessionOperations.setDataRequests, body: { allowed: false } },
  { performs: "list-exports", operation: sessionOperations.listExports },
  { performs: "list-holds", operation: sessionOperations.listHolds },
  { performs: "list-erasures", operation: sessionOperations.listErasures },
  { performs: "count-widget-use", operation: sessionOperations.countWidgetUse },
  { performs: "list-channel-reasons", operation: sessionOperations.listChannelReasons },
  { performs: "check-channel", operation: sessionOperations.checkChannel },
  {
    performs: "check-new-channel",
    operation: sessionOperations.checkNewChannel,
    body: {
      channel: "email",
      widget_id: UNKNOWN_ID,
      settings: { address: "ada@acme.local", inbound: { kind: "http" } },
    },
  },
  { performs: "list-suppressions", operation: sessionOperations.listSuppressions, query: "page=1&limit=20" },
  // A name that the DNS is not asked for.
  { performs: "find-mail-servers", operation: sessionOperations.findMailServers, body: { address: "ada@acme.local" } },
  { performs: "get-mailbox-use", operation: sessionOperations.getMailboxUse },
  { performs: "get-mailbox-sign-in-url", operation: sessionOperations.getMailboxSignInUrl },
  { performs: "begin-mailbox-sign-in", operation: sessionOperations.beginMailboxSignIn },
  { performs: "take-mailbox-sign-in", operation: sessionOperations.endMailboxSignIn, body: { query: "state=a" } },
  { performs: "list-tag-use", operation: sessionOperations.listTagUse },
  { performs: "create-tag", operation: sessionOperations.createTag, body: { name: "vip" } },
  { performs: "update-tag", operation: sessionOperations.updateTag, body: { color: "teal" } },
  { performs: "delete-tag", operation: sessionOperations.deleteTag },
  { performs: "list-field-use", operation: sessionOperations.listFieldUse },
  { performs: "create-custom-field", operation: sessionOperations.createCustomField, body: { name: "plan" } },
  { performs: "update-custom-field", operation: sessionOperations.updateCustomField, body: { name: "plan" } },
  { performs: "delete-custom-field", operation: sessionOperations.deleteCustomField },
  { performs: "list-sites", operation: sessionOperations.listSites },
  { performs: "add-site", operation: sessionOperations.addSite, body: { address: "https://localhost/" } },
  { performs: "read-site-again", operation: sessionOperations.readSiteAgain },
  { performs: "remove-site", operation: sessionOperations.removeSite },
  { performs: "import-article-file", operation: sessionOperations.importArticleFile, query: "name=a.md&as=draft" },
  { performs: "suggest-article", operation: sessionOperations.suggestArticle },
  {
    performs: "list-article-origins",
    operation: sessionOperations.listArticleOrigins,
    query: `articles=${UNKNOWN_ID}`,
  },
  { performs: "list-audit-log", operation: sessionOperations.listAuditLog },
  { performs: "show-app-request", operation: sessionOperations.getAppRequest, body: { query: "q" } },
  { performs: "show-app-request", operation: sessionOperations.refuseApp, body: { query: "q" } },
  {
    performs: "connect-app",
    operation: sessionOperations.connectApp,
    body: { query: "q", permissions: [], widgets: [], channels: [], agent_id: null },
  },
  { performs: "list-agents-with-factor", operation: sessionOperations.listAgentsWithFactor },
  { performs: "get-app-addresses", operation: sessionOperations.getAppAddresses },
  { performs: "get-app-addresses", operation: sessionOperations.checkAppReach },
  { performs: "get-sso-settings", operation: sessionOperations.getSsoSettings },
  {
    performs: "create-sso-provider",
    operation: sessionOperations.createSsoProvider,
    // An address that is refused before it is asked for anything.
    body: { id: "a", preset: "custom", name: "a", issuer: "http://acme.test", client_id: "a", client_secret: "a" },
  },
  { performs: "update-sso-provider", operation: sessionOperations.updateSsoProvider, body: { name: "Acme" } },
  { performs: "delete-sso-provider", operation: sessionOperations.deleteSsoProvider },
  { performs: "begin-sso-test", operation: sessionOperations.testSsoProvider },
  { performs: "add-sso-domain", operation: sessionOperations.addSsoDomain, body: { domain: "acme" } },
  { performs: "prove-sso-domain", operation: sessionOperations.proveSsoDomain },
  { performs: "require-sso", operation: sessionOperations.requireSso, body: { on: false } },
  { performs: "remove-sso-domain", operation: sessionOperations.removeSsoDomain },
  { performs: "set-break-glass", operation: sessionOperations.setBreakGlass, body: { on: false } },
  { performs: "list-own-sso", operation: sessionOperations.listOwnSso },
  { performs: "begin-own-sso", operation: sessionOperations.linkOwnSso },
  { performs: "begin-sso-proof", operation: sessionOperations.proveBySso },
  { performs: "unlink-own-sso", operation: sessionOperations.unlinkOwnSso },
];

/** Requests of the inbox; a canned reply belongs to an agent or to the team, which are two operations. */
export const inboxRequests: {
  performs: OperationName;
  operation: HttpOperation;
  whose?: string;
  query?: string;
  body?: object;
}[] = [
  { performs: "list-inbox", operation: inboxOperations.listConversations, query: "view=open" },
  { performs: "count-inbox", operation: inboxOperations.getCounts },
  { performs: "open-in-inbox", operation: inboxOperations.getConversation },
  { performs: "read-thread", operation: inboxOperations.listMessages },
  {
    performs: "send-from-inbox",
    operation: inboxOperations.sendMessage,
    body: { client_id: UNKNOWN_ID, type: "message", content: "Hello" },
  },
  {
    performs: "hold-reply",
    operation: inboxOperations.holdReply,
    body: { client_id: UNKNOWN_ID, content: "Hello", hold_ms: 5_000 },
  },
  { performs: "undo-reply", operation: inboxOperations.undoReply, query: `client_id=${UNKNOWN_ID}` },
  {
    performs: "forward-from-inbox",
    operation: inboxOperations.forwardMail,
    body: {
      ...{ client_id: UNKNOWN_ID, message_id: UNKNOWN_ID, to: "petra@petra.example" },
      ...{ content: "", files: [], hold_ms: 0 },
    },
  },
  { performs: "undo-forward", operation: inboxOperations.undoForward, query: `client_id=${UNKNOWN_ID}` },
  { performs: "keep-draft", operation: inboxOperations.putDraft, body: { mode: "reply", content: "Hel" } },
  { performs: "drop-draft", operation: inboxOperations.deleteDraft, query: "mode=reply" },
  { performs: "list-drafts", operation: inboxOperations.listDrafts },
  { performs: "open-contact", operation: inboxOperations.getContact },
  { performs: "block-contact", operation: inboxOperations.blockContact },
  { performs: "unblock-contact", operation: inboxOperations.unblockContact },
  { performs: "list-canned-replies", operation: inboxOperations.listCannedReplies },
  ...(["own", "team"] as const).flatMap((whose) => {
    const performs = `write-${whose}-canned-replies` as const;
    const body = { name: "hello", content: "Hello!" };
    return [
      { performs, operation: inboxOperations.addCannedReply, whose, body },
      { performs, operation: inboxOperations.updateCannedReply, whose, body },
      { performs, operation: inboxOperations.removeCannedReply, whose },
    ];
  }),
  { performs: "suggest-articles", operation: inboxOperations.suggestArticles, query: "q=shipping" },
  { performs: "list-saved-views", operation: inboxOperations.listSavedViews },
  {
    performs: "write-saved-views",
    operation: inboxOperations.addSavedView,
    body: { name: "Open", query: { view: "open" } },
  },
  { performs: "write-saved-views", operation: inboxOperations.updateSavedView, body: { name: "Open" } },
  { performs: "write-saved-views", operation: inboxOperations.removeSavedView },
  { performs: "get-preferences", operation: inboxOperations.getPreferences },
  { performs: "set-preferences", operation: inboxOperations.putPreferences, body: {} },
  { performs: "search-inbox", operation: inboxOperations.search, query: "q=vera" },
  { performs: "list-people", operation: inboxOperations.listPeople },
  { performs: "list-spam", operation: inboxOperations.listSpam },
  { performs: "open-spam", operation: inboxOperations.getSpamText },
  { performs: "open-spam", operation: inboxOperations.getSpamOriginal },
  { performs: "mark-not-spam", operation: inboxOperations.markNotSpam },
  { performs: "delete-spam", operation: inboxOperations.deleteSpam },
  { performs: "list-held-mails", operation: inboxOperations.listHeldMails },
  { performs: "list-automatic-mails", operation: inboxOperations.listAutomaticMails },
];

/** Actions on one conversation, and on many; the table of actions names the operation. */
const actionInputs = (id: string): { [Name in InboxActionName]: InboxActionInput<Name> } => ({
  read: {},
  unread: {},
  resolve: {},
  reopen: {},
  snooze: { until_reply: true },
  unsnooze: {},
  assign: { agent_id: id },
  unassign: { agent_id: id },
  tag: { name: "vip" },
  untag: { name: "vip" },
  "take-over": {},
  "return-to-assistant": {},
  block: {},
  unblock: {},
});
const actionsOn = (id: string) =>
  inboxActionNames.map((name) => {
    const input = actionInputs(id)[name];
    const { operation } = conversationActions[name](id, input as never);
    return { name, input, performs: operation.name };
  });

/** Every action, with its input and its operation. */
export const actionRequests = actionsOn(UNKNOWN_ID);

/** All of them, with one id for every id parameter. */
export function signedInRequests(id: string): SignedInRequest[] {
  const at = (path: string, whose = "own") =>
    path.replaceAll(/\{(\w+)\}/g, (_all, name) => (name === "whose" ? whose : id));
  return [
    ...sessionRequests.map(({ performs, operation: { method, path }, query, body }) => {
      return { performs, method, path: `${at(path)}${query ? `?${query}` : ""}`, body };
    }),
    ...inboxRequests.map(({ performs, operation: { method, path }, whose, query, body }) => {
      return { performs, method, path: `/inbox${at(path, whose)}${query ? `?${query}` : ""}`, body };
    }),
    ...actionsOn(id).map(({ name, input, performs }) => {
      return { performs, method: "POST", path: `/inbox${at(actionOperation(name).path)}`, body: input };
    }),
  ];
}

/** Requests that reach the check of the policy, each with its operation: of the REST API, and of the dashboard's own. */
export function everySignedInRequest(): SignedInRequest[] {
  const ofRest = Object.values(rest as Record<string, RestOperation>).map((operation) => {
    const { method, path, example, performs, query } = operation;
    const at = path.replaceAll(/\{(\w+)\}/g, (_all, name) =>
      encodeURIComponent(String(Reflect.get(example.params ?? {}, name))),
    );
    const search = query ? new URLSearchParams(example.query as Record<string, string>).toString() : "";
    return { performs, method, path: `/v1${at}${search && `?${search}`}`, body: example.body };
  });
  return [...ofRest, ...signedInRequests(UNKNOWN_ID)];
}
