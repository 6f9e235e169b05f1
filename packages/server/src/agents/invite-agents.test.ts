/** POST /agents/invite (decisions 7, 8 and 23). */

import { invalid } from "@frontdesk/testing/rest-answers";
import { asPage } from "@frontdesk/testing/signed-in";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { eventsOf } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";

const { app, team } = await startTestApp();

test("objects and plain e-mail addresses may stand in one list; the role is member when left out", async () => {
  const acme = await team();
  const { status, body } = await acme.post("/agents/invite", {
    agents: [
      { email: "grace@acme.test", name: "Grace", role: "CHAT_AGENT_ADMIN" },
      { email: "lin@acme.test", role: "CHAT_AGENT_MEMBER" },
      { email: "mia@acme.test", name: "Mia", team: "Sales" },
      "noor@acme.test",
    ],
  });
  expect(status).toBe(200);
  expect(body).toEqual({ message: expect.stringMatching(/^4 people invited\./) });
  expect((await invited(acme)).map(({ email, name, role, status: is }) => [email, name, role, is])).toEqual([
    ["grace@acme.test", "Grace", "CHAT_AGENT_ADMIN", "invited"],
    ["lin@acme.test", null, "CHAT_AGENT_MEMBER", "invited"],
    ["mia@acme.test", "Mia", "CHAT_AGENT_MEMBER", "invited"],
    ["noor@acme.test", null, "CHAT_AGENT_MEMBER", "invited"],
  ]);
});

test.each([
  ["objects alone", [{ email: "grace@acme.test", name: "Grace", role: "CHAT_AGENT_MEMBER" }]],
  ["addresses alone", ["grace@acme.test"]],
])("%s", async (_what, agents) => {
  const acme = await team();
  const { status, body } = await acme.post("/agents/invite", { agents });
  expect(status).toBe(200);
  expect(body).toEqual({ message: expect.stringMatching(/^1 person invited\./) });
  expect((await invited(acme)).map(({ email }) => email)).toEqual(["grace@acme.test"]);
});

test("the message holds a link for each, by which that person joins", async () => {
  const acme = await team();
  const { body } = await acme.post("/agents/invite", { agents: ["Grace@acme.test", { email: "lin@acme.test" }] });
  const links = [...body.message.matchAll(/^(\S+): (https:\/\/chat\.test\/app\/join\/\S+)$/gm)];
  expect(links.map(([, email]) => email)).toEqual(["Grace@acme.test", "lin@acme.test"]);
  expect(new Set(links.map(([, , link]) => link)).size).toBe(2);
  for (const [, email, link] of links) {
    const { pathname } = new URL(link as string);
    expect((await app.http.inject(pathname)).statusCode).toBe(200);
    expect((await asPage({ app }, "GET", pathname.replace("/app", ""))).body.email).toBe(email);
  }
});

test("each invited agent is recorded, and the link is in no event", async () => {
  const acme = await team();
  const events = await eventsOf(acme, () =>
    acme.post("/agents/invite", { agents: ["grace@acme.test", { email: "lin@acme.test", name: "Lin" }] }),
  );
  const [grace, lin] = await invited(acme);
  expect(events.map(({ name, data }) => ({ name, data }))).toEqual([
    {
      name: "agent.invited",
      data: {
        agent: { id: grace?.id, name: "grace@acme.test", email: "grace@acme.test", role: "CHAT_AGENT_MEMBER" },
      },
    },
    {
      name: "agent.invited",
      data: { agent: { id: lin?.id, name: "Lin", email: "lin@acme.test", role: "CHAT_AGENT_MEMBER" } },
    },
  ]);
  expect(JSON.stringify(events)).not.toContain("fd_invite_");
});

test("an e-mail that is already in the team, whatever its case, gives 422 on it, and no agent is invited", async () => {
  const acme = await team();
  await acme.post("/agents/invite", { agents: ["lin@acme.test"] });
  const agents = [
    "new@acme.test",
    acme.ada.email.toUpperCase(),
    { email: "other@acme.test" },
    { email: "LIN@acme.test" },
  ];
  const events = await eventsOf(acme, async () => {
    const { status, body } = await acme.post("/agents/invite", { agents });
    expect(status).toBe(422);
    expect(body).toEqual(invalid("agents.1.email", "agents.3.email"));
  });
  expect(events).toEqual([]);
  expect((await invited(acme)).map(({ email }) => email)).toEqual(["lin@acme.test"]);
});

test("an e-mail that is twice in the list, whatever its case, gives 422 on the second, and no agent is invited", async () => {
  const acme = await team();
  const agents = ["lin@acme.test", { email: "grace@acme.test" }, { email: "Lin@Acme.test", name: "Lin" }];
  const { status, body } = await acme.post("/agents/invite", { agents });
  expect(status).toBe(422);
  expect(body).toEqual(invalid("agents.2.email"));
  expect(await invited(acme)).toEqual([]);
});

test("the same person may be invited to another team", async () => {
  const [acme, sams] = [await team(), await team()];
  for (const each of [acme, sams]) {
    expect((await each.post("/agents/invite", { agents: ["grace@acme.test"] })).status).toBe(200);
    expect(await invited(each)).toHaveLength(1);
  }
});

test.each<[string, unknown, string]>([
  ["no list", undefined, "agents"],
  ["an empty list", [], "agents"],
  ["a single address", "grace@acme.test", "agents"],
  ["an object without an e-mail", [{ name: "Grace" }], "agents.0.email"],
  ["an address that is none", ["grace"], "agents.0"],
  ["an object with an address that is none", [{ email: "grace@" }], "agents.0.email"],
  ["an e-mail null", ["lin@acme.test", { email: null }], "agents.1.email"],
  ["a number", [7], "agents.0"],
  ["null", [null], "agents.0"],
  ["a list in the list", [["grace@acme.test"]], "agents.0"],
  ["the role owner", [{ email: "grace@acme.test", role: "CHAT_AGENT_OWNER" }], "agents.0.role"],
  ["an unknown role", [{ email: "grace@acme.test", role: "admin" }], "agents.0.role"],
  ["an empty name", [{ email: "grace@acme.test", name: "" }], "agents.0.name"],
  ["a name of another type", [{ email: "grace@acme.test", name: 7 }], "agents.0.name"],
])("%s gives 422 with the field named, and no agent is invited", async (_what, agents, field) => {
  const acme = await team();
  const { status, body } = await acme.post("/agents/invite", { agents });
  expect(status).toBe(422);
  expect(body).toEqual(invalid(field));
  expect(await invited(acme)).toEqual([]);
});

/** The team's agents besides Ada: their ids and attributes. */
async function invited(acme: TestTeam): Promise<{ id: string; email: string; [attribute: string]: unknown }[]> {
  const { body } = await acme.get("/agents?limit=100");
  return body.data.slice(1).map(({ id, attributes }: { id: string; attributes: object }) => ({ id, ...attributes }));
}
