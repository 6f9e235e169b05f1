/** Who may do what over a session: the column `agent` of the policy, over every operation there is. */
import { type RestOperation, rest } from "@frontdesk/core/contract";
import {
  actionOperation,
  bulkOperation,
  type InboxActionInput,
  type InboxActionName,
  type InboxOperation,
  inboxActionNames,
  inboxOperations,
} from "@frontdesk/core/contract/inbox";
import { type SessionOperation, sessionOperations } from "@frontdesk/core/contract/session";
import { type AgentRole, agentRoles } from "@frontdesk/core/domain/agent";
import { type OperationName, operationsOf, policy, policyOf, roleMay } from "@frontdesk/core/domain/policy";
import { describe, expect, test } from "vitest";
import { refused } from "../../test/rest-answers.ts";
import { type SignedIn, signedIn } from "../../test/signed-in.ts";
import { startTestApp } from "../../test/test-kit.ts";
import { deactivateAgent } from "../agents/deactivate-agent.ts";
import { conversationActions } from "../inbox/conversation-actions.ts";

const kit = await startTestApp();
const { app, team } = kit;
const acme = await team();
const MAY_NOT = refused("Your role may not do this.");
const everyName = Object.keys(policy) as OperationName[];

describe.each(agentRoles)("somebody with the role %s", (role: AgentRole) => {
  test.each(everyName)("performs %s as the policy says", async (name) => {
    const { actor } = await signedIn(kit, acme, role);
    const asked = app.perform(actor, { name, mode: "read", run: async () => "done" }, {});
    if (roleMay(role, name)) expect(await asked).toBe("done");
    else await expect(asked).rejects.toMatchObject({ reason: { name: "not-allowed" }, message: MAY_NOT.message });
  });
});

test("an admin may whatever a member may, and an owner whatever an admin may", () => {
  const [owner, admin, member] = agentRoles.map((role) => operationsOf(role));
  expect(admin).toEqual(expect.arrayContaining(member ?? []));
  expect(owner).toEqual(expect.arrayContaining(admin ?? []));
  expect(owner?.length).toBeGreaterThan(admin?.length ?? 0);
  expect(admin?.length).toBeGreaterThan(member?.length ?? 0);
});

test("what a program may do with a key, an admin may do themselves: no key is more than who makes it", () => {
  for (const name of everyName) if (policyOf(name).apiKey) expect(roleMay("CHAT_AGENT_ADMIN", name), name).toBe(true);
});

/** Requests that come as far as the question who may, each with the operation it is. */
const restRequests = Object.values(rest as Record<string, RestOperation>).map((operation) => {
  const { method, path, example, performs, query } = operation;
  const at = path.replaceAll(/\{(\w+)\}/g, (_all, name) =>
    encodeURIComponent(String(Reflect.get(example.params ?? {}, name))),
  );
  const search = query ? new URLSearchParams(example.query as Record<string, string>).toString() : "";
  return { performs, method, path: `/v1${at}${search && `?${search}`}`, body: example.body };
});

const ID = "01980c61-13aa-7e02-b3f5-27d9a6c41e03";
const sessionRequests: { performs: OperationName; operation: SessionOperation; body?: object }[] = [
  { performs: "get-own-profile", operation: sessionOperations.getMe },
  { performs: "update-own-profile", operation: sessionOperations.updateMe, body: {} },
  { performs: "list-sessions", operation: sessionOperations.listSessions },
  { performs: "end-other-sessions", operation: sessionOperations.endOtherSessions },
  { performs: "end-session", operation: sessionOperations.endSession },
  {
    performs: "change-password",
    operation: sessionOperations.changePassword,
    body: { current_password: "x", new_password: "correct horse" },
  },
  { performs: "set-agent-role", operation: sessionOperations.setAgentRole, body: { role: "CHAT_AGENT_MEMBER" } },
  { performs: "deactivate-agent", operation: sessionOperations.deactivateAgent },
  { performs: "reactivate-agent", operation: sessionOperations.reactivateAgent },
  { performs: "renew-invitation", operation: sessionOperations.renewInvitation },
  { performs: "rename-team", operation: sessionOperations.renameTeam, body: { name: "Acme" } },
  { performs: "update-team", operation: sessionOperations.setApiAccess, body: { on: true } },
  { performs: "list-api-keys", operation: sessionOperations.listApiKeys },
  { performs: "create-api-key", operation: sessionOperations.createApiKey, body: { name: "Shop" } },
  { performs: "revoke-api-key", operation: sessionOperations.revokeApiKey },
  { performs: "get-webhook", operation: sessionOperations.getSecretRotation },
  { performs: "list-tag-use", operation: sessionOperations.listTagUse },
  { performs: "create-tag", operation: sessionOperations.createTag, body: { name: "vip" } },
  { performs: "update-tag", operation: sessionOperations.updateTag, body: { color: "teal" } },
  { performs: "delete-tag", operation: sessionOperations.deleteTag },
  { performs: "list-field-use", operation: sessionOperations.listFieldUse },
  { performs: "create-custom-field", operation: sessionOperations.createCustomField, body: { name: "plan" } },
  { performs: "update-custom-field", operation: sessionOperations.updateCustomField, body: { name: "plan" } },
  { performs: "delete-custom-field", operation: sessionOperations.deleteCustomField },
  { performs: "list-audit-log", operation: sessionOperations.listAuditLog },
];

