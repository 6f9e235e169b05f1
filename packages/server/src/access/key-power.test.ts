/** What a key may do: never more than its agent may do now (docs/decisions/0031-power-of-keys.md). */
import { type ApiKeyScope, apiKeyScopes, scopesOf } from "@frontdesk/core/domain/policy";
import { robinCalls, robinJoins } from "@frontdesk/testing/assistant-at-work";
import { refused } from "@frontdesk/testing/rest-answers";
import { appOn, openBeside } from "@frontdesk/testing/second-app";
import { type SignedIn, signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { veraWrites } from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";
import type { App } from "../app.ts";
import { changeSeveral } from "../assistants/change-several.ts";
import { listQueuedChanges } from "../assistants/list-queued-changes.ts";
import { setConversationStatus } from "../conversations/set-conversation-status.ts";
import { createAuthentication } from "./authenticate.ts";
import { createApiKey } from "./create-api-key.ts";

const kit = await startTestApp();
const { app, team, storage, runtime } = kit;
const OWNER = "CHAT_AGENT_OWNER";
const ADMIN = "CHAT_AGENT_ADMIN";
const MEMBER = "CHAT_AGENT_MEMBER";
const MAY_NOT = { status: 403, body: refused("This API key does not have permission to do this.") };
const DEACTIVATED = { status: 403, body: refused("The agent of this API key is deactivated.") };

/** Abe the admin with a key of his, and Olga the owner, who manages him. */
async function abeAndOlga() {
  const acme = await team();
  const [olga, abe] = [await signedIn(kit, acme, OWNER), await signedIn(kit, acme, ADMIN)];
  const { key, value } = (await abe.post("/keys", { name: "Shop" })).body;
  return { acme, olga, abe, key: key as { id: string }, value: value as string };
}

const withKey = (key: string) => (method: string, path: string, body?: object) =>
  kit.request(method, path, { headers: { "x-api-key": key }, ...(body && { body }) });

/** Requests with another key of the owner's, which has these scopes. */
async function keyWith(acme: TestTeam, scopes: readonly ApiKeyScope[]) {
  return withKey((await app.perform(acme.actor, createApiKey, { name: "other", scopes })).value);
}

const setRole = (by: SignedIn, who: SignedIn, role: string) => by.patch(`/agents/${who.actor.agentId}`, { role });

describe("a key", () => {
  test("loses what its agent may no longer do, at once and in every process, and has it again with the role", async () => {
    const { olga, abe, key, value } = await abeAndOlga();
    const beside = await appOn({ storage: await openBeside(storage), runtime });
    const asked = (on: App, path: string) =>
      on.http
        .inject({ method: "GET", url: `/api/v1${path}`, headers: { "x-api-key": value } })
        .then(({ statusCode }) => statusCode);
    expect([await asked(app, "/webhooks"), await asked(beside, "/webhooks")]).toEqual([200, 200]);

    expect(await setRole(olga, abe, MEMBER)).toMatchObject({
      status: 200,
      body: { agent: { role: MEMBER }, api_keys: [{ id: key.id, name: "Shop" }], assistants: [] },
    });
    expect(await withKey(value)("GET", "/webhooks")).toMatchObject(MAY_NOT);
    expect(await asked(app, "/contacts")).toBe(200);
    await expect.poll(() => asked(beside, "/webhooks")).toBe(403);
    expect(await asked(beside, "/contacts")).toBe(200);

    expect(await setRole(olga, abe, ADMIN)).toMatchObject({ status: 200, body: { api_keys: [] } });
    expect(await asked(app, "/webhooks")).toBe(200);
  });

  test("of a deactivated agent can do nothing, not even listen, until the agent is back", async () => {
    const { olga, abe, key, value } = await abeAndOlga();
    const ask = withKey(value);
    expect((await ask("GET", "/agents")).status).toBe(200);
    const path = `/agents/${abe.actor.agentId}`;
    expect((await olga.post(`${path}/deactivate`, {})).body.api_keys).toEqual([{ id: key.id, name: "Shop" }]);
    expect(await ask("GET", "/agents")).toMatchObject(DEACTIVATED);
    expect(await ask("POST", "/agents/invite", { agents: ["eve@acme.test"] })).toMatchObject(DEACTIVATED);
    const poll = await app.http.inject({
      method: "GET",
      url: "/live/poll",
      headers: { authorization: `Bearer ${value}`, host: "chat.test" },
    });
    expect(poll.statusCode).toBe(403);
    await olga.post(`${path}/reactivate`);
    expect((await ask("GET", "/agents")).status).toBe(200);
  });

  test("is made with no scope that its agent does not have", async () => {
    const { acme, abe } = await abeAndOlga();
    const mia = await signedIn(kit, acme);
    const made = await app.perform(acme.actor, createApiKey, { name: "mias", agentId: mia.actor.agentId });
    expect(JSON.parse(made.key.scopes)).toEqual(scopesOf(MEMBER));
    const asked = { name: "mias", agentId: mia.actor.agentId, scopes: ["contacts:read", "webhooks:write"] } as const;
    await expect(app.perform(acme.actor, createApiKey, asked)).rejects.toMatchObject({
      reason: { errors: { scopes: ["The role of this key's agent does not allow: webhooks:write."] } },
    });
    expect((await abe.post("/keys", { name: "all" })).body.key.scopes).toEqual([...apiKeyScopes]);
  });
});

describe("POST /agents/invite", () => {
  const invite = (role: string) => ({ agents: [{ email: `eve-${runtime.newId()}@acme.test`, role }] });
  const lacks = (scopes: readonly ApiKeyScope[]) => ({
    status: 403,
    body: {
      message: `This API key cannot invite an agent with more access than the key has. Missing scopes: ${scopes.join(", ")}.`,
    },
  });

  test.each([ADMIN, MEMBER] as const)(
    "by key needs every scope of the role %s: the link is worth them",
    async (role) => {
      const acme = await team();
      const needed = scopesOf(role);
      for (const scope of needed.filter((one) => one !== "agents:write")) {
        const ask = await keyWith(acme, [
          ...new Set([...needed.filter((one) => one !== scope), "agents:write"] as const),
        ]);
        expect(await ask("POST", "/agents/invite", invite(role))).toMatchObject(lacks([scope]));
      }
      expect((await acme.get("/agents")).body.data).toHaveLength(1);
      const ask = await keyWith(acme, [...new Set([...needed, "agents:write"] as const)]);
      expect((await ask("POST", "/agents/invite", invite(role))).status).toBe(200);
    },
  );

  test("with agents:write alone gives no link to any agent on the list", async () => {
    const acme = await team();
    const ask = await keyWith(acme, ["agents:write", ...scopesOf(MEMBER)]);
    const both = { agents: [...invite(MEMBER).agents, ...invite(ADMIN).agents] };
    const refusal = await ask("POST", "/agents/invite", both);
    expect(refusal).toMatchObject(
      lacks(apiKeyScopes.filter((scope) => ![...scopesOf(MEMBER), "agents:write"].includes(scope))),
    );
    expect(JSON.stringify(refusal.body)).not.toContain("fd_invite_");
    expect((await acme.get("/agents")).body.data).toHaveLength(1);
  });
});

describe("an assistant", () => {
  test("of a deactivated agent has no tools, is named, and works again with a token that another admin makes", async () => {
    const { acme, olga, abe, value } = await abeAndOlga();
    const { contactId } = await veraWrites(acme);
    const made = await withKey(value)("POST", "/assistants", { name: "Robin", permissions: "all", widgets: "all" });
    const robin = { id: made.body.data.id, token: made.body.data.attributes.token };
    const sees = ({ token }: { token: string }) => robinCalls(kit, { token }, "get-visitor", { visitor_id: contactId });
    expect((await sees(robin)).status).toBe(200);

    const gone = await olga.post(`/agents/${abe.actor.agentId}/deactivate`, {});
    expect(gone.body.assistants).toEqual([{ id: robin.id, name: "Robin" }]);
    expect(await sees(robin)).toMatchObject({
      status: 403,
      body: {
        message: "The agent who created this connection is deactivated. An admin can create a new token for it.",
      },
    });
    const headers = { authorization: `Bearer ${robin.token}` };
    expect((await app.http.inject({ method: "GET", url: "/tools", headers })).json().tools).toEqual([]);
    const shown = () => olga.get(`/v1/assistants/${robin.id}`).then(({ body }) => body.data.attributes);
    expect(await shown()).toMatchObject({ state: "active", is_live: false, created_by: abe.actor.agentId });

    const renewed = await olga.post(`/v1/assistants/${robin.id}/token`);
    expect(await shown()).toMatchObject({ is_live: true, created_by: olga.actor.agentId });
    expect((await sees({ token: renewed.body.data.attributes.token })).status).toBe(200);
  });

  test("keeps its creator with a new token as long as that agent can act", async () => {
    const { acme, olga, value } = await abeAndOlga();
    const made = await withKey(value)("POST", "/assistants", { name: "Robin", permissions: "all", widgets: "all" });
    await olga.post(`/v1/assistants/${made.body.data.id}/token`);
    const { body } = await acme.get(`/assistants/${made.body.data.id}`);
    expect(body.data.attributes.created_by).toBe(made.body.data.attributes.created_by);
  });

  test("of a deactivated agent does nothing that it has queued", async () => {
    const { acme, olga, abe } = await abeAndOlga();
    const written = [await veraWrites(acme), await veraWrites(acme, { name: "Victor" })];
    const made = await abe.post("/v1/assistants", { name: "Robin", permissions: "all", widgets: "all" });
    const { id, attributes } = made.body.data;
    // As a request that was let in a moment before: it queues, and the jobs look again.
    const { actor } = await createAuthentication(storage, runtime.now, () => {}).assistant(attributes.token);
    await olga.post(`/agents/${abe.actor.agentId}/deactivate`, {});
    const rest = { status: "resolved" as const, agentId: undefined };
    const conversationIds = written.map(({ conversationId }) => conversationId);
    await app.perform(actor, changeSeveral(setConversationStatus), { conversationIds, rest });
    await app.start();
    const states = async () =>
      (await app.perform(acme.actor, listQueuedChanges, { assistantId: id, page: 1, limit: 10 })).rows.map(
        ({ state, message }) => ({ state, message }),
      );
    const refusal = { state: "refused", message: "The assistant is no longer active." };
    await expect.poll(states).toEqual([refusal, refusal]);
  });

  test("is worth what its creator may do, whatever the role", async () => {
    const { acme, olga, abe } = await abeAndOlga();
    const { conversationId } = await veraWrites(acme);
    const { token } = await robinJoins(acme);
    const made = await abe.post("/v1/assistants", { name: "Robin", permissions: "all", widgets: "all" });
    const his = { token: made.body.data.attributes.token };
    // Every permission is a member's daily work, so that a lower role takes nothing away from a connection.
    expect((await setRole(olga, abe, MEMBER)).body.assistants).toEqual([]);
    for (const robin of [{ token }, his]) {
      expect((await robinCalls(kit, robin, "get-conversation", { conversation_id: conversationId })).status).toBe(200);
    }
  });
});
