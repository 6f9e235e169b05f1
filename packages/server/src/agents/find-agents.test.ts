/** The tool list-agents, and `agent_query` of the tool assign-conversation, as operations. */

import { assistantOf } from "@frontdesk/testing/assistant-actor";
import { deactivate } from "@frontdesk/testing/deactivate-agent";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { beforeAll, describe, expect, test } from "vitest";
import type { Actor } from "../access/actor.ts";
import type { Operation } from "../context.ts";
import { createAgent } from "./create-agent.ts";
import { agentNamed, findAgents, type NamedAgent } from "./find-agents.ts";

const { app, storage, team, clock } = await startTestApp();

const find = (actor: Actor, query?: string, limit = 50) => app.perform(actor, findAgents, { query, limit });
const namesOf = async (query?: string, limit?: number) =>
  (await find(assistantOf(acme), query, limit)).map(({ name, email }) => name ?? email);

let acme: TestTeam;
beforeAll(async () => {
  acme = await team();
  for (const [name, email] of [
    ["Grace Hopper", "grace@acme.test"],
    ["Grace", "g.kelly@acme.test"],
    ["José", "pepe@acme.test"],
    ["Ｋｅｉｋｏ", "keiko@acme.test"],
    [null, "lin@acme.test"],
    ["Gone", "gone@acme.test"],
    ["lin@acme.test", "impostor@acme.test"],
    ["Percy 100%", "percy_p@acme.test"],
  ] as const) {
    clock.advance(1_000);
    await joins(name, email);
  }
});

/** Adds an agent to the team; without a name, they are invited and have not joined yet. */
async function joins(name: string | null, email: string, to = acme): Promise<void> {
  if (name === null) {
    await to.post("/agents/invite", { agents: [email] });
    return;
  }
  const who = { name, email, role: "CHAT_AGENT_MEMBER", passwordHash: null } as const;
  const { id } = await app.perform(to.actor, createAgent, who);
  if (name === "Gone") await deactivate(storage, to.teamId, id);
}

describe("list-agents", () => {
  test("without a query: everybody who is not deactivated, oldest first, at most as many as were asked for", async () => {
    const everybody = [
      "Ada",
      "Grace Hopper",
      "Grace",
      "José",
      "Ｋｅｉｋｏ",
      "lin@acme.test",
      "lin@acme.test",
      "Percy 100%",
    ];
    for (const query of [undefined, "", "   "]) expect(await namesOf(query)).toEqual(everybody);
    expect(await namesOf(undefined, 2)).toEqual(["Ada", "Grace Hopper"]);
    expect(await namesOf("acme.test", 3)).toEqual(["Ada", "Grace Hopper", "Grace"]);
  });

  test.each([
    ["a part of a name", "hopp", ["Grace Hopper"]],
    ["a part of an e-mail", "kelly@", ["Grace"]],
    ["whatever the case", "GRACE", ["Grace Hopper", "Grace"]],
    ["spaces around it are cut off", "  hopper ", ["Grace Hopper"]],
    ["a composed letter, asked for decomposed", "jose\u0301", ["José"]],
    ["full-width letters by plain ones", "keiko", ["Ｋｅｉｋｏ"]],
    ["a percent sign is only itself", "%", ["Percy 100%"]],
    ["an underscore is only itself", "_", ["Percy 100%"]],
    ["an agent who is deactivated", "gone", []],
    ["a word of the role", "CHAT_AGENT", []],
    ["no text across a name and an e-mail", "hopper grace@", []],
  ])("%s: %s", async (_what, query, names) => {
    expect(await namesOf(query)).toEqual(names);
  });

  test("an invited agent without a name is listed", async () => {
    const globex = await team();
    await globex.post("/agents/invite", { agents: ["lin@globex.test"] });
    expect(await find(assistantOf(globex), "lin")).toMatchObject([
      { name: null, email: "lin@globex.test", status: "invited", online_status: "offline" },
    ]);
  });

  test("another team's agents are not there, whatever was granted", async () => {
    const sams = await team();
    expect(await find(assistantOf(sams, { widgets: [acme.widgetId] }))).toMatchObject([{ id: sams.ada.id }]);
    expect(await find(assistantOf(sams), "grace")).toEqual([]);
  });

  test("without the permission assign_conversations no agent is listed", async () => {
    const robin = assistantOf(acme, { permissions: ["read_conversations", "send_replies"] });
    await expect(find(robin)).rejects.toMatchObject({ reason: { name: "not-allowed" } });
  });
});

describe("agent_query", () => {
  /** Searches in a transaction, as assign-conversation does. */
  const asks: Operation<{ query: string }, NamedAgent> = {
    name: "find-agents",
    mode: "read",
    run: (ctx, { query }) => agentNamed(ctx, query),
  };
  const named = (query: string, in_ = acme) => app.perform(assistantOf(in_), asks, { query });
  const one = (email: string) => ({ outcome: "one", agent: { email } });

  test.each([
    ["an exact e-mail", "grace@acme.test", "grace@acme.test"],
    ["an exact e-mail in another case", " G.KELLY@Acme.test", "g.kelly@acme.test"],
    ["an exact e-mail before the same text as a name", "lin@acme.test", "lin@acme.test"],
    ["an exact name before a part of another", "grace", "g.kelly@acme.test"],
    ["a part that one name holds", "hopp", "grace@acme.test"],
    ["a part that one e-mail holds", "pepe", "pepe@acme.test"],
  ])("%s names one agent", async (_what, query, email) => {
    expect(await named(query)).toMatchObject(one(email));
  });

  test("a part that several hold names none of them, and they are the candidates, oldest first", async () => {
    const several = await named("gra");
    expect(several).toMatchObject({
      outcome: "several",
      candidates: [{ email: "grace@acme.test" }, { email: "g.kelly@acme.test" }],
    });
  });

  test("a name that two share names neither", async () => {
    const globex = await team();
    for (const email of ["sam.1@globex.test", "sam.2@globex.test"]) await joins("Sam", email, globex);
    await joins("Samantha", "samantha@globex.test", globex);
    expect(await named("SAM", globex)).toMatchObject({
      outcome: "several",
      candidates: [{ email: "sam.1@globex.test" }, { email: "sam.2@globex.test" }],
    });
  });

  test("of very many the first 50 are candidates", async () => {
    const globex = await team();
    for (let n = 0; n < 52; n += 1) await joins(`Sam ${n}`, `sam.${n}@globex.test`, globex);
    const several = await named("sam", globex);
    expect(several.outcome === "several" && several.candidates).toHaveLength(50);
  });

  test.each(["gone", "gone@acme.test", "nobody", "", "   "])("%j matches no agent", async (query) => {
    expect(await named(query)).toEqual({ outcome: "none" });
  });

  test("another team's agent is not found", async () => {
    const sams = await team();
    expect(await named("grace@acme.test", sams)).toEqual({ outcome: "none" });
  });
});
