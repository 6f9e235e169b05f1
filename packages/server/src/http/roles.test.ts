/** Who may do what over a session: the column `agent` of the policy, over every operation there is. */
import { type RestOperation, rest } from "@frontdesk/core/contract";
import { type SessionOperation, sessionOperations } from "@frontdesk/core/contract/session";
import { type AgentRole, agentRoles } from "@frontdesk/core/domain/agent";
import { type OperationName, operationsOf, policy, policyOf, roleMay } from "@frontdesk/core/domain/policy";
import { describe, expect, test } from "vitest";
import { refused } from "../../test/rest-answers.ts";
import { type SignedIn, signedIn } from "../../test/signed-in.ts";
import { startTestApp } from "../../test/test-kit.ts";
import { deactivateAgent } from "../agents/deactivate-agent.ts";

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
  { performs: "list-audit-log", operation: sessionOperations.listAuditLog },
];

const requests = [
  ...restRequests,
  ...sessionRequests.map(({ performs, operation: { method, path }, body }) => {
    return { performs, method, path: path.replace("{id}", ID), body };
  }),
];

test("every entry that needs a session is among the requests", () => {
  const asked = new Set(sessionRequests.map(({ operation }) => operation));
  const missing = Object.entries(sessionOperations as Record<string, SessionOperation>)
    .filter(([, operation]) => !operation.open && !asked.has(operation))
    .map(([name]) => name);
  expect(missing).toEqual([]);
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
