/** POST /conversations/{conversation_id}/assignments and DELETE …/assignments/{agent_id} (decisions 65, 68, A38, A56). */

import { deactivate } from "@frontdesk/testing/deactivate-agent";
import { invalid, NO_IDS, refused } from "@frontdesk/testing/rest-answers";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { eventNamesOf, eventsOf, veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import { createAgent } from "../../agents/create-agent.ts";

const { app, team, storage, clock } = await startTestApp();

const graceOf = (acme: TestTeam) =>
  app.perform(acme.actor, createAgent, {
    email: `grace@${acme.teamId}.test`,
    name: "Grace",
    role: "CHAT_AGENT_MEMBER",
    passwordHash: null,
  });

/** The agents assigned to the team's only conversation, from the list of conversations. */
async function whoHas(acme: TestTeam): Promise<string[]> {
  const { body } = await acme.get("/conversations/all?include_fields=agents");
  return body.data[0].attributes.agents.map(({ name }: { name: string }) => name);
}

test("a conversation is given to one agent and another, and taken again: the agent who made the key has done it", async () => {
  const acme = await team();
  const grace = await graceOf(acme);
  const { conversationId } = await veraWrites(acme);
  const path = `/conversations/${conversationId}/assignments`;
  const events = await eventsOf(acme, async () => {
    const { status, body } = await acme.post(path, { agent_id: grace.id });
    expect(status).toBe(200);
    const attributes = { conversation_id: conversationId, agent: { id: grace.id, name: "Grace" } };
    expect(body).toEqual({
      message: "Conversation assigned.",
      data: { type: "assignment", id: grace.id, attributes },
    });
    clock.advance(1_000);
    await acme.post(path, { agent_id: acme.ada.id });
    expect(await whoHas(acme)).toEqual(["Grace", "Ada"]);
    const gone = await acme.delete(`${path}/${grace.id}`);
    expect(gone).toMatchObject({ status: 200, body: refused("Conversation unassigned.") });
    expect(await whoHas(acme)).toEqual(["Ada"]);
  });
  expect(events).toMatchObject([
    {
      name: "agent.assigned",
      actor: { kind: "api-key" },
      data: { agent: { name: "Grace" }, assigned_by: { agent: acme.ada } },
    },
    { name: "agent.assigned", data: { agent: { name: "Ada" } } },
    { name: "agent.unassigned", conversation_id: conversationId },
  ]);
});

test("who has it keeps it, and nothing is recorded; who does not have it cannot lose it", async () => {
  const acme = await team();
  const path = `/conversations/${(await veraWrites(acme)).conversationId}/assignments`;
  const first = await acme.post(path, { agent_id: acme.ada.id });
  const names = await eventNamesOf(acme, async () => {
    expect((await acme.post(path, { agent_id: acme.ada.id.toUpperCase() })).body).toEqual(first.body);
  });
  expect(names).toEqual([]);
  await acme.delete(`${path}/${acme.ada.id}`);
  const again = await acme.delete(`${path}/${acme.ada.id}`);
  expect(again).toMatchObject({ status: 404, body: refused("This agent is not assigned to the conversation.") });
});

test("an agent who is unknown, another team's, no id at all or deactivated is 422 on agent_id, and cannot lose it", async () => {
  const [acme, sams] = [await team(), await team()];
  const grace = await graceOf(acme);
  await deactivate(storage, acme.teamId, grace.id);
  const path = `/conversations/${(await veraWrites(acme)).conversationId}/assignments`;
  for (const agent_id of [sams.ada.id, grace.id, ...NO_IDS, ""]) {
    const { status, body } = await acme.post(path, { agent_id });
    expect(status).toBe(422);
    expect(body).toEqual({ ...invalid(), errors: { agent_id: ["Your team has no such agent."] } });
    if (agent_id === "") continue;
    const lost = await acme.delete(`${path}/${encodeURIComponent(agent_id)}`);
    expect(lost).toMatchObject({ status: 404, body: refused("This agent is not assigned to the conversation.") });
  }
  for (const wrong of [{}, { agent_id: null }, { agent_id: [acme.ada.id] }]) {
    expect((await acme.post(path, wrong)).body).toEqual(invalid("agent_id"));
  }
  expect(await whoHas(acme)).toEqual([]);
});

test("another team's conversation, and no id at all, is as one that does not exist, whichever agent is named", async () => {
  const [acme, sams] = [await team(), await team()];
  const { conversationId } = await veraWrites(acme);
  await acme.post(`/conversations/${conversationId}/assignments`, { agent_id: acme.ada.id });
  for (const id of [conversationId, ...NO_IDS.map(encodeURIComponent)]) {
    const path = `/conversations/${id}/assignments`;
    for (const agent_id of [sams.ada.id, acme.ada.id]) {
      for (const answer of [await sams.post(path, { agent_id }), await sams.delete(`${path}/${agent_id}`)]) {
        expect(answer).toMatchObject({ status: 404, body: refused("Conversation not found.") });
      }
    }
  }
  expect(await whoHas(acme)).toEqual(["Ada"]);
});

test("it needs conversations:write", async () => {
  for (const [scope, status] of [
    ["conversations:write", 404],
    ["conversations:read", 403],
    ["agents:write", 403],
  ] as const) {
    const acme = await team({ scopes: [scope] });
    const path = `/conversations/${NO_IDS[0]}/assignments`;
    expect((await acme.post(path, { agent_id: acme.ada.id })).status).toBe(status);
    expect((await acme.delete(`${path}/${acme.ada.id}`)).status).toBe(status);
  }
});
