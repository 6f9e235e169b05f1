/** POST /assistants, PATCH /assistants/{assistant}, pausing, resuming, revoking and new tokens (decisions 49 to 51). */
import { assistantPermissionNames } from "@frontdesk/core/domain/assistant-permissions";
import { type Robin, robinCalls, robinJoins } from "@frontdesk/testing/assistant-at-work";
import { deactivate } from "@frontdesk/testing/deactivate-agent";
import { graceJoins } from "@frontdesk/testing/grace";
import { comesBy } from "@frontdesk/testing/insert-rows";
import { invalid, refused } from "@frontdesk/testing/rest-answers";
import { appOn, dump, openBeside } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { eventNamesOf, veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import type { App } from "../app.ts";
import { createWidget } from "../widgets/create-widget.ts";

const server = await startTestApp();
const { app, team, storage, runtime, clock } = server;

/** The names of the tools that a token shows at present; the status when it shows none. */
async function toolsOf({ token }: Pick<Robin, "token">, on: App = app): Promise<string[] | number> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await on.http.inject({ method: "GET", url: "/tools", headers });
  if (answer.statusCode !== 200) return answer.statusCode;
  return answer.json().tools.map(({ name }: { name: string }) => name);
}

const statusOf = async (robin: Robin, tool: string, given: object = {}) =>
  (await robinCalls(server, robin, tool, given)).status;

test("the answer that connects an assistant holds its token, once; it opens the tools and is stored as a hash", async () => {
  const acme = await team();
  const asked = { name: "Robin", permissions: ["view_tags", "send_replies"], widgets: [acme.widgetId, acme.widgetId] };
  const { status, body } = await acme.post("/assistants", { ...asked, channels: ["email"], agent_id: acme.ada.id });
  const now = new Date(clock.now()).toISOString();
  const token = body.data.attributes.token as string;
  expect(status).toBe(201);
  expect(body).toEqual({
    message: "Assistant connected.",
    data: {
      type: "assistant",
      id: expect.any(String),
      attributes: {
        name: "Robin",
        state: "active",
        is_live: true,
        permissions: ["view_tags", "send_replies"],
        widgets: [acme.widgetId],
        channels: ["email"],
        agent_id: acme.ada.id,
        token_ending: token.slice(-4),
        created_by: acme.ada.id,
        created_at: now,
        updated_at: now,
        last_used_at: null,
        app: null,
        token: expect.stringMatching(/^fd_assistant_/),
      },
    },
  });
  expect(await toolsOf({ token })).toEqual(["view-tags", "send-message"]);
  const { token: _token, ...shown } = body.data.attributes;
  // Its use is noted beside the request.
  await expect
    .poll(async () => (await acme.get(`/assistants/${body.data.id}`)).body.data.attributes)
    .toEqual({ ...shown, last_used_at: now });
  const tables = await dump(storage);
  expect(tables).toContain(body.data.id);
  expect(tables).not.toContain(token.slice(13, 50));
});

test("all is every permission there is, and every widget and channel, also those to come", async () => {
  const acme = await team();
  const robin = await robinJoins(acme, { channels: "all", agent_id: null });
  const { attributes } = (await acme.get(`/assistants/${robin.id}`)).body.data;
  expect(attributes).toMatchObject({ permissions: assistantPermissionNames, widgets: "all", channels: "all" });
  const later = await app.perform(acme.actor, createWidget, { name: "Later" });
  const { conversationId } = await veraWrites(acme, { widget_id: later.id });
  expect(await statusOf(robin, "get-conversation", { conversation_id: conversationId })).toBe(200);
});

test("what is left out is not granted: no other channel than the website, and no agent to reply as", async () => {
  const acme = await team();
  const { body } = await acme.post("/assistants", { name: "Robin", permissions: "all", widgets: "all" });
  expect(body.data.attributes).toMatchObject({ channels: [], agent_id: null });
  const robin = { id: body.data.id, token: body.data.attributes.token };
  const { conversationId } = await veraWrites(acme);
  expect(await statusOf(robin, "get-conversation", { conversation_id: conversationId })).toBe(200);
  const said = { conversation_id: conversationId, content: "Hello" };
  const replied = await robinCalls(server, robin, "send-message", said);
  expect(replied).toMatchObject({ status: 422, body: { message: expect.stringContaining("No agent is configured") } });

  await comesBy(storage, acme, conversationId, "email");
  expect(await statusOf(robin, "get-conversation", { conversation_id: conversationId })).toBe(404);
  await acme.patch(`/assistants/${robin.id}`, { channels: ["email"] });
  expect(await statusOf(robin, "get-conversation", { conversation_id: conversationId })).toBe(200);
});

