/** The REST API for signed-in agents (docs/decisions/0025-signed-in-agents.md): one contract, two ways to authenticate. */
import { randomUUID } from "node:crypto";
import { type RestOperation, rest } from "@frontdesk/core/contract";
import { invalid } from "@frontdesk/testing/rest-answers";
import { query } from "@frontdesk/testing/second-app";
import { signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { conversationOf, eventsOf, veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";

const kit = await startTestApp({ REST_RATE_LIMIT: "3" });
const { app, team } = kit;

test("every operation of the catalogue is there below /app/api/v1, and only behind a session", async () => {
  const acme = await team();
  for (const { method, path } of Object.values(rest as Record<string, RestOperation>)) {
    const url = `/app/api/v1${path.replaceAll(/\{\w+\}/g, "x")}`;
    const headers = { "sec-fetch-site": "same-origin", "x-api-key": acme.apiKey };
    const answer = await app.http.inject({ method, url, headers });
    expect({ path, status: answer.statusCode, body: answer.json() }).toEqual({
      path,
      status: 401,
      body: { message: "Please sign in.", reason: "no-session" },
    });
  }
});

test("what an agent does is theirs: the message, who resolved, and the actor of the events", async () => {
  const acme = await team();
  const mia = await signedIn(kit, acme);
  const { conversationId } = await veraWrites(acme);
  const events = await eventsOf(acme, async () => {
    const said = { conversation_id: conversationId, content: "We do, Vera." };
    expect((await mia.post("/v1/messages", said)).body.data.attributes.agent).toMatchObject({ id: mia.actor.agentId });
    expect((await mia.post(`/v1/conversations/${conversationId}/resolve`, { status: "resolved" })).status).toBe(200);
  });
  for (const { actor } of events) expect(actor).toEqual({ kind: "agent", id: mia.actor.agentId });
  expect(events.at(-1)?.data.resolved_by).toEqual({
    agent: { id: mia.actor.agentId, name: mia.name, email: mia.email },
  });
  const written = `SELECT sent_via FROM messages WHERE agent_id = '${mia.actor.agentId}'`;
  expect(await query(kit.storage, written)).toEqual([{ sent_via: "dashboard" }]);
  expect((await conversationOf(acme, conversationId)).is_resolved).toBe(true);
});

test("an agent cannot write in another agent's name", async () => {
  const acme = await team();
  const mia = await signedIn(kit, acme, "CHAT_AGENT_OWNER");
  const { conversationId } = await veraWrites(acme);
  const said = { conversation_id: conversationId, content: "I am Ada.", agent_id: acme.ada.id };
  expect(await mia.post("/v1/messages", said)).toMatchObject({ status: 422, body: invalid("agent_id") });
  const own = { ...said, agent_id: mia.actor.agentId };
  expect((await mia.post("/v1/messages", own)).status).toBe(201);
});

test("the limit of API keys is theirs alone: a session has a wide one, and no headers of a key's", async () => {
  const mia = await signedIn(kit, await team());
  for (let index = 0; index < 10; index += 1) {
    const answer = await mia.get("/v1/contacts");
    expect(answer.status).toBe(200);
    expect(answer.headers).not.toHaveProperty("x-ratelimit-limit");
  }
});

test("a request with an idempotency key is done once, also when the agent signs in again between two tries", async () => {
  const acme = await team();
  const mia = await signedIn(kit, acme);
  const { conversationId } = await veraWrites(acme);
  const said = { conversation_id: conversationId, content: "Once." };
  const headers = { "idempotency-key": randomUUID() };
  const first = await mia.post("/v1/messages", said, headers);
  const again = await mia.again();
  const second = await again.post("/v1/messages", said, headers);
  expect([second.status, second.headers["idempotent-replayed"]]).toEqual([201, "true"]);
  expect(second.body).toEqual(first.body);
  const other = await signedIn(kit, acme);
  expect((await other.post("/v1/messages", said, headers)).headers).not.toHaveProperty("idempotent-replayed");
});
