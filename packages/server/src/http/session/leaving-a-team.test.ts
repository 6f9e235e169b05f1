/** What becomes of an agent who is deactivated, and of an invitation (docs/decisions/0046-edges-of-the-dashboard.md). */

import { invalid } from "@frontdesk/testing/rest-answers";
import { asPage, type SignedIn, signedIn } from "@frontdesk/testing/signed-in";
import { UNKNOWN_ID } from "@frontdesk/testing/signed-in-requests";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { adaSets, veraWrites } from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";
import { assignAgent } from "../../conversations/assign-agent.ts";

const kit = await startTestApp();
const { app, team } = kit;
// Jobs run in a server that has been started.
await app.start();

async function people(): Promise<{ acme: TestTeam; olga: SignedIn; abe: SignedIn; mia: SignedIn }> {
  const acme = await team();
  const [olga, abe, mia] = [
    await signedIn(kit, acme, "CHAT_AGENT_OWNER"),
    await signedIn(kit, acme, "CHAT_AGENT_ADMIN"),
    await signedIn(kit, acme),
  ];
  return { acme, olga, abe, mia };
}

const OPEN = 52;

const log = async (by: SignedIn) => (await by.get("/audit-log")).body.entries;

describe("a deactivated agent", () => {
  test("hands over their open conversations to the agent who was named, or to no one, and the log says so", async () => {
    const { acme, olga, abe, mia } = await people();
    const open: string[] = [];
    // More than one commit hands over.
    for (let written = 0; written <= OPEN; written += 1) {
      const { conversationId } = await veraWrites(acme, { email: `vera-${written}@acme.test` });
      await app.perform(acme.actor, assignAgent, { conversationId, agentId: abe.actor.agentId });
      if (written < OPEN) open.push(conversationId);
      else await adaSets(acme, conversationId, "resolved");
    }
    const path = `/agents/${abe.actor.agentId}`;
    expect((await olga.get(`${path}/open-conversations`)).body).toEqual({ count: OPEN });
    for (const wrong of [abe.actor.agentId, UNKNOWN_ID, "nobody"]) {
      expect(await olga.post(`${path}/deactivate`, { hand_over_to: wrong })).toMatchObject({
        status: 422,
        body: invalid("hand_over_to"),
      });
    }
    expect((await abe.get("/me")).status).toBe(200);
    expect((await olga.post(`${path}/deactivate`, { hand_over_to: mia.actor.agentId })).status).toBe(200);
    const openOf = async ({ actor }: SignedIn) =>
      (await olga.get(`/agents/${actor.agentId}/open-conversations`)).body.count;
    await expect.poll(() => openOf(mia)).toBe(OPEN);
    expect(await openOf(abe)).toBe(0);
    const { data } = (await olga.get("/v1/conversations/all?include_fields=agents&limit=100")).body;
    for (const { id, attributes } of data) {
      const assigned = attributes.agents.map((agent: { id: string }) => agent.id);
      expect(assigned).toEqual([open.includes(id) ? mia.actor.agentId : abe.actor.agentId]);
    }
    const handedOver = {
      conversations: OPEN,
      agent: { id: abe.actor.agentId },
      handed_over_to: { id: mia.actor.agentId },
    };
    expect(await log(olga)).toContainEqual(
      expect.objectContaining({ action: "deactivate-agent", what: expect.objectContaining({ conversations: OPEN }) }),
    );
    expect((await log(olga)).find(({ what }: { what: object }) => "conversations" in what).what).toMatchObject(
      handedOver,
    );

    await olga.post(`/agents/${mia.actor.agentId}/deactivate`, { hand_over_to: null });
    await expect.poll(() => openOf(mia)).toBe(0);
  });

  test("is told so by the sessions they had, which do not come back", async () => {
    const { olga, mia } = await people();
    await olga.post(`/agents/${mia.actor.agentId}/deactivate`, {});
    expect(await mia.get("/me")).toMatchObject({ status: 401, body: { reason: "account-deactivated" } });
    await olga.post(`/agents/${mia.actor.agentId}/reactivate`);
    expect(await mia.get("/me")).toMatchObject({ status: 401, body: { reason: "no-session" } });
  });

  test("is not what an invitation makes: it is revoked until the agent has joined", async () => {
    const { acme, abe, mia } = await people();
    const sent = await abe.post("/v1/agents/invite", { agents: ["lin@acme.test"] });
    const token = /\/join\/(\w+)/.exec(sent.body.message)?.[1];
    const lin = (await abe.get("/v1/agents?email=lin@acme.test")).body.data[0];
    const { conversationId } = await veraWrites(acme);
    await app.perform(acme.actor, assignAgent, { conversationId, agentId: lin.id });
    const revoked = await abe.delete(`/agents/${lin.id}/invitation`);
    expect(revoked).toMatchObject({ status: 200, body: { agent: { id: lin.id, status: "deactivated" } } });
    expect((await asPage(kit, "GET", `/join/${token}`)).status).toBe(404);
    await expect.poll(async () => (await abe.get(`/agents/${lin.id}/open-conversations`)).body.count).toBe(0);
    expect((await log(abe))[0]).toMatchObject({ action: "revoke-invitation", what: { agent: { id: lin.id } } });
    for (const { id } of [lin, { id: mia.actor.agentId }]) {
      expect(await abe.delete(`/agents/${id}/invitation`)).toMatchObject({ status: 422, body: invalid("agent") });
    }
  });
});