test("a grant names what the team has; else nothing is made, and every wrong field is named", async () => {
  const [acme, sams] = [await team(), await team()];
  const asked = { name: "Robin", permissions: "all", widgets: "all" };
  for (const [wrong, fields] of [
    [{ widgets: [acme.widgetId, sams.widgetId] }, ["widgets"]],
    [{ widgets: ["x"], agent_id: sams.ada.id }, ["widgets", "agent_id"]],
    [{ agent_id: "x" }, ["agent_id"]],
    [{ permissions: ["view_tags", "fly"] }, ["permissions.1"]],
    [{ permissions: "none" }, ["permissions"]],
    [{ channels: ["website"] }, ["channels.0"]],
    [{ name: "", permissions: null }, ["name", "permissions"]],
  ] as const) {
    const answer = await acme.post("/assistants", { ...asked, ...wrong });
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual(invalid(...fields));
  }
  expect((await acme.get("/assistants")).body.data).toEqual([]);
});

test("a repeat with the same Idempotency-Key creates no second connection, and answers the same token", async () => {
  const acme = await team();
  const asked = { name: "Robin", permissions: "all", widgets: "all" };
  const [first, second] = [
    await acme.post("/assistants", asked, { "idempotency-key": "robin" }),
    await acme.post("/assistants", asked, { "idempotency-key": "robin" }),
  ];
  expect(second.body).toEqual(first.body);
  expect((await acme.get("/assistants")).body.meta.pagination.total).toBe(1);
});

test("a changed grant is seen by the tools at once; what is left out stays", async () => {
  const acme = await team();
  const other = await app.perform(acme.actor, createWidget, { name: "Other" });
  const { conversationId } = await veraWrites(acme);
  const open = { conversation_id: conversationId };
  const robin = await robinJoins(acme);
  const change = async (body: object) => {
    const answer = await acme.patch(`/assistants/${robin.id}`, body);
    expect(answer).toMatchObject({ status: 200, body: { message: "Assistant updated." } });
    return answer.body.data.attributes;
  };
  expect([await statusOf(robin, "view-tags"), await statusOf(robin, "get-conversation", open)]).toEqual([200, 200]);

  clock.advance(1_000);
  const { permissions, widgets, name, updated_at } = await change({ permissions: ["read_conversations"] });
  expect({ permissions, widgets, name }).toEqual({
    permissions: ["read_conversations"],
    widgets: "all",
    name: "Robin",
  });
  expect(updated_at).toBe(new Date(clock.now()).toISOString());
  expect([await statusOf(robin, "view-tags"), await statusOf(robin, "get-conversation", open)]).toEqual([403, 200]);
  expect(await toolsOf(robin)).toEqual(["list-conversations", "get-conversation", "search-conversations"]);

  await change({ widgets: [other.id], name: "Night shift" });
  expect(await statusOf(robin, "get-conversation", open)).toBe(404);
  await change({ widgets: [other.id, acme.widgetId] });
  expect(await statusOf(robin, "get-conversation", open)).toBe(200);

  expect(await change({ widgets: [] })).toMatchObject({ state: "active", is_live: false, name: "Night shift" });
  expect(await toolsOf(robin)).toEqual([]);
  expect(await statusOf(robin, "get-conversation", open)).toBe(403);
});

test("a change that names nothing we know is refused, so that it does not look like one", async () => {
  const acme = await team();
  const robin = await robinJoins(acme);
  expect((await acme.patch(`/assistants/${robin.id}`, {})).body).toEqual(invalid("body"));
  const unknown = await acme.patch(`/assistants/${robin.id}`, { state: "revoked", permission: [] });
  expect(unknown.status).toBe(422);
  expect(unknown.body).toEqual(invalid("name", "permissions", "widgets", "channels", "agent_id"));
  expect(await toolsOf(robin)).toHaveLength(21);
});

test("an agent who has left prevents no other change, and can be removed", async () => {
  const acme = await team();
  const grace = await graceJoins({ app }, acme);
  const robin = await robinJoins(acme, { agent_id: grace.id });
  await deactivate(storage, acme.teamId, grace.id);
  const renamed = await acme.patch(`/assistants/${robin.id}`, { permissions: ["view_tags"] });
  expect(renamed.body.data.attributes).toMatchObject({ permissions: ["view_tags"], agent_id: grace.id });
  const named = await acme.patch(`/assistants/${robin.id}`, { agent_id: grace.id });
  expect(named).toMatchObject({ status: 422, body: invalid("agent_id") });
  const without = await acme.patch(`/assistants/${robin.id}`, { agent_id: null });
  expect(without.body.data.attributes.agent_id).toBeNull();
});

