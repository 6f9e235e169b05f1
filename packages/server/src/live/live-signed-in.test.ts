/** The live stream of agents signed in to the dashboard (docs/decisions/0025-signed-in-agents.md). */

import { browser } from "@frontdesk/testing/browser-visitor";
import { listen } from "@frontdesk/testing/live-client";
import { listenToEvents } from "@frontdesk/testing/live-client-sse";
import { overTheWire } from "@frontdesk/testing/second-app";
import { OWN_PAGE, type SignedIn, signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import { deactivateAgent } from "../agents/deactivate-agent.ts";
import { setAgentRole } from "../agents/set-agent-role.ts";
import { SESSION_LIFE_MS } from "../sessions/session.ts";

const kit = await startTestApp();
const { app, team, clock } = kit;
const origin = await app.start();

const listenAs = (who: SignedIn, hello: object = {}, headers: Record<string, string> = OWN_PAGE) =>
  listen(origin, hello, { cookie: who.cookie, ...headers });

test("an agent gets events by their cookie alone, over each transport", async () => {
  const acme = await team();
  const mia = await signedIn(kit, acme);
  const socket = await listenAs(mia);
  const stream = await listenToEvents(origin, { headers: { cookie: mia.cookie, ...OWN_PAGE } });
  const { number, epoch } = await socket.heard("ready");
  await stream.heard("ready");
  const { conversationId } = await veraWrites(acme);
  await expect.poll(() => socket.events().length).toBeGreaterThanOrEqual(3);
  expect(socket.events().at(-1)).toMatchObject({ name: "message.received", conversation: { id: conversationId } });
  await expect.poll(() => stream.frames.filter(({ type }) => type === "event").length).toBe(socket.events().length);
  const poll = await overTheWire(origin, {
    path: `/live/poll?since=${number}&epoch=${epoch}`,
    headers: { cookie: mia.cookie, ...OWN_PAGE },
  });
  expect(poll.status).toBe(200);
  expect(poll.body.frames.filter(({ type }: { type: string }) => type === "event")).toHaveLength(
    socket.events().length,
  );
});

test("a page of another site opens no stream with an agent's cookie, nor does a request without an origin", async () => {
  const mia = await signedIn(kit, await team());
  for (const headers of [{}, { "sec-fetch-site": "cross-site" }, { "sec-fetch-site": "same-site" }]) {
    const socket = await listenAs(mia, {}, headers as Record<string, string>);
    await expect.poll(socket.closed, { message: JSON.stringify(headers) }).toMatchObject({ code: 4001 });
  }
  const foreign = { cookie: mia.cookie, "sec-fetch-site": "cross-site" };
  expect((await listenToEvents(origin, { headers: foreign })).status).toBe(401);
  expect((await overTheWire(origin, { path: "/live/poll", headers: foreign })).status).toBe(401);
  expect((await overTheWire(origin, { path: "/live/poll" })).status).toBe(401);
});

test.each([
  ["signing out", async (_acme: TestTeam, mia: SignedIn) => void (await mia.post("/sign-out"))],
  [
    "being deactivated",
    async (acme: TestTeam, mia: SignedIn) =>
      void (await app.perform(acme.actor, deactivateAgent, { agentId: mia.actor.agentId })),
  ],
  [
    "another role",
    async (acme: TestTeam, mia: SignedIn) =>
      void (await app.perform(acme.actor, setAgentRole, { agentId: mia.actor.agentId, role: "CHAT_AGENT_ADMIN" })),
  ],
])("%s ends the streams of the session within a moment, with 4001, and no one else's", async (_what, end) => {
  const acme = await team();
  const [mia, abe] = [await signedIn(kit, acme), await signedIn(kit, acme, "CHAT_AGENT_ADMIN")];
  const [socket, other] = [await listenAs(mia), await listenAs(abe)];
  const stream = await listenToEvents(origin, { headers: { cookie: mia.cookie, ...OWN_PAGE } });
  for (const each of [socket, other, stream]) await each.heard("ready");
  await end(acme, mia);
  await expect.poll(socket.closed).toMatchObject({ code: 4001 });
  await expect.poll(stream.closed).toMatchObject({ code: 4001 });
  expect(other.closed()).toBeUndefined();
  const late = await listenAs(mia);
  await expect.poll(late.closed).toMatchObject({ code: 4001 });
});

test("a session that has had its time ends its streams, though nothing else happens", async () => {
  const acme = await team();
  const [mia, abe] = [await signedIn(kit, acme), await signedIn(kit, acme)];
  const [socket, other] = [await listenAs(mia), await listenAs(abe)];
  for (const each of [socket, other]) await each.heard("ready");
  // All streams have been looked at again since they began: from now on only time says so.
  await abe.post("/sign-out");
  await expect.poll(other.closed).toMatchObject({ code: 4001 });
  expect(socket.closed()).toBeUndefined();
  clock.advance(SESSION_LIFE_MS);
  await expect.poll(socket.closed).toMatchObject({ code: 4001 });
});

test("members get no events of what their role may not read", async () => {
  const acme = await team();
  const [mia, abe] = [await signedIn(kit, acme), await signedIn(kit, acme, "CHAT_AGENT_ADMIN")];
  const [ofMember, ofAdmin] = [await listenAs(mia), await listenAs(abe)];
  for (const each of [ofMember, ofAdmin]) await each.heard("ready");
  await acme.post("/webhooks", {
    name: "Shop",
    endpoint_url: "https://hooks.test/x",
    is_active: false,
    events: ["message.received"],
  });
  await veraWrites(acme);
  for (const each of [ofMember, ofAdmin]) {
    await expect.poll(() => each.events().map(({ name }) => name)).toContain("message.received");
  }
  expect(ofAdmin.events().map(({ name }) => name)).toContain("webhook.created");
  expect(ofMember.events().map(({ name }) => name)).not.toContain("webhook.created");
});

test("a connected agent is online, or away when they want to be, for the team, for lists and for visitors", async () => {
  const acme = await team();
  const [mia, abe] = [await signedIn(kit, acme), await signedIn(kit, acme, "CHAT_AGENT_ADMIN")];
  const watching = await listenAs(abe);
  await watching.heard("presence");
  const shown = () =>
    watching.frames
      .filter(({ type }) => type === "presence")
      .flatMap(({ agents }) => agents)
      .findLast(({ id }: { id: string }) => id === mia.actor.agentId)?.online_status;
  const listed = async () => (await acme.get(`/agents/${mia.actor.agentId}`)).body.data.attributes.online_status;

  const vera = browser(app, acme);
  await vera.write("Is anybody there?");
  const visitor = await listen(origin, { token: vera.token, widget_id: acme.widgetId });
  const teamOnline = () => visitor.frames.findLast(({ type }) => type === "presence")?.team_online;

  expect((await mia.patch("/me", { availability: "away" })).body.agent.online_status).toBe("offline");
  const sitting = await listenAs(mia, { present: true });
  await sitting.heard("ready");
  await expect.poll(shown).toBe("away");
  await expect.poll(listed).toBe("away");
  expect(teamOnline()).toBe(false);
  await mia.patch("/me", { availability: "auto" });
  await expect.poll(shown).toBe("online");
  expect(await listed()).toBe("online");
  await expect.poll(teamOnline).toBe(true);
  expect((await mia.patch("/me", { availability: "away" })).body.agent.online_status).toBe("away");
  await expect.poll(shown).toBe("away");
  expect(await listed()).toBe("away");
  await expect.poll(teamOnline).toBe(false);
});

test("an agent who is idle on all screens for long is away, and online again with the first activity on one", async () => {
  const acme = await team();
  const [mia, abe] = [await signedIn(kit, acme), await signedIn(kit, acme, "CHAT_AGENT_ADMIN")];
  const watching = await listenAs(abe);
  await watching.heard("presence");
  const shown = () =>
    watching.frames
      .filter(({ type }) => type === "presence")
      .flatMap(({ agents }) => agents)
      .findLast(({ id }: { id: string }) => id === mia.actor.agentId)?.online_status;
  const listed = async () => (await acme.get(`/agents/${mia.actor.agentId}`)).body.data.attributes.online_status;
  const vera = browser(app, acme);
  await vera.write("Is anybody there?");
  const visitor = await listen(origin, { token: vera.token, widget_id: acme.widgetId });
  const teamOnline = () => visitor.frames.findLast(({ type }) => type === "presence")?.team_online;

  const [desk, phone] = [await listenAs(mia, { present: true }), await listenAs(mia, { present: true })];
  await Promise.all([desk.heard("ready"), phone.heard("ready")]);
  await expect.poll(shown).toBe("online");
  desk.send({ type: "away", away: true });
  phone.send({ type: "away", away: true });
  await expect.poll(shown).toBe("away");
  await expect.poll(listed).toBe("away");
  await expect.poll(teamOnline).toBe(false);

  phone.send({ type: "away", away: false });
  await expect.poll(shown).toBe("online");
  await expect.poll(listed).toBe("online");
  await expect.poll(teamOnline).toBe(true);

  // Only the unused screen is left.
  phone.leave();
  await expect.poll(shown).toBe("away");
  await expect.poll(listed).toBe("away");
});

test("a typing agent is shown to the visitor by their own name", async () => {
  const acme = await team();
  const [mia, abe] = [await signedIn(kit, acme), await signedIn(kit, acme)];
  const { conversationId } = await veraWrites(acme);
  const [typing, watching] = [await listenAs(mia), await listenAs(abe)];
  for (const each of [typing, watching]) await each.heard("ready");
  typing.send({ type: "typing", conversation_id: conversationId, typing: true });
  expect(await watching.heard("typing")).toMatchObject({ from: "agent", agent: { id: mia.actor.agentId } });
});
