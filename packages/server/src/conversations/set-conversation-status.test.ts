/** POST /conversations/{conversation_id}/resolve (decisions 3 and 4). */

import { deactivate } from "@frontdesk/testing/deactivate-agent";
import { invalid, NO_IDS, refused } from "@frontdesk/testing/rest-answers";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { adaReplies, adaSets, conversationOf, eventsOf, veraWrites } from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";
import { createApiKey } from "../access/create-api-key.ts";
import { createAgent } from "../agents/create-agent.ts";
import { conversationById } from "./conversation-store.ts";

const { app, storage, team, clock, request } = await startTestApp();

describe("status resolved", () => {
  test("resolves the conversation; the answer is a message and the conversation", async () => {
    const acme = await team();
    const { conversationId, contactId } = await veraWrites(acme);
    const created_at = new Date(clock.now()).toISOString();
    clock.advance(60_000);
    const { status, body } = await acme.post(`/conversations/${conversationId}/resolve`, { status: "resolved" });
    expect(status).toBe(200);
    expect(body).toEqual({
      message: "Conversation resolved.",
      data: {
        type: "conversations",
        id: conversationId,
        attributes: { is_resolved: true, contact_id: contactId, unread_messages: 1, created_at },
      },
    });
    expect(await conversationOf(acme, conversationId)).toEqual(body.data.attributes);
    expect(await stored(acme, conversationId)).toMatchObject({ is_resolved: 1, resolved_at: clock.now() });
  });

  test("records conversation.resolved with resolved_at and resolved_by, the agent's e-mail included", async () => {
    const acme = await team();
    const { conversationId, contactId } = await veraWrites(acme);
    clock.advance(60_000);
    const [event, ...others] = await eventsOf(acme, () => adaSets(acme, conversationId, "resolved"));
    expect(others).toEqual([]);
    expect(event).toMatchObject({ name: "conversation.resolved", conversation_id: conversationId });
    expect(event?.data).toEqual({
      conversation: {
        id: conversationId,
        channel: "website",
        status: "resolved",
        widget_name: "Website",
        identifier: acme.widgetId,
        resolved_at: new Date(clock.now()).toISOString(),
      },
      visitor: { id: contactId, name: "Vera", email: null, phone: null },
      resolved_by: { agent: { id: acme.ada.id, name: "Ada", email: acme.ada.email } },
    });
  });
});

describe("agent_id", () => {
  test("becomes resolved_by.agent, also of an invited agent", async () => {
    const acme = await team();
    const grace = await addGrace(acme);
    await acme.post("/agents/invite", { agents: ["lin@acme.test"] });
    const [lin] = (await acme.get("/agents?email=lin@acme.test")).body.data;
    for (const [agent_id, agent] of [
      [grace.id, { id: grace.id, name: "Grace", email: grace.email }],
      [grace.id.toUpperCase(), { id: grace.id, name: "Grace", email: grace.email }],
      [lin.id, { id: lin.id, name: "lin@acme.test", email: "lin@acme.test" }],
    ]) {
      const { conversationId } = await veraWrites(acme);
      const [event] = await eventsOf(acme, () =>
        acme.post(`/conversations/${conversationId}/resolve`, { status: "resolved", agent_id }),
      );
      expect(event?.data.resolved_by).toEqual({ agent });
    }
  });

  test("left out, it is the agent who made the API key", async () => {
    const acme = await team();
    const grace = await addGrace(acme);
    const { value } = await app.perform(acme.actor, createApiKey, { name: "Grace's", agentId: grace.id });
    const { conversationId } = await veraWrites(acme);
    const [event] = await eventsOf(acme, () =>
      request("POST", `/conversations/${conversationId}/resolve`, {
        headers: { "x-api-key": value },
        body: { status: "resolved" },
      }),
    );
    expect(event?.data.resolved_by).toEqual({ agent: { id: grace.id, name: "Grace", email: grace.email } });
  });

  test("unknown, deactivated, another team's or no id at all gives 422 on agent_id and changes nothing", async () => {
    const [acme, sams] = [await team(), await team()];
    const grace = await addGrace(acme);
    await deactivate(storage, acme.teamId, grace.id);
    const { conversationId } = await veraWrites(acme);
    const events = await eventsOf(acme, async () => {
      for (const agent_id of [grace.id, sams.ada.id, "", null, 7, ...NO_IDS]) {
        const answer = await acme.post(`/conversations/${conversationId}/resolve`, { status: "resolved", agent_id });
        expect(answer.status).toBe(422);
        expect(answer.body).toEqual(invalid("agent_id"));
      }
    });
    expect(events).toEqual([]);
    expect((await conversationOf(acme, conversationId)).is_resolved).toBe(false);
  });
});

