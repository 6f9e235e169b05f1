/** Who is online, and who types (docs/decisions/0020-live-stream.md). */

import { PresenceFrame, TeamPresenceFrame, TypingNowFrame } from "@frontdesk/core/contract/live";
import { problemsOf } from "@frontdesk/testing/ajv";
import { browser } from "@frontdesk/testing/browser-visitor";
import { heldTimeouts } from "@frontdesk/testing/held-timeouts";
import { type Frame, type LiveSocket, listen } from "@frontdesk/testing/live-client";
import { startRedis } from "@frontdesk/testing/redis-server";
import { appOn, openBeside, query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { contactOf } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import { createApiKey } from "../access/create-api-key.ts";
import { PAGE_VISITS_MAX } from "../contacts/note-page-visit.ts";

const { storage, runtime, clock, team } = await startTestApp();
const timeouts = heldTimeouts();
const app = await appOn({ storage, runtime, timeouts });
const origin = await app.start();
/** What is waited for comes with the time: presence is sent and written a little later, and who leaves stays for a moment. */
const STEP_MS = 250;

/** Polls while the time of the server passes. */
const inTime = <T>(read: () => T) =>
  expect.poll(
    () => {
      timeouts.advance(STEP_MS);
      return read();
    },
    { interval: 10 },
  );

async function veraAtAcme() {
  const acme = await team();
  const vera = browser(app, acme);
  const { body } = await vera.write("Hello", { name: "Vera" });
  const contactId: string = body.contact.id;
  const conversationId: string = body.message.conversation_id;
  const comes = (base = origin) => listen(base, { token: vera.token, widget_id: acme.widgetId });
  return { acme, contactId, conversationId, comes };
}

/** What the stream was last sent of a contact. */
const lastOf = ({ frames }: LiveSocket, contactId: string): Frame =>
  frames.flatMap(({ contacts = [] }) => contacts).findLast(({ id }: { id: string }) => id === contactId);

const teamOnline = ({ frames }: LiveSocket) => frames.findLast((frame) => "team_online" in frame)?.team_online;

const agentOf = async ({ get, ada }: TestTeam) => (await get(`/agents/${ada.id}`)).body.data.attributes.online_status;

test("a visitor is online while a stream is open, on the team's streams and in the lists, and for a moment after", async () => {
  const { acme, contactId, comes } = await veraAtAcme();
  const agent = await listen(origin, { token: acme.apiKey });
  expect(await agent.heard("presence")).toMatchObject({ whole: true, contacts: [], agents: [] });
  expect(await contactOf(acme, contactId)).toMatchObject({ online_status: "offline" });

  clock.advance(60_000);
  const arrived = new Date(clock.now()).toISOString();
  const vera = await comes();
  await vera.heard("ready");
  await inTime(() => lastOf(agent, contactId)).toMatchObject({ online_status: "online", last_active_at: arrived });
  const seen = { online_status: "online", last_active_at: arrived };
  await inTime(() => contactOf(acme, contactId)).toMatchObject(seen);
  // A later stream gets it at once.
  const late = await listen(origin, { token: acme.apiKey });
  expect(await late.heard("presence")).toMatchObject({
    whole: true,
    contacts: [{ id: contactId, online_status: "online" }],
  });

  // A page change: offline, and online again. It is not announced.
  const told = agent.frames.length;
  const next = await comes();
  await next.heard("ready");
  vera.leave();
  next.leave();
  const again = await comes();
  await again.heard("ready");
  timeouts.advance(6_000);
  expect(await contactOf(acme, contactId)).toMatchObject(seen);
  expect(agent.frames).toHaveLength(told);

  clock.advance(60_000);
  const left = new Date(clock.now()).toISOString();
  again.leave();
  await inTime(() => lastOf(agent, contactId)).toMatchObject({ online_status: "offline", last_active_at: left });
  await inTime(() => contactOf(acme, contactId)).toMatchObject({ online_status: "offline", last_active_at: left });
  for (const frame of [...agent.frames, ...late.frames].filter(({ type }) => type === "presence")) {
    expect(problemsOf(PresenceFrame, frame)).toEqual([]);
  }
  expect((await acme.events()).map(({ name }) => name)).not.toContain("contact.updated");
});

test("a key's agent is online when its stream says that a person is there, and visitors see it", async () => {
  const { acme, comes } = await veraAtAcme();
  const vera = await comes();
  expect(await vera.heard("presence")).toEqual({ type: "presence", team_online: false });
  expect(problemsOf(TeamPresenceFrame, await vera.heard("presence"))).toEqual([]);
  const program = await listen(origin, { token: acme.apiKey });
  const ada = await listen(origin, { token: acme.apiKey, present: true });
  await inTime(() => teamOnline(vera)).toBe(true);
  await inTime(() => program.frames.at(-1)).toMatchObject({ agents: [{ id: acme.ada.id, online_status: "online" }] });
  await inTime(() => agentOf(acme)).toBe("online");
  ada.leave();
  await inTime(() => teamOnline(vera)).toBe(false);
  await inTime(() => agentOf(acme)).toBe("offline");
});

test("typing is sent to the other side, both ways, and to no other client; it ends with the stream", async () => {
  const { acme, conversationId, comes } = await veraAtAcme();
  const hugo = browser(app, acme);
  await hugo.write("I am Hugo.");
  const other = await listen(origin, { token: hugo.token, widget_id: acme.widgetId });
  const [vera, second] = [await comes(), await comes()];
  const [ada, colleague] = [await listen(origin, { token: acme.apiKey }), await listen(origin, { token: acme.apiKey })];
  for (const stream of [vera, second, other, ada, colleague]) await stream.heard("presence");

  vera.send({ type: "typing", conversation_id: conversationId, typing: true });
  const told = { type: "typing", conversation_id: conversationId, typing: true };
  for (const stream of [ada, colleague]) {
    expect(await stream.heard("typing")).toEqual({ ...told, from: "visitor", agent: null });
  }
  ada.send({ type: "typing", conversation_id: conversationId, typing: true });
  const byAda = { ...told, from: "agent", agent: { id: acme.ada.id, name: "Ada", photo_url: null } };
  for (const stream of [vera, second]) expect(await stream.heard("typing")).toEqual(byAda);
  expect(await colleague.heard("typing", 2)).toEqual(byAda);
  expect(problemsOf(TypingNowFrame, byAda)).toEqual([]);

  // Hugo types where he is not, and a key that may only read.
  other.send({ type: "typing", conversation_id: conversationId, typing: true });
  const { value } = await app.perform(acme.actor, createApiKey, { name: "reader", scopes: ["conversations:read"] });
  const reader = await listen(origin, { token: value });
  await reader.heard("presence");
  reader.send({ type: "typing", conversation_id: conversationId, typing: true });
  ada.leave();
  expect(await vera.heard("typing", 2)).toEqual({ ...byAda, typing: false });
  expect(ada.frames.filter(({ type }) => type === "typing")).toHaveLength(1);
  expect(other.frames.filter(({ type }) => type === "typing")).toEqual([]);
  expect(vera.frames.filter(({ type }) => type === "typing")).toHaveLength(2);
});

test("the pages that a visitor comes to are shown and kept, the first one and the latest", async () => {
  const { acme, contactId, comes } = await veraAtAcme();
  const agent = await listen(origin, { token: acme.apiKey });
  await agent.heard("presence");
  const vera = await comes();
  const visit = (url: string) => vera.send({ type: "page", url, title: "Shop" });
  // Before `ready`: it counts as well.
  visit("https://acme.test/0");
  await inTime(() => lastOf(agent, contactId)?.page).toEqual({ url: "https://acme.test/0", title: "Shop" });
  const pages = async () => (await contactOf(acme, contactId)).page_visited.map(({ page }: { page: string }) => page);
  await inTime(pages).toEqual(["https://acme.test/0"]);
  visit("https://acme.test/1");
  visit("https://acme.test/1");
  await inTime(pages).toEqual(["https://acme.test/0", "https://acme.test/1"]);

  const rows = Array.from(
    { length: PAGE_VISITS_MAX - 2 },
    (_, n) => `('${acme.teamId}', '${contactId}', '${runtime.newId()}', 'https://acme.test/${n + 2}', 1)`,
  );
  await query(storage, `INSERT INTO page_visits (team_id, contact_id, id, page, visited_at) VALUES ${rows.join()}`);
  visit("https://acme.test/new");
  await inTime(async () => (await pages()).at(-1)).toBe("https://acme.test/new");
  expect(await pages()).toHaveLength(PAGE_VISITS_MAX);
  expect((await pages()).slice(0, 2)).toEqual(["https://acme.test/0", "https://acme.test/2"]);
});

test("an agent left online by a process that died goes offline at the next start; when they were seen stays", async () => {
  const { acme, contactId } = await veraAtAcme();
  const { last_active_at } = await contactOf(acme, contactId);
  await query(storage, `UPDATE contacts SET online_status = 'online' WHERE team_id = '${acme.teamId}'`);
  await query(
    storage,
    `UPDATE agents SET online_status = 'online', last_active_at = 1 WHERE team_id = '${acme.teamId}'`,
  );
  clock.advance(200_000);
  const next = await appOn({ storage, runtime });
  await next.start();
  await expect.poll(() => contactOf(acme, contactId)).toMatchObject({ online_status: "offline", last_active_at });
  await expect.poll(() => agentOf(acme)).toBe("offline");
});

test("a server that stops takes those offline who were there", async () => {
  const other = await startTestApp();
  const base = await other.app.start();
  const acme = await other.team();
  const vera = browser(other.app, acme);
  const { body } = await vera.write("Hello");
  const beside = await openBeside(other.storage);
  const status = async () =>
    (await query(beside, `SELECT online_status FROM contacts WHERE id = '${body.contact.id}'`))[0];
  const stream = await listen(base, { token: vera.token, widget_id: acme.widgetId });
  await stream.heard("ready");
  await expect.poll(status).toEqual({ online_status: "online" });
  await other.app.close();
  expect(await status()).toEqual({ online_status: "offline" });
});

test("processes share by Redis who is online and who types", async () => {
  const redis = await startRedis();
  const start = async () => {
    const parts = { storage: await openBeside(storage), runtime, timeouts, env: { REDIS_URL: redis.url } };
    return (await appOn(parts)).start();
  };
  const [one, two] = [await start(), await start()];
  const { acme, contactId, conversationId, comes } = await veraAtAcme();
  const ada = await listen(two, { token: acme.apiKey, present: true });
  await ada.heard("presence");
  // A stream from before Redis was reached is notified when it is.
  const vera = await comes(one);
  await inTime(() => lastOf(ada, contactId)).toMatchObject({ online_status: "online" });
  await inTime(() => teamOnline(vera)).toBe(true);
  vera.send({ type: "typing", conversation_id: conversationId, typing: true });
  expect(await ada.heard("typing")).toMatchObject({ from: "visitor", typing: true });
  ada.send({ type: "typing", conversation_id: conversationId, typing: true });
  expect(await vera.heard("typing")).toMatchObject({ from: "agent", agent: { name: "Ada" }, typing: true });

  // To the other process and back: she has never left.
  const told = ada.frames.filter(({ type }) => type === "presence").length;
  const elsewhere = await comes(two);
  await elsewhere.heard("ready");
  vera.leave();
  await inTime(() => ada.frames.filter(({ typing }) => typing === false).length).toBe(1);
  elsewhere.leave();
  await inTime(() => lastOf(ada, contactId)).toMatchObject({ online_status: "offline" });
  expect(ada.frames.filter(({ type }) => type === "presence").length).toBeLessThanOrEqual(told + 1);
  await redis.kill();
});
