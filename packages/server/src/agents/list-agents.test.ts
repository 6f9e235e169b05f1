/** GET /agents. */

import { deactivate } from "@frontdesk/testing/deactivate-agent";
import { specifyList } from "@frontdesk/testing/list-promises";
import { idsOf, invalid } from "@frontdesk/testing/rest-answers";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { describe, expect, test } from "vitest";
import { createAgent } from "./create-agent.ts";

const { app, storage, team, clock } = await startTestApp();

specifyList({
  usual: 20,
  most: 100,
  async fill(rows) {
    const acme = await team();
    const ids = [acme.ada.id];
    while (ids.length < rows) ids.push((await addAgent(acme, `agent-${ids.length}@acme.test`)).id);
    return { team: acme, path: "/agents", ids };
  },
});

test("an agent has the documented attributes and no others; an invited one has no name yet", async () => {
  const acme = await team();
  await acme.post("/agents/invite", { agents: ["lin@acme.test"] });
  const { status, body } = await acme.get("/agents");
  expect(status).toBe(200);
  const common = { online_status: "offline", profile_photo_url: null, resized_profile_photo_url: null };
  expect(body.data).toEqual([
    {
      type: "agent-user",
      id: acme.ada.id,
      attributes: { ...common, email: acme.ada.email, name: "Ada", status: "active", role: "CHAT_AGENT_OWNER" },
    },
    {
      type: "agent-user",
      id: expect.any(String),
      attributes: { ...common, email: "lin@acme.test", name: null, status: "invited", role: "CHAT_AGENT_MEMBER" },
    },
  ]);
});

test("a deactivated agent is listed as deactivated", async () => {
  const acme = await team();
  const grace = await addAgent(acme, "grace@acme.test");
  await deactivate(storage, acme.teamId, grace.id);
  const { body } = await acme.get("/agents?email=grace@acme.test");
  expect(body.data[0].attributes.status).toBe("deactivated");
});

test("agents are listed by the time they were made, then by id", async () => {
  const acme = await team();
  const made = [acme.ada.id];
  for (const [index, pause] of [1, 0, 60_000, 0].entries()) {
    clock.advance(pause);
    made.push((await addAgent(acme, `agent-${9 - index}@acme.test`)).id);
  }
  expect(idsOf(await acme.get("/agents"))).toEqual(made);
});

test("a team sees no agent of another team", async () => {
  const [acme, sams] = [await team(), await team()];
  expect(idsOf(await sams.get("/agents"))).toEqual([sams.ada.id]);
  expect(idsOf(await sams.get(`/agents?email=${acme.ada.email}`))).toEqual([]);
});

describe("the filter email", () => {
  test("finds the one agent with this e-mail, whatever its case, and the links keep it", async () => {
    const acme = await team();
    const grace = await addAgent(acme, "Grace+Chat@Acme.test");
    for (const email of ["Grace+Chat@Acme.test", "grace+chat@acme.test", "GRACE+CHAT@ACME.TEST"]) {
      const { status, body } = await acme.get(`/agents?email=${encodeURIComponent(email)}`);
      expect(status).toBe(200);
      expect(idsOf({ body })).toEqual([grace.id]);
      expect(body.meta).toEqual({
        pagination: { total: 1, count: 1, per_page: 20, current_page: 1, total_pages: 1 },
      });
      for (const link of [body.links.self, body.links.first, body.links.last]) {
        expect(Object.fromEntries(new URL(link).searchParams)).toEqual({ email, page: "1", limit: "20" });
      }
      expect(body.links.next).toBeNull();
    }
  });

  test("is a whole address: a part of one finds no agent", async () => {
    const acme = await team();
    await addAgent(acme, "grace.hopper@acme.test");
    for (const email of ["hopper@acme.test", "grace.hopper@acme.te", "nobody@acme.test"]) {
      const { body } = await acme.get(`/agents?email=${email}`);
      expect(body.data).toEqual([]);
      expect(body.meta.pagination).toMatchObject({ total: 0, count: 0, total_pages: 1 });
    }
  });

  test("has one page, and those beyond it are empty", async () => {
    const acme = await team();
    const { status, body } = await acme.get(`/agents?email=${acme.ada.email}&page=2`);
    expect(status).toBe(200);
    expect(body.data).toEqual([]);
    expect(body.meta.pagination).toMatchObject({ total: 1, count: 0, current_page: 2, total_pages: 1 });
    expect(body.links.next).toBeNull();
  });

  test.each(["", "grace", "grace@", "@acme.test", "grace@acme.test,ada@acme.test"])(
    "that is no e-mail address gives 422: %j",
    async (email) => {
      const acme = await team();
      const { status, body } = await acme.get(`/agents?email=${encodeURIComponent(email)}`);
      expect(status).toBe(422);
      expect(body).toEqual(invalid("email"));
    },
  );
});

const addAgent = (acme: TestTeam, email: string) =>
  app.perform(acme.actor, createAgent, { email, name: "Grace", role: "CHAT_AGENT_MEMBER", passwordHash: null });