/** What an agent does at work; a canned reply is somebody's own or the team's, which are two operations. */
const inboxRequests: {
  performs: OperationName;
  operation: InboxOperation;
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
    body: { client_id: ID, type: "message", content: "Hello" },
  },
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
];

/** What can be done with a conversation, and with many; which operation it is, the table of actions says. */
const actionInputs: { [Name in InboxActionName]: InboxActionInput<Name> } = {
  read: {},
  unread: {},
  resolve: {},
  reopen: {},
  snooze: { until_reply: true },
  unsnooze: {},
  assign: { agent_id: ID },
  unassign: { agent_id: ID },
  tag: { name: "vip" },
  untag: { name: "vip" },
  "return-to-assistant": {},
  block: {},
  unblock: {},
};
const actionRequests = inboxActionNames.map((name) => {
  const input = actionInputs[name];
  const { operation } = conversationActions[name](ID, input as never);
  return { name, input, performs: operation.name };
});

const at = (path: string, whose = "own") =>
  path.replaceAll(/\{(\w+)\}/g, (_all, name) => (name === "whose" ? whose : ID));

const requests: { performs: OperationName; method: string; path: string; body?: object | undefined }[] = [
  ...restRequests,
  ...sessionRequests.map(({ performs, operation: { method, path }, body }) => ({
    performs,
    method,
    path: at(path),
    body,
  })),
  ...inboxRequests.map(({ performs, operation: { method, path }, whose, query, body }) => {
    return { performs, method, path: `/inbox${at(path, whose)}${query ? `?${query}` : ""}`, body };
  }),
  ...actionRequests.map(({ name, input, performs }) => {
    return { performs, method: "POST", path: `/inbox${at(actionOperation(name).path)}`, body: input };
  }),
];

test("every entry that needs a session is among the requests", () => {
  const asked = new Set<object>([...sessionRequests, ...inboxRequests].map(({ operation }) => operation));
  const missing = Object.entries<SessionOperation>({ ...sessionOperations, ...inboxOperations })
    .filter(([, operation]) => !operation.open && !asked.has(operation))
    .map(([name]) => name);
  expect(missing).toEqual([]);
});

/** What no request of its own asks for. */
const ASKED_OTHERWISE: readonly OperationName[] = [
  // The pages of the installation, and the demo of a widget.
  "get-team",
  "show-widget",
  // The same as something of the inbox, as assistants ask it.
  "browse-conversations",
  "open-conversation",
  "read-messages",
  "search-conversations",
  "find-contacts",
  "search-articles",
  "find-agents",
];

test("every operation that somebody of the team may perform is behind a request", () => {
  const asked = new Set(requests.map(({ performs }) => performs));
  const missing = everyName.filter((name) => policyOf(name).agent && !asked.has(name));
  expect(missing.toSorted()).toEqual(ASKED_OTHERWISE.toSorted());
});

describe.each(agentRoles)("with many at once, somebody with the role %s", (role: AgentRole) => {
  test.each(actionRequests)("$name", async ({ name, input, performs }) => {
    const who = await signedIn(kit, acme, role);
    const answer = await who.post(`/inbox${bulkOperation(name).path}`, { conversation_ids: [ID], ...input });
    const refusals = answer.body.failed.map(({ message }: { message: string }) => message);
    if (roleMay(role, performs)) expect(refusals).not.toContain(MAY_NOT.message);
    else expect(refusals).toEqual([MAY_NOT.message]);
  });
});

describe.each(agentRoles)("over HTTP, somebody with the role %s", (role: AgentRole) => {
  test.each(requests.map((each) => [`${each.method} ${each.path}`, each] as const))("%s", async (_title, asked) => {
    const who = await signedIn(kit, acme, role);
    const answer = await send(who, asked);
    expect(answer.status, JSON.stringify(answer.body)).not.toBe(401);
    if (roleMay(role, asked.performs)) expect(answer.body).not.toEqual(MAY_NOT);
    else expect(answer).toMatchObject({ status: 403, body: MAY_NOT });
  });
});

describe("a deactivated agent", async () => {
  const who = await signedIn(kit, acme, "CHAT_AGENT_ADMIN");
  await app.perform(acme.actor, deactivateAgent, { agentId: who.actor.agentId });
  test.each(requests.map((each) => [`${each.method} ${each.path}`, each] as const))(
    "has nothing of %s",
    async (_, asked) => {
      expect(await send(who, asked)).toMatchObject({ status: 401, body: refused("Please sign in.") });
    },
  );
});

function send(who: SignedIn, { method, path, body }: (typeof requests)[number]) {
  const isFile = path.startsWith("/v1/files");
  return isFile
    ? who.request(method, path, "some text", { "content-type": "text/plain" })
    : who.request(method, path, body);
}
