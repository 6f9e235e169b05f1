/** Who may do what over a session: the column `agent` of the policy, over every operation there is. */
import type { HttpOperation } from "@frontdesk/core/contract";
import { bulkOperation, inboxOperations } from "@frontdesk/core/contract/inbox";
import { sessionOperations } from "@frontdesk/core/contract/session";
import { type AgentRole, agentRoles } from "@frontdesk/core/domain/agent";
import { type OperationName, operationsOf, policy, policyOf, roleMay } from "@frontdesk/core/domain/policy";
import { refused } from "@frontdesk/testing/rest-answers";
import { type SignedIn, signedIn } from "@frontdesk/testing/signed-in";
import {
  actionRequests,
  everySignedInRequest,
  inboxRequests,
  type SignedInRequest,
  sessionRequests,
  UNKNOWN_ID,
} from "@frontdesk/testing/signed-in-requests";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { describe, expect, test } from "vitest";
import { deactivateAgent } from "../../agents/deactivate-agent.ts";

const kit = await startTestApp();
const { app, team } = kit;
const acme = await team();
const MAY_NOT = refused("Your role does not allow this.");
const everyName = Object.keys(policy) as OperationName[];

/** One agent of each role, for what changes nothing of them. */
const colleagues = new Map<AgentRole, Promise<SignedIn>>();
function colleague(role: AgentRole): Promise<SignedIn> {
  const known = colleagues.get(role) ?? signedIn(kit, acme, role);
  colleagues.set(role, known);
  return known;
}

describe.each(agentRoles)("an agent with the role %s", (role: AgentRole) => {
  test.each(everyName)("performs %s as the policy says", async (name) => {
    const { actor } = await colleague(role);
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

const requests = everySignedInRequest();

test("every entry that needs a session is among the requests", () => {
  const asked = new Set<object>([...sessionRequests, ...inboxRequests].map(({ operation }) => operation));
  const missing = Object.entries<HttpOperation>({ ...sessionOperations, ...inboxOperations })
    .filter(([, operation]) => !operation.open && !asked.has(operation))
    .map(([name]) => name);
  expect(missing).toEqual([]);
});

/** Operations without a request of their own. */
const ASKED_OTHERWISE: readonly OperationName[] = [
  // The pages of the installation, and the demo of a widget.
  "get-team",
  "show-widget",
  "show-widget-look",
  // The same as something of the inbox, as assistants ask it.
  "browse-conversations",
  "open-conversation",
  "read-messages",
  "search-conversations",
  "find-contacts",
  "search-articles",
  "find-agents",
  // After the model has answered.
  "add-suggested-article",
  // A file, by its own address.
  "open-export",
  // After a provider has answered.
  "end-mailbox-sign-in",
  "test-sso-provider",
  "link-own-sso",
  "verify-by-sso",
  // Before a provider or the DNS is asked, by the request of what follows.
  "look-at-sso-provider",
  "get-sso-domain",
  // By a timer, in the name of an agent.
  "send-held-reply",
];

test("every operation that an agent of the team may perform is behind a request", () => {
  const asked = new Set(requests.map(({ performs }) => performs));
  const missing = everyName.filter((name) => policyOf(name).agent && !asked.has(name));
  expect(missing.toSorted()).toEqual(ASKED_OTHERWISE.toSorted());
});

describe.each(agentRoles)("with many at once, an agent with the role %s", (role: AgentRole) => {
  test.each(actionRequests)("$name", async ({ name, input, performs }) => {
    const who = await colleague(role);
    const answer = await who.post(`/inbox${bulkOperation(name).path}`, { conversation_ids: [UNKNOWN_ID], ...input });
    const refusals = answer.body.failed.map(({ message }: { message: string }) => message);
    if (roleMay(role, performs)) expect(refusals).not.toContain(MAY_NOT.message);
    else expect(refusals).toEqual([MAY_NOT.message]);
  });
});

describe.each(agentRoles)("over HTTP, an agent with the role %s", (role: AgentRole) => {
  test.each(requests.map((each) => [`${each.method} ${each.path}`, each] as const))("%s", async (_title, asked) => {
    const who = asked.method === "GET" ? await colleague(role) : await signedIn(kit, acme, role);
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
      expect(await send(who, asked)).toMatchObject({ status: 401, body: refused("Your account is deactivated.") });
    },
  );
});

function send(who: SignedIn, { method, path, body }: SignedInRequest) {
  const isFile = path.startsWith("/v1/files");
  return isFile
    ? who.request(method, path, "some text", { "content-type": "text/plain" })
    : who.request(method, path, body);
}
