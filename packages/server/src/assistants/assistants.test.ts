/** Decisions 49 to 51: assistant connections, their grants, and when a change takes effect. */
import { Refusal } from "@frontdesk/core/domain/refusal";
import { dump, openBeside, query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import { createAuthentication } from "../access/authenticate.ts";
import { createAgent } from "../agents/create-agent.ts";
import { addTag } from "../tags/add-tag.ts";
import { createAssistant, type NewAssistant } from "./create-assistant.ts";
import { listAssistants } from "./list-assistants.ts";
import { setAssistantState, updateAssistant } from "./update-assistant.ts";

const { app, team, storage, clock } = await startTestApp();
const server = createAuthentication(storage, clock.now, () => {});

const connect = (acme: TestTeam, asked: Partial<NewAssistant> = {}) =>
  app.perform(acme.actor, createAssistant, {
    name: "Helper",
    permissions: "all",
    widgets: "all",
    channels: [],
    agentId: null,
    ...asked,
  });

const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error) => (error instanceof Refusal ? error.reason : error),
  );

test("the token is shown once, stored as a hash, and opens this connection of this team", async () => {
  const acme = await team();
  const { assistant, token } = await connect(acme);
  expect(token).toMatch(/^fd_assistant_/);
  const tables = await dump(storage);
  expect(tables).not.toContain(token);
  expect(tables).not.toContain(token.slice(13, 50));
  expect((await server.assistant(token)).actor).toMatchObject({ teamId: acme.teamId, assistantId: assistant.id });
  expect(JSON.stringify(await acme.events())).not.toContain(token.slice(13));
});

test("a missing, malformed, unknown or foreign token, an API key among them, is refused alike", async () => {
  const acme = await team();
  const { token } = await connect(acme);
  const last = token.at(-1) === "0" ? "1" : "0";
  for (const wrong of [undefined, "", "x", token.slice(0, -1) + last, acme.apiKey, `${token} `]) {
    expect(await refusal(server.assistant(wrong))).toEqual({ name: "not-authenticated" });
  }
  expect(await refusal(server.apiKey(token))).toEqual({ name: "not-authenticated" });
});

test("a grant names what is there: permissions, channels, widgets and an agent of the team", async () => {
  const [acme, sams] = [await team(), await team()];
  const wrong = {
    permissions: ["send_replies", "fly"],
    widgets: [sams.widgetId],
    channels: ["website"],
    agentId: sams.ada.id,
  };
  const reason = await refusal(connect(acme, wrong));
  expect(reason).toMatchObject({ name: "invalid" });
  expect(Object.keys((reason as { errors: object }).errors).toSorted()).toEqual([
    "agent_id",
    "channels",
    "permissions",
    "widgets",
  ]);
  expect(await app.perform(acme.actor, listAssistants, { page: 1, limit: 20 })).toEqual({ rows: [], total: 0 });
});

test("a change of the grant, a pause and the end of it are known at once here, and in another process", async () => {
  const acme = await team();
  const beside = await openBeside(storage);
  const other = createAuthentication(beside, clock.now, () => {});
  const { assistant, token } = await connect(acme);
  for (const one of [server, other]) expect((await one.assistant(token)).live).toBe(true);

  await app.perform(acme.actor, updateAssistant, { assistantId: assistant.id, change: { permissions: ["view_tags"] } });
  expect((await server.assistant(token)).actor.permissions).toEqual(["view_tags"]);
  await expect.poll(async () => (await other.assistant(token)).actor.permissions).toEqual(["view_tags"]);

  await app.perform(acme.actor, setAssistantState, { assistantId: assistant.id, state: "paused" });
  expect((await server.assistant(token)).live).toBe(false);
  await expect.poll(async () => (await other.assistant(token)).live).toBe(false);

  await app.perform(acme.actor, setAssistantState, { assistantId: assistant.id, state: "revoked" });
  expect(await refusal(server.assistant(token))).toEqual({ name: "not-authenticated" });
  await expect.poll(() => refusal(other.assistant(token))).toEqual({ name: "not-authenticated" });
});

