/** Unassigning an agent, and our own event agent.unassigned. */

import { deactivate } from "@frontdesk/testing/deactivate-agent";
import { graceJoins } from "@frontdesk/testing/grace";
import { NO_IDS } from "@frontdesk/testing/rest-answers";
import { dump, query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { eventNamesOf, eventsOf, veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import { assignAgent } from "./assign-agent.ts";
import { unassignAgent } from "./unassign-agent.ts";

const { app, storage, team } = await startTestApp();

const unassign = (acme: TestTeam, conversationId: string, agentId: string, byAgentId?: string) =>
  app.perform(acme.actor, unassignAgent, {
    conversationId,
    agentId,
    by: byAgentId ? { agentId: byAgentId } : undefined,
  });

/** A conversation that Ada and Grace have. */
async function sharedConversation(acme: TestTeam) {
  const grace = await graceJoins({ app }, acme);
  const written = await veraWrites(acme);
  for (const { id } of [acme.ada, grace]) {
    await app.perform(acme.actor, assignAgent, { conversationId: written.conversationId, agentId: id });
  }
  return { ...written, grace };
}

test("the agent is unassigned, the others are not, and agent.unassigned says who removed them", async () => {
  const acme = await team();
  const { conversationId, contactId, grace } = await sharedConversation(acme);
  const [event, ...others] = await eventsOf(acme, async () => {
    const removed = await unassign(acme, conversationId, grace.id, acme.ada.id);
    expect(removed).toMatchObject({ conversation: { id: conversationId }, agent: grace });
  });
  expect(others).toEqual([]);
  expect(event).toMatchObject({ name: "agent.unassigned", conversation_id: conversationId, contact_id: contactId });
  expect(event?.data).toMatchObject({ visitor: { id: contactId }, agent: grace, removed_by: { agent: acme.ada } });
  const left = await query(storage, `SELECT agent_id FROM assignments WHERE conversation_id = '${conversationId}'`);
  expect(left).toEqual([{ agent_id: acme.ada.id }]);
});

test("it can be taken from an agent who was deactivated, and given again to one who was not", async () => {
  const acme = await team();
  const { conversationId, grace } = await sharedConversation(acme);
  await deactivate(storage, acme.teamId, grace.id);
  const names = await eventNamesOf(acme, async () => {
    await unassign(acme, conversationId, grace.id);
    await unassign(acme, conversationId, acme.ada.id);
    await app.perform(acme.actor, assignAgent, { conversationId, agentId: acme.ada.id });
  });
  expect(names).toEqual(["agent.unassigned", "agent.unassigned", "agent.assigned"]);
});

test("who does not have it cannot lose it: a colleague, a repeat, another team's agent, and no id at all", async () => {
  const [acme, sams] = [await team(), await team()];
  const { conversationId, grace } = await sharedConversation(acme);
  const bare = await veraWrites(acme);
  await unassign(acme, conversationId, grace.id);
  const before = await dump(storage);
  for (const [conversation, agent] of [
    [conversationId, grace.id],
    [bare.conversationId, acme.ada.id],
    [conversationId, sams.ada.id],
    ...NO_IDS.map((id) => [conversationId, id] as const),
  ] as const) {
    await expect(unassign(acme, conversation, agent)).rejects.toMatchObject({
      message: "This agent is not assigned to the conversation.",
      reason: { name: "not-found", what: "assignment" },
    });
  }
  expect(await dump(storage)).toBe(before);
});

test("another team's conversation is as an unknown one", async () => {
  const [acme, sams] = [await team(), await team()];
  const { conversationId } = await sharedConversation(acme);
  const before = await dump(storage);
  for (const id of [conversationId, ...NO_IDS]) {
    await expect(unassign(sams, id, acme.ada.id)).rejects.toMatchObject({
      reason: { name: "not-found", what: "conversation" },
    });
  }
  expect(await dump(storage)).toBe(before);
});