test("a pause takes the tools away and resuming gives them back, at once; a repeat changes and records nothing", async () => {
  const acme = await team();
  const robin = await robinJoins(acme);
  const to = (act: string) => acme.post(`/assistants/${robin.id}/${act}`);
  const names = await eventNamesOf(acme, async () => {
    for (let times = 0; times < 2; times += 1) {
      const paused = await to("pause");
      expect(paused).toMatchObject({ status: 200, body: { message: "The assistant is paused." } });
      expect(paused.body.data.attributes).toMatchObject({ state: "paused", is_live: false });
      expect(await toolsOf(robin)).toEqual([]);
      expect(await statusOf(robin, "view-tags")).toBe(403);
    }
  });
  expect(names).toEqual(["assistant.updated"]);
  const resumed = await to("resume");
  expect(resumed).toMatchObject({ status: 200, body: { message: "The assistant is active." } });
  expect(resumed.body.data.attributes).toMatchObject({ state: "active", is_live: true });
  expect(await statusOf(robin, "view-tags")).toBe(200);
});

test("a revoked connection is over for good: its token opens nothing, and nothing brings it back", async () => {
  const acme = await team();
  const robin = await robinJoins(acme);
  for (let times = 0; times < 2; times += 1) {
    const revoked = await acme.post(`/assistants/${robin.id}/revoke`);
    expect(revoked).toMatchObject({ status: 200, body: { message: "The assistant is revoked." } });
    expect(revoked.body.data.attributes).toMatchObject({ state: "revoked", is_live: false });
    expect(await toolsOf(robin)).toBe(401);
  }
  const names = await eventNamesOf(acme, async () => {
    for (const answer of [
      await acme.post(`/assistants/${robin.id}/pause`),
      await acme.post(`/assistants/${robin.id}/resume`),
      await acme.post(`/assistants/${robin.id}/token`),
      await acme.patch(`/assistants/${robin.id}`, { name: "Again" }),
    ]) {
      expect(answer.status).toBe(422);
      expect(answer.body).toEqual(invalid("state"));
    }
  });
  expect(names).toEqual([]);
  expect(await toolsOf(robin)).toBe(401);
});

test("a new token works at once and ends the old one at once, here and in another process", async () => {
  const acme = await team();
  const beside = await appOn({ storage: await openBeside(storage), runtime });
  const robin = await robinJoins(acme);
  for (const on of [app, beside]) expect(await toolsOf(robin, on)).toHaveLength(21);

  const { status, body } = await acme.post(`/assistants/${robin.id}/token`);
  const token = body.data.attributes.token as string;
  expect([status, body.message]).toEqual([200, "The old token no longer works."]);
  expect(body.data.attributes).toMatchObject({ state: "active", token_ending: token.slice(-4) });
  expect(token).not.toBe(robin.token);
  expect(await toolsOf(robin)).toBe(401);
  expect(await toolsOf({ token })).toHaveLength(21);
  await expect.poll(() => toolsOf(robin, beside)).toBe(401);
  expect(await toolsOf({ token }, beside)).toHaveLength(21);

  expect(await dump(storage)).not.toContain(token.slice(13, 50));
  expect((await acme.get(`/assistants/${robin.id}`)).body.data.id).toBe(robin.id);
  expect(JSON.stringify(await acme.events())).not.toContain(token.slice(13, 50));
});

test("a paused connection that gets a new token stays paused; a repeat with the same key answers the same", async () => {
  const acme = await team();
  const robin = await robinJoins(acme);
  await acme.post(`/assistants/${robin.id}/pause`);
  const renew = () => acme.post(`/assistants/${robin.id}/token`, undefined, { "idempotency-key": "lost it" });
  const [first, second] = [await renew(), await renew()];
  expect(second.body).toEqual(first.body);
  expect(first.body.data.attributes).toMatchObject({ state: "paused", is_live: false });
  expect(await toolsOf({ token: first.body.data.attributes.token })).toEqual([]);
});

test("what is asked of another team's connection changes nothing of it", async () => {
  const [acme, sams]: [TestTeam, TestTeam] = [await team(), await team()];
  const robin = await robinJoins(acme);
  for (const act of ["pause", "revoke", "resume", "token"]) {
    const answer = await sams.post(`/assistants/${robin.id}/${act}`);
    expect(answer).toMatchObject({ status: 404, body: refused("Assistant not found.") });
  }
  expect((await sams.patch(`/assistants/${robin.id}`, { widgets: [] })).status).toBe(404);
  expect(await toolsOf(robin)).toHaveLength(21);
});