test("a connection without any widget or channel is not live", async () => {
  const acme = await team();
  const { assistant, token } = await connect(acme, { widgets: [] });
  expect((await server.assistant(token)).live).toBe(false);
  await app.perform(acme.actor, updateAssistant, { assistantId: assistant.id, change: { widgets: [acme.widgetId] } });
  expect((await server.assistant(token)).live).toBe(true);
});

test("a state that it has already is kept and recorded once; a revoked connection stays revoked", async () => {
  const acme = await team();
  const { assistant } = await connect(acme);
  const set = (state: "active" | "paused" | "revoked") =>
    app.perform(acme.actor, setAssistantState, { assistantId: assistant.id, state });
  const before = (await acme.events()).length;
  await set("active");
  await set("paused");
  await set("paused");
  expect((await acme.events()).slice(before).map(({ name }) => name)).toEqual(["assistant.updated"]);
  await set("revoked");
  expect(await refusal(set("active"))).toMatchObject({ name: "invalid" });
});

test("another team's connection, and no id at all, are as one that does not exist", async () => {
  const [acme, sams] = [await team(), await team()];
  const { assistant } = await connect(acme);
  for (const assistantId of [assistant.id, sams.teamId, "x"]) {
    const asked = app.perform(sams.actor, setAssistantState, { assistantId, state: "revoked" });
    expect(await refusal(asked)).toEqual({ name: "not-found", what: "assistant" });
  }
  expect(await app.perform(sams.actor, listAssistants, { page: 1, limit: 20 })).toEqual({ rows: [], total: 0 });
});

test("an assistant performs what one of its permissions allows, and nothing outside its widgets exists for it", async () => {
  const acme = await team();
  const begun = await acme.post("/conversations", { widget_id: acme.widgetId, content: "Hello", name: "Vera" });
  const conversationId = begun.body.data.attributes.conversation_id as string;
  const actorOf = async (asked: Partial<NewAssistant>) =>
    (await server.assistant((await connect(acme, asked)).token)).actor;
  const tag = { conversationId, name: "shipping" };

  expect(await refusal(app.perform(await actorOf({ permissions: ["view_tags"] }), addTag, tag))).toEqual({
    name: "not-allowed",
  });
  const elsewhere = await actorOf({ widgets: [] });
  expect(await refusal(app.perform(elsewhere, addTag, tag))).toEqual({ name: "not-found", what: "conversation" });
  const { conversation } = await app.perform(await actorOf({ permissions: ["add_tags"] }), addTag, tag);
  expect(conversation.id).toBe(conversationId);
});

test("what an assistant does by itself is an automation's in the events, and its own in the log", async () => {
  const acme = await team();
  const begun = await acme.post("/conversations", { widget_id: acme.widgetId, content: "Hello", name: "Vera" });
  const grace = await app.perform(acme.actor, createAgent, {
    email: "grace@acme.test",
    name: "Grace",
    role: "CHAT_AGENT_MEMBER",
    passwordHash: null,
  });
  const { assistant, token } = await connect(acme, { agentId: grace.id });
  const { actor } = await server.assistant(token);
  await app.perform(actor, addTag, { conversationId: begun.body.data.attributes.conversation_id, name: "shipping" });
  const tagged = (await acme.events()).find(({ name }) => name === "tag.assigned");
  expect(tagged?.data.assigned_by).toEqual({ automation: { id: assistant.id, name: "Helper" } });
  expect(tagged?.actor).toEqual({ kind: "assistant", id: assistant.id });
});

test("its last use is noted, at most once a minute", async () => {
  const acme = await team();
  const { token } = await connect(acme);
  const lastUse = async () => {
    await storage.write(acme.teamId, async () => {});
    return (await query(storage, `SELECT last_used_at FROM assistants WHERE team_id = '${acme.teamId}'`))[0]
      ?.last_used_at;
  };
  const first = clock.now();
  await server.assistant(token);
  clock.advance(59_999);
  await server.assistant(token);
  expect(await lastUse()).toBe(first);
  clock.advance(1);
  await server.assistant(token);
  expect(await lastUse()).toBe(first + 60_000);
});
