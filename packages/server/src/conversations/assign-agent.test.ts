/** The tool assign-conversation for one conversation, as an operation, and agent.assigned (decisions 47, 65 and 70). */

import { deactivate } from "@frontdesk/testing/deactivate-agent";
import { graceJoins } from "@frontdesk/testing/grace";
import { NO_IDS } from "@frontdesk/testing/rest-answers";
import { dump, query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { eventsOf, veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import { assignAgent } from "./assign-agent.ts";

const { app, storage, team, clock } = await startTestApp();

const assign = (acme: TestTeam, conversationId: string, agentId: string, byAgentId?: string) =>
  app.perform(acme.actor, assignAgent, {
    conversationId,
    agentId,
    by: byAgentId ? { agentId: byAgentId } : undefined,
  });

/** The agents of a conversation as the list of conversations shows them. */
async function agentsOf(acme: TestTeam, conversationId: string) {
  const { body } = await acme.get("/conversations/all?limit=100&include_fields=agents");
  return body.data.find(({ id }: { id: string }) => id === conversationId).attributes.agents;
}

test("the agent has the conversation, beside those who have it already", async () => {
  const acme = await team();
  const grace = await graceJoins({ app }, acme);
  const { conversationId } = await veraWrites(acme);
  const other = await veraWrites(acme);
  const assigned = await assign(acme, conversationId, grace.id);
  expect(assigned).toMatchObject({ conversation: { id: conversationId }, agent: grace });
  clock.advance(1_000);
  await assign(acme, conversationId.toUpperCase(), acme.ada.id.toUpperCase(), grace.id);
  expect(await agentsOf(acme, conversationId)).toEqual([grace, acme.ada]);
  expect(await agentsOf(acme, other.conversationId)).toEqual([]);
  const rows = await query(
    storage,
    `SELECT agent_id, assigned_by, created_at FROM assignments WHERE team_id = '${acme.teamId}' ORDER BY created_at`,
  );
  expect(rows.map(({ assigned_by, ...row }) => ({ ...row, assigned_by: JSON.parse(String(assigned_by)) }))).toEqual([
    { agent_id: grace.id, assigned_by: { system: {} }, created_at: clock.now() - 1_000 },
    { agent_id: acme.ada.id, assigned_by: { agent: grace }, created_at: clock.now() },
  ]);
});

test("it records agent.assigned once, with the e-mails of both agents", async () => {
  const acme = await team();
  const grace = await graceJoins({ app }, acme);
  const { conversationId, contactId } = await veraWrites(acme);
  const [event, ...others] = await eventsOf(acme, () => assign(acme, conversationId, grace.id, acme.ada.id));
  expect(others).toEqual([]);
  expect(event).toMatchObject({ name: "agent.assigned", conversation_id: conversationId, contact_id: contactId });
  expect(event?.data).toEqual({
    conversation: {
      id: conversationId,
      channel: "website",
      status: "open",
      widget_name: "Website",
      identifier: acme.widgetId,
    },
    visitor: { id: contactId, name: "Vera", email: null, phone: null },
    agent: grace,
    assigned_by: { agent: acme.ada },
  });
});

test("an agent who has the conversation keeps it, and no second event is recorded", async () => {
  const acme = await team();
  const { conversationId } = await veraWrites(acme);
  await assign(acme, conversationId, acme.ada.id);
  const before = await dump(storage);
  clock.advance(1_000);
  expect(await assign(acme, conversationId, acme.ada.id, acme.ada.id)).toMatchObject({ agent: acme.ada });
  expect(await dump(storage)).toBe(before);
});

test("an invited agent can have a conversation; without a name yet, the e-mail replaces it", async () => {
  const acme = await team();
  await acme.post("/agents/invite", { agents: ["lin@acme.test"] });
  const [{ id }] = (await acme.get("/agents?email=lin@acme.test")).body.data;
  const { conversationId } = await veraWrites(acme);
  const [event] = await eventsOf(acme, () => assign(acme, conversationId, id));
  expect(event?.data.agent).toEqual({ id, name: "lin@acme.test", email: "lin@acme.test" });
});

test("an agent who is deactivated, unknown, another team's, or no id at all is refused, and none is assigned", async () => {
  const [acme, sams] = [await team(), await team()];
  const grace = await graceJoins({ app }, acme);
  await deactivate(storage, acme.teamId, grace.id);
  const { conversationId, contactId } = await veraWrites(acme);
  const before = await dump(storage);
  for (const id of [grace.id, sams.ada.id, contactId, "", ...NO_IDS]) {
    await expect(assign(acme, conversationId, id)).rejects.toMatchObject({
      message: "Agent not found.",
      reason: { name: "not-found", what: "agent" },
    });
  }
  expect(await dump(storage)).toBe(before);
});

test("a conversation that is unknown, another team's, or no id at all is refused, before the agent is looked at", async () => {
  const [acme, sams] = [await team(), await team()];
  const { conversationId } = await veraWrites(acme);
  const before = await dump(storage);
  for (const id of [conversationId, ...NO_IDS]) {
    for (const agentId of [sams.ada.id, acme.ada.id]) {
      await expect(assign(sams, id, agentId)).rejects.toMatchObject({
        message: "Conversation not found.",
        reason: { name: "not-found", what: "conversation" },
      });
    }
  }
  expect(await dump(storage)).toBe(before);
});