describe("status unresolved, or open", () => {
  test.each(["unresolved", "open"])("%s reopens the conversation and takes back what resolved it", async (word) => {
    const acme = await team();
    const { conversationId, contactId } = await veraWrites(acme);
    await adaSets(acme, conversationId, "resolved");
    clock.advance(60_000);
    const [event, ...others] = await eventsOf(acme, async () => {
      const { status, body } = await acme.post(`/conversations/${conversationId}/resolve`, { status: word });
      expect(status).toBe(200);
      expect(body).toEqual({
        message: "Conversation reopened.",
        data: {
          type: "conversations",
          id: conversationId,
          attributes: {
            is_resolved: false,
            contact_id: contactId,
            unread_messages: 1,
            created_at: expect.any(String),
          },
        },
      });
    });
    expect(await stored(acme, conversationId)).toMatchObject({
      is_resolved: 0,
      resolved_at: null,
      resolved_by: null,
      reopened_at: clock.now(),
    });
    expect(others).toEqual([]);
    expect(event).toMatchObject({ name: "conversation.reopened", data: { conversation: { status: "open" } } });
  });
});

test.each(["resolved", "open"] as const)(
  "asking for %s a second time is 200 and records no second event",
  async (status) => {
    const acme = await team();
    const { conversationId } = await veraWrites(acme);
    await adaSets(acme, conversationId, "resolved");
    await adaSets(acme, conversationId, status);
    const before = await stored(acme, conversationId);
    clock.advance(60_000);
    const events = await eventsOf(acme, async () => {
      const { body } = await acme.post(`/conversations/${conversationId}/resolve`, { status });
      expect(body.data.attributes.is_resolved).toBe(status === "resolved");
    });
    expect(events).toEqual([]);
    expect(await stored(acme, conversationId)).toEqual(before);
  },
);

test("resolving and reopening neither read nor write a message", async () => {
  const acme = await team();
  const { conversationId, contactId } = await veraWrites(acme);
  await adaReplies(acme, conversationId);
  await veraWrites(acme, { contact_id: contactId });
  for (const status of ["resolved", "open"] as const) {
    await adaSets(acme, conversationId, status);
    expect(await conversationOf(acme, conversationId)).toMatchObject({ unread_messages: 1 });
  }
  expect((await acme.get(`/conversations/${conversationId}/messages`)).body.meta.pagination.total).toBe(3);
});

test.each([{}, { status: "" }, { status: "closed" }, { status: "Resolved" }, { status: true }, { status: null }])(
  "a status that is missing or another gives 422: %j",
  async (said) => {
    const acme = await team();
    const { conversationId } = await veraWrites(acme);
    const { status, body } = await acme.post(`/conversations/${conversationId}/resolve`, said);
    expect(status).toBe(422);
    expect(body).toEqual(invalid("status"));
    expect((await conversationOf(acme, conversationId)).is_resolved).toBe(false);
  },
);

test("a conversation that is unknown, another team's, or no id at all gives 404, with one same body", async () => {
  const [acme, sams] = [await team(), await team()];
  const { conversationId } = await veraWrites(acme);
  for (const id of [conversationId, ...NO_IDS]) {
    const path = `/conversations/${encodeURIComponent(id)}/resolve`;
    const { status, body } = await sams.post(path, { status: "resolved" });
    expect(status).toBe(404);
    expect(body).toEqual(refused("Conversation not found."));
  }
  expect((await conversationOf(acme, conversationId)).is_resolved).toBe(false);
});

const addGrace = (acme: TestTeam) =>
  app.perform(acme.actor, createAgent, {
    email: "grace@acme.test",
    name: "Grace",
    role: "CHAT_AGENT_MEMBER",
    passwordHash: null,
  });

/** The conversation's row. */
const stored = (acme: TestTeam, id: string) =>
  storage.read((db) => db.first(conversationById, { team_id: acme.teamId, id }));
