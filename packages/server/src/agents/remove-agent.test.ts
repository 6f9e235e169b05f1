/** An agent who has left becomes a former colleague (docs/decisions/0058-former-colleagues.md). */
import { randomUUID } from "node:crypto";
import { invalid } from "@frontdesk/testing/rest-answers";
import { dump, query } from "@frontdesk/testing/second-app";
import { type SignedIn, signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { connect } from "@frontdesk/testing/tool-caller";
import { adaSets, veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import { createApiKey } from "../access/create-api-key.ts";
import { assignAgent } from "../conversations/assign-agent.ts";
import { setConversationStatus } from "../conversations/set-conversation-status.ts";
import { updateOwnProfile } from "./update-own-profile.ts";

const kit = await startTestApp();
const { app, storage, team } = kit;
// Jobs run in a server that has been started.
await app.start();

async function people(): Promise<{ acme: TestTeam; olga: SignedIn; mia: SignedIn; path: string }> {
  const acme = await team();
  const [olga, mia] = [await signedIn(kit, acme, "CHAT_AGENT_OWNER"), await signedIn(kit, acme, "CHAT_AGENT_ADMIN")];
  return { acme, olga, mia, path: `/agents/${mia.actor.agentId}` };
}

async function allErased({ teamId }: TestTeam): Promise<void> {
  const running = `SELECT id FROM erasures WHERE team_id = '${teamId}' AND finished_at IS NULL`;
  await expect.poll(() => query(storage, running)).toEqual([]);
}

test("a removed agent is nowhere by name or address, and what they wrote and did has them as its author", async () => {
  const { acme, olga, mia, path } = await people();
  const { agentId } = mia.actor;
  const name = `Mia${agentId.slice(0, 8)}`;
  await app.perform(mia.actor, updateOwnProfile, { name, filesUrl: "https://chat.acme.test/files" });
  await app.perform(acme.actor, createApiKey, { name: "Shop", agentId });
  const first = await veraWrites(acme);
  const at = `/inbox/conversations/${first.conversationId}`;
  const reply = { conversation_id: first.conversationId, agent_id: agentId, content: "On its way." };
  const { id: messageId } = (await acme.post("/messages", reply)).body.data;
  expect((await mia.request("PUT", `${at}/draft`, { mode: "note", content: "Begun" })).status).toBe(200);
  await app.perform(mia.actor, assignAgent, { conversationId: first.conversationId, agentId });
  const robin = await connect(app, acme);
  await robin.result("search-contacts", { query: `written by ${mia.email}` });
  const calls = `SELECT arguments FROM tool_calls WHERE assistant_id = '${robin.assistantId}'`;
  await expect.poll(async () => (await query(storage, calls)).length).toBe(1);
  await app.perform(mia.actor, setConversationStatus, {
    conversationId: first.conversationId,
    status: "resolved",
    agentId,
  });
  await olga.post(`${path}/deactivate`, {});
  const job = `'${acme.teamId}', '${randomUUID()}', 'send-mail', '', 'failed', 6, 0, '550 <${mia.email}>: no such mailbox', 0`;
  const columns = "team_id, id, kind, payload_sealed, state, attempts, run_at, last_error, created_at";
  await query(storage, `INSERT INTO jobs (${columns}) VALUES (${job})`);
  const before = await dump(storage);
  expect([name, mia.email].filter((word) => !before.includes(word))).toEqual([]);

  const { status, body } = await olga.post(`${path}/remove`, {});
  expect(status).toBe(200);
  expect(body.agent).toEqual({ id: agentId, name: "Former colleague" });
  await allErased(acme);
  const after = await dump(storage);
  expect([name, mia.email].filter((word) => after.includes(word))).toEqual([]);
  expect((await acme.get(`/agents/${agentId}`)).body.data).toMatchObject({
    id: agentId,
    attributes: { name: "Former colleague", email: null, status: "deactivated", profile_photo_url: null },
  });
  const { messages } = (await olga.get(`${at}/messages`)).body;
  const written = messages.find((each: { id: string }) => each.id === messageId);
  expect(written).toMatchObject({ content: reply.content, agent: { id: agentId, name: "Former colleague" } });
  const lines = (await olga.get("/audit-log")).body.entries;
  expect(lines.filter(({ action }: { action: string }) => action === "remove-agent")).toHaveLength(1);
  expect(JSON.stringify(lines)).not.toContain(name);
  const rows = async (table: string) =>
    (await query(storage, `SELECT agent_id FROM ${table} WHERE agent_id = '${agentId}'`)).length;
  for (const table of ["sessions", "drafts", "sign_ins", "preferences", "own_reads"]) expect(await rows(table)).toBe(0);
  const keys = `SELECT id FROM api_keys WHERE agent_id = '${agentId}' AND revoked_at IS NULL`;
  expect(await query(storage, keys)).toEqual([]);
  expect((await query(storage, calls)).map((call) => call.arguments)).toEqual(["{}"]);
  expect((await mia.get("/me")).status).toBe(401);
  expect((await olga.post(`${path}/remove`, {})).status).toBe(200);
  expect(await olga.post(`${path}/reactivate`)).toMatchObject({ status: 403, body: { message: "Agent not found." } });
  const invited = await olga.post("/agents", { agents: [mia.email] });
  expect(invited.status).toBe(200);
  expect(invited.body.invitations[0].agent.id).not.toBe(agentId);
});

test("only a deactivated agent is removed, and their open conversations go to the agent who was named", async () => {
  const { acme, olga, mia, path } = await people();
  expect(await olga.post(`${path}/remove`, {})).toMatchObject({ status: 422, body: invalid("agent") });
  const { conversationId } = await veraWrites(acme);
  await app.perform(acme.actor, assignAgent, { conversationId, agentId: mia.actor.agentId });
  await olga.post(`${path}/deactivate`, {});
  expect(await olga.post(`${path}/remove`, { hand_over_to: mia.actor.agentId })).toMatchObject({
    status: 422,
    body: invalid("hand_over_to"),
  });
  expect((await olga.post(`${path}/remove`, { hand_over_to: olga.actor.agentId })).status).toBe(200);
  const openOf = async (id: string) => (await olga.get(`/agents/${id}/open-conversations`)).body.count;
  await expect.poll(() => openOf(olga.actor.agentId)).toBe(1);
  expect(await openOf(mia.actor.agentId)).toBe(0);
  await adaSets(acme, conversationId, "resolved");
});

test("an admin removes no owner, and a member no one", async () => {
  const { acme, olga, mia, path } = await people();
  const max = await signedIn(kit, acme);
  expect((await max.post(`${path}/remove`, {})).status).toBe(403);
  const other = await signedIn(kit, acme, "CHAT_AGENT_OWNER");
  await olga.post(`/agents/${other.actor.agentId}/deactivate`, {});
  expect((await mia.post(`/agents/${other.actor.agentId}/remove`, {})).status).toBe(403);
});
