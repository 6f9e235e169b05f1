/** Decision A48: an API key gives an assistant nothing that it may not do itself. */
import { type AssistantPermission, assistantPermissionNames } from "@frontdesk/core/domain/assistant-permissions";
import { type ApiKeyScope, scopesToGrant } from "@frontdesk/core/domain/policy";
import { robinCalls, robinJoins } from "@frontdesk/testing/assistant-at-work";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import { createApiKey } from "../access/create-api-key.ts";
import { createAgent } from "../agents/create-agent.ts";
import { createWidget } from "../widgets/create-widget.ts";

const { app, team, request } = await startTestApp();

/** Requests with another key of the team, which has these scopes. */
async function keyWith(acme: TestTeam, scopes: readonly ApiKeyScope[]) {
  const { value } = await app.perform(acme.actor, createApiKey, { name: "other", scopes });
  return (method: string, path: string, body?: object) =>
    request(method, path, { headers: { "x-api-key": value }, ...(body && { body }) });
}

const lacks = (...scopes: ApiKeyScope[]) => ({
  status: 403,
  body: {
    message: `This API key cannot grant an assistant permissions that the key does not have. Missing scopes: ${scopes.join(", ")}.`,
  },
});

test.each(assistantPermissionNames.map((permission) => [permission] as const))(
  "%s is given by a key that could do it itself, and by no key that lacks one of those scopes",
  async (permission) => {
    const acme = await team();
    const needed: readonly ApiKeyScope[] = scopesToGrant[permission];
    const asked = { name: "Robin", permissions: [permission], widgets: "all" };
    for (const scope of needed) {
      const ask = await keyWith(acme, [
        ...needed.filter((one) => one !== scope),
        "assistants:write",
        "assistants:read",
      ]);
      expect(await ask("POST", "/assistants", asked)).toMatchObject(lacks(scope));
    }
    expect((await acme.get("/assistants")).body.data).toEqual([]);
    const ask = await keyWith(acme, [...needed, "assistants:write"]);
    expect((await ask("POST", "/assistants", asked)).status).toBe(201);
  },
);

test("a key that may only write assistants gets at no conversation by way of one, neither a new nor an old one", async () => {
  const acme = await team();
  const strong = await robinJoins(acme);
  const ask = await keyWith(acme, ["assistants:write", "knowledge:read"]);
  const everything = { name: "Mallory", permissions: "all", widgets: "all" };
  const missing = [
    "contacts:read",
    "contacts:write",
    "conversations:read",
    "conversations:write",
    "agents:read",
  ] as const;
  expect(await ask("POST", "/assistants", everything)).toMatchObject(lacks(...missing));
  expect(await ask("POST", `/assistants/${strong.id}/token`)).toMatchObject(lacks(...missing));
  const weak = await ask("POST", "/assistants", { ...everything, permissions: ["search_knowledge_base"] });
  expect(weak.status).toBe(201);
  const raised = await ask("PATCH", `/assistants/${weak.body.data.id}`, { permissions: ["read_conversations"] });
  expect(raised).toMatchObject(lacks("conversations:read"));
});

test("such a key takes away and renames; it does not widen what it could not give, in any way", async () => {
  const acme = await team();
  const other = await app.perform(acme.actor, createWidget, { name: "Other" });
  const grace = await app.perform(acme.actor, createAgent, {
    email: `grace@${acme.teamId}.test`,
    name: "Grace",
    role: "CHAT_AGENT_MEMBER",
    passwordHash: null,
  });
  const permissions: AssistantPermission[] = ["read_conversations", "add_notes"];
  const { id } = await robinJoins(acme, { permissions, widgets: [acme.widgetId, other.id], channels: ["email", "fb"] });
  const ask = await keyWith(acme, ["assistants:write", "conversations:read"]);
  const change = async (body: object) => (await ask("PATCH", `/assistants/${id}`, body)).status;

  expect(await change({ name: "Renamed", agent_id: acme.ada.id })).toBe(200);
  expect(await change({ widgets: [acme.widgetId], channels: ["email"] })).toBe(200);
  expect(await change({ widgets: [acme.widgetId, other.id] })).toBe(403);
  expect(await change({ widgets: "all" })).toBe(403);
  expect(await change({ channels: ["email", "fb"] })).toBe(403);
  expect(await change({ agent_id: grace.id })).toBe(403);
  expect(await change({ agent_id: null })).toBe(200);
  expect(await change({ agent_id: acme.ada.id })).toBe(403);
  expect(await change({ permissions: ["read_conversations", "add_notes", "add_tags"] })).toBe(403);
  expect(await change({ permissions: ["read_conversations", "add_notes", "view_tags"] })).toBe(200);
  expect((await ask("POST", `/assistants/${id}/pause`)).status).toBe(200);
  expect(await ask("POST", `/assistants/${id}/resume`)).toMatchObject(lacks("conversations:write"));
  expect((await acme.post(`/assistants/${id}/resume`)).status).toBe(200);

  // Without what it may not do, it is the key's to widen.
  expect(await change({ permissions: ["read_conversations"], widgets: "all" })).toBe(200);
  expect((await ask("POST", `/assistants/${id}/token`)).status).toBe(200);
  expect((await ask("POST", `/assistants/${id}/revoke`)).status).toBe(200);
});

test("reading assistants and their log needs the scope to read them, changing them the one to write them", async () => {
  const acme = await team();
  const { id } = await robinJoins(acme);
  const reads = ["", "/permissions", `/${id}`, `/${id}/calls`, `/${id}/queued-changes`];
  const writes = [`/${id}/pause`, `/${id}/resume`, `/${id}/revoke`, `/${id}/token`];
  const statuses = async (scope: ApiKeyScope) => {
    const ask = await keyWith(acme, [scope]);
    const asked = [
      ...reads.map((path) => ask("GET", `/assistants${path}`)),
      ...writes.map((path) => ask("POST", `/assistants${path}`)),
      ask("PATCH", `/assistants/${id}`, { name: "Robin" }),
    ];
    return (await Promise.all(asked)).map(({ status }) => status);
  };
  expect(await statuses("assistants:read")).toEqual([200, 200, 200, 200, 200, 403, 403, 403, 403, 403]);
  expect((await acme.get(`/assistants/${id}`)).body.data.attributes.state).toBe("active");
  expect((await statuses("assistants:write")).slice(0, 5)).toEqual([403, 403, 403, 403, 403]);
});

test("a key that may only read assistants sees which tools were called, and not what was written", async () => {
  const acme = await team();
  const { conversationId } = await veraWrites(acme);
  const robin = await robinJoins(acme);
  const said = { conversation_id: conversationId, content: "The code of the door is 4711." };
  await robinCalls({ app }, robin, "add-note", said);
  await robinCalls({ app }, robin, "search-knowledge-base", { query: "door" });
  const calls = async (...scopes: ApiKeyScope[]) => {
    const ask = await keyWith(acme, ["assistants:read", ...scopes]);
    const { body } = await ask("GET", `/assistants/${robin.id}/calls`);
    return body.data.map(({ attributes }: { attributes: { tool: string; arguments: object } }) => [
      attributes.tool,
      attributes.arguments,
    ]);
  };
  await expect.poll(() => calls()).toHaveLength(2);
  expect(Object.fromEntries(await calls())).toEqual({ "add-note": {}, "search-knowledge-base": {} });
  expect(Object.fromEntries(await calls("knowledge:read"))).toEqual({
    "add-note": {},
    "search-knowledge-base": { query: "door" },
  });
  expect(Object.fromEntries(await calls("conversations:write"))).toMatchObject({ "add-note": said });
});
