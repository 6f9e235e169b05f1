/** Turns of the built-in AI, against a model server with real sockets (docs/decisions/0075-turns-of-the-ai.md). */
import { startAiScene } from "@frontdesk/testing/ai-scene";
import { appOn, query } from "@frontdesk/testing/second-app";
import { afterAll, beforeEach, expect, test } from "vitest";
import { blockContact } from "../../contacts/block-contact.ts";
import { assignAgent } from "../../conversations/assign-agent.ts";
import { returnToAssistant } from "../../conversations/return-to-assistant.ts";
import { setConversationStatus } from "../../conversations/set-conversation-status.ts";
import { updateAi } from "../settings/update-ai.ts";
import { askForPerson } from "../speaker/ask-for-person.ts";
import { confirmHelped } from "../speaker/confirm-helped.ts";
import { takeOver } from "../speaker/take-over.ts";
import { resolveOnSilence } from "./resolve-on-silence.ts";

const scene = await startAiScene();
const { app, model } = scene;
afterAll(() => model.stop());
beforeEach(() => model.setPersona("honest"));

const QUESTION = "How long does a parcel take?";
const asked = () => model.requests.length;
const eventNames = async (team: { events(): Promise<{ name: string }[]> }) =>
  (await team.events()).map(({ name }) => name);

test("a visitor's question is answered from an article, by an agent that says it is an AI", async () => {
  const acme = await scene.team();
  const { conversationId } = await scene.write(acme, QUESTION);
  expect(await scene.conversation(conversationId)).toMatchObject({ speaker: "ai" });
  await scene.turn(conversationId);
  const [answer] = await scene.said(conversationId);
  expect(answer).toContain("AI");
  expect(answer).toContain("3 working days");
  const [run] = await scene.runs(conversationId);
  expect(run).toMatchObject({ outcome: "answered", reason: "grounded" });
  // The AI reads nothing for the team.
  const { unread_messages, team_seen_number, waiting_since } = await scene.conversation(conversationId);
  expect([unread_messages, team_seen_number, waiting_since].map(Number)).toEqual([1, 0, 0]);
});

test("a timer that ends some milliseconds early makes no turn wait for the next look", async () => {
  const acme = await scene.team();
  const before = asked();
  // To the process of the turns, which then waits for this one.
  const written = await fetch(`${scene.origin}/api/v1/conversations`, {
    method: "POST",
    headers: { "X-API-KEY": acme.apiKey, "content-type": "application/json" },
    body: JSON.stringify({ widget_id: acme.widgetId, content: QUESTION }),
  });
  expect(written.status).toBe(200);
  const looked = () => query(scene.storage, "SELECT 1");
  scene.pass(1_100);
  await looked();
  scene.clock.advance(95);
  scene.timeouts.advance(100);
  await looked();
  scene.pass(5);
  await expect.poll(asked).toBe(before + 1);
});

test("a burst of messages gets one answer that knows all of it", async () => {
  const acme = await scene.team();
  const { conversationId, contactId } = await scene.write(acme, "Hello");
  for (const text of ["I have ordered something", QUESTION]) {
    scene.pass(700);
    await scene.write(acme, text, contactId);
  }
  const before = asked();
  await scene.turn(conversationId);
  expect(await scene.said(conversationId)).toHaveLength(1);
  expect(asked()).toBe(before + 1);
  for (const text of ["Hello", "I have ordered something", QUESTION])
    expect(model.requests.at(-1)?.raw).toContain(text);
});

const otherVoices: [string, (where: Where) => Promise<unknown>][] = [
  [
    "an agent's message",
    ({ team, conversationId }) => team.post("/messages", { conversation_id: conversationId, content: "I am here" }),
  ],
  ["taking over", ({ team, conversationId }) => app.perform(team.actor, takeOver, { conversationId })],
  [
    "an assignment",
    ({ team, conversationId }) => app.perform(team.actor, assignAgent, { conversationId, agentId: team.ada.id }),
  ],
  [
    "resolving",
    ({ team, conversationId }) =>
      app.perform(team.actor, setConversationStatus, { conversationId, status: "resolved", agentId: undefined }),
  ],
  ["blocking", ({ team, contactId }) => app.perform(team.actor, blockContact, { contactId })],
];
type Where = { team: Awaited<ReturnType<typeof scene.team>>; conversationId: string; contactId: string };

test.each(otherVoices)("nothing is said after %s, while the model is asked", async (_name, voice) => {
  const team = await scene.team();
  model.setPersona("silent");
  const before = asked();
  const where = { team, ...(await scene.write(team, QUESTION)) };
  scene.pass(1_300);
  await expect.poll(asked).toBe(before + 1);
  await voice(where);
  model.setPersona("honest");
  // The request is ended by the newer event, or by the time of a turn.
  scene.pass(15_000);
  scene.pass(31_000);
  await expect.poll(async () => (await scene.runs(where.conversationId)).length).toBe(1);
  expect(await scene.runs(where.conversationId)).toMatchObject([{ outcome: "dropped" }]);
  expect(await scene.said(where.conversationId)).toEqual([]);
  expect(
    await query(scene.storage, `SELECT * FROM ai_turns WHERE conversation_id = '${where.conversationId}'`),
  ).toEqual([]);
});

test("a message that is redacted in the middle of a turn is in no run", async () => {
  const acme = await scene.team();
  const held = model.holdNext();
  const { conversationId } = await scene.write(acme, QUESTION);
  scene.pass(1_300);
  await held.asked;
  const [message] = await query(scene.storage, `SELECT id FROM messages WHERE conversation_id = '${conversationId}'`);
  expect((await acme.post(`/messages/${message?.id}/redact`, {})).status).toBe(200);
  scene.pass(1_000);
  await expect.poll(async () => (await scene.runs(conversationId)).length).toBe(2);
  held.go();
  const { body } = await acme.get(`/ai/runs?conversation_id=${conversationId}`);
  expect(body.data.map(({ attributes }: { attributes: { outcome: string } }) => attributes.outcome)).toEqual([
    "handed-over",
    "dropped",
  ]);
  expect(JSON.stringify(body)).not.toContain(QUESTION);
});

test("with personal details replaced, none of a name or a page reaches the model", async () => {
  const acme = await scene.team({ redacts: true });
  const { conversationId, contactId } = await scene.write(acme, QUESTION);
  await query(scene.storage, `UPDATE contacts SET name = 'vera@example.com' WHERE id = '${contactId}'`);
  const page = "https://acme.test/?mail=vera@example.com";
  await query(scene.storage, `UPDATE conversations SET first_page_url = '${page}' WHERE id = '${conversationId}'`);
  const before = asked();
  await scene.turn(conversationId);
  const sent = JSON.stringify(model.requests.slice(before));
  expect(sent).toContain("Visitor's name: ‹email 1›");
  expect(sent).not.toContain("vera@example.com");
});

test("a question for a person is obeyed without a model: words and handoff in one commit, and the visitor's waiting goes on", async () => {
  const acme = await scene.team();
  const { conversationId } = await scene.write(acme, "I want to talk to a human");
  const { waiting_since } = await scene.conversation(conversationId);
  const before = asked();
  await scene.turn(conversationId);
  expect(asked()).toBe(before);
  expect(await scene.said(conversationId)).toHaveLength(1);
  const conversation = await scene.conversation(conversationId);
  expect(conversation).toMatchObject({ speaker: "waiting", waiting_since });
  expect(Number(conversation.unread_messages)).toBe(1);
  expect(conversation.handoff_requested_at).not.toBeNull();
  const events = await acme.events();
  const names = events.map(({ name }) => name);
  expect(names.slice(-3)).toEqual(["message.sent", "handoff.requested", "speaker.changed"]);
  expect(events.find(({ name }) => name === "handoff.requested")?.data).toMatchObject({ reason: "asked-for-human" });
});

test("where no one is online and no mail is sent, no email address is asked for: the answer comes in the chat", async () => {
  const acme = await scene.team();
  const { conversationId } = await scene.write(acme, "I want to talk to a human");
  await scene.turn(conversationId);
  const [said = ""] = await scene.said(conversationId);
  expect(said).toContain("No one is online right now. You’ll find the answer here in this chat.");
  expect(said).not.toContain("email");
});

test.each(["forgetful", "liar"] as const)(
  "what a %s model writes is not said: it is handed over with words",
  async (persona) => {
    const acme = await scene.team();
    model.setPersona(persona);
    const { conversationId } = await scene.write(acme, QUESTION);
    await scene.turn(conversationId);
    expect(await scene.runs(conversationId)).toMatchObject([{ outcome: "handed-over" }]);
    const said = await scene.said(conversationId);
    expect(said).toHaveLength(1);
    expect(said[0]).not.toContain("working days");
  },
);

test("a new episode knows nothing of the one before", async () => {
  const acme = await scene.team();
  const { conversationId, contactId } = await scene.write(
    acme,
    "My secret word is Rumpelstiltskin, and I want a human",
  );
  await scene.turn(conversationId);
  await app.perform(acme.actor, setConversationStatus, { conversationId, status: "resolved", agentId: undefined });
  await scene.write(acme, QUESTION, contactId);
  expect(await scene.conversation(conversationId)).toMatchObject({ speaker: "ai", handoff_requested_at: null });
  await scene.turn(conversationId);
  expect((await scene.runs(conversationId)).at(-1)).toMatchObject({ outcome: "answered" });
  expect(model.requests.at(-1)?.raw).not.toContain("Rumpelstiltskin");
});

test("after a human, returning to the assistant answers what waits", async () => {
  const acme = await scene.team();
  const { conversationId } = await scene.write(acme, QUESTION);
  await app.perform(acme.actor, takeOver, { conversationId });
  await scene.turn(conversationId);
  expect(await scene.said(conversationId)).toEqual([]);
  await app.perform(acme.actor, returnToAssistant, { conversationId });
  await scene.turn(conversationId);
  expect(await scene.said(conversationId)).toHaveLength(1);
  expect(await eventNames(acme)).toContain("speaker.changed");
});

test("a model that fails is words and a handoff, and after five failures new chats go to people", async () => {
  const acme = await scene.team();
  for (let time = 1; time <= 5; time += 1) {
    const { conversationId } = await scene.write(acme, QUESTION);
    expect(await scene.conversation(conversationId)).toMatchObject({ speaker: "ai" });
    model.failNext(400);
    await scene.turn(conversationId);
    expect(await scene.runs(conversationId)).toMatchObject([{ outcome: "handed-over", reason: "model-refused" }]);
  }
  const { conversationId } = await scene.write(acme, QUESTION);
  expect(await scene.conversation(conversationId)).toMatchObject({ speaker: "human" });
  scene.pass(61_000);
  const later = await scene.write(acme, QUESTION);
  expect(await scene.conversation(later.conversationId)).toMatchObject({ speaker: "ai" });
  await scene.turn(later.conversationId);
  expect(await scene.runs(later.conversationId)).toMatchObject([{ outcome: "answered" }]);
});

test("at the cap of the team visitors get people, and no token more is spent", async () => {
  const acme = await scene.team({ tokens_a_day: 10 });
  const before = asked();
  const { conversationId } = await scene.write(acme, QUESTION);
  await scene.turn(conversationId);
  expect(asked()).toBe(before);
  expect(await scene.runs(conversationId)).toMatchObject([{ outcome: "handed-over", reason: "cap-team" }]);
});

test("a turn whose process has died is run by another; one that is too old is handed over without a model", async () => {
  const acme = await scene.team();
  const { conversationId } = await scene.write(acme, QUESTION);
  const claimed = `UPDATE ai_turns SET claim = '${scene.runtime.newId()}', lease_until = ${scene.clock.now() + 20_000}, attempts = 1`;
  await query(scene.storage, `${claimed} WHERE conversation_id = '${conversationId}'`);
  scene.pass(10_000);
  expect(await scene.runs(conversationId)).toEqual([]);
  scene.pass(10_001);
  await expect.poll(async () => (await scene.runs(conversationId)).length).toBe(1);
  expect(await scene.runs(conversationId)).toMatchObject([{ outcome: "answered" }]);

  const other = await scene.write(acme, QUESTION);
  await query(scene.storage, `${claimed} WHERE conversation_id = '${other.conversationId}'`);
  scene.pass(61_000);
  await expect.poll(async () => (await scene.runs(other.conversationId)).length).toBe(1);
  expect(await scene.runs(other.conversationId)).toMatchObject([{ outcome: "handed-over", reason: "too-late" }]);
});

test("a process that stops in the middle of a turn hands nothing over: another one answers, at once", async () => {
  const stopping = await startAiScene({}, (storage) => ({ ...storage, close: async () => {} }));
  const { storage, runtime, timeouts, env } = stopping;
  const acme = await stopping.team();
  const { conversationId } = await stopping.write(acme, QUESTION);
  const { asked: isAsked } = stopping.model.holdNext();
  stopping.pass(1_300);
  await isAsked;
  await stopping.app.close();
  expect(await stopping.runs(conversationId)).toMatchObject([{ outcome: "dropped", reason: "lost-claim" }]);
  const next = await appOn({ storage, runtime, timeouts, env });
  await next.start();
  await expect.poll(async () => (await stopping.runs(conversationId)).length).toBe(2);
  expect((await stopping.runs(conversationId)).map(({ outcome }) => outcome)).toEqual(["dropped", "answered"]);
  expect(await stopping.said(conversationId)).toHaveLength(1);
  await stopping.model.stop();
});

test("two apps on one database never run one turn twice", async () => {
  const acme = await scene.team();
  const { storage, runtime, timeouts, env } = scene;
  const second = await appOn({ storage, runtime, timeouts, env });
  await second.start();
  const where = await Promise.all(Array.from({ length: 12 }, () => scene.write(acme, QUESTION)));
  scene.pass(1_300);
  for (const { conversationId } of where) {
    await expect
      .poll(async () => {
        scene.timeouts.advance(1_000);
        return (await scene.runs(conversationId)).length;
      })
      .toBe(1);
    expect(await scene.said(conversationId)).toHaveLength(1);
  }
});

test("what the AI has done can be read over REST, with the very request, and a human can take over", async () => {
  const acme = await scene.team();
  const { conversationId } = await scene.write(acme, QUESTION);
  await scene.turn(conversationId);
  const { body: list } = await acme.get(`/ai/runs?conversation_id=${conversationId}`);
  expect(list.meta.pagination.total).toBe(1);
  const [run] = list.data;
  expect(run).toMatchObject({
    type: "ai-runs",
    attributes: { outcome: "answered", reason: "grounded", message_id: expect.any(String) },
  });
  expect(run.attributes.sources).toEqual([{ article_id: expect.any(String), title: QUESTION }]);
  expect(run.attributes.calls[0].request).toContain(QUESTION);
  expect((await acme.get(`/ai/runs/${run.id}`)).body.data).toEqual(run);
  expect((await acme.post(`/conversations/${conversationId}/take-over`)).status).toBe(200);
  expect(await scene.conversation(conversationId)).toMatchObject({ speaker: "human" });
  expect((await acme.post(`/conversations/${conversationId}/return-to-assistant`)).status).toBe(200);
  expect(await scene.conversation(conversationId)).toMatchObject({ speaker: "ai" });
});

test("a visitor gets a person at once, and says that an answer helped", async () => {
  const acme = await scene.team();
  const { conversationId, contactId } = await scene.write(acme, QUESTION);
  const visitor = {
    kind: "visitor",
    teamId: acme.teamId,
    widgetId: acme.widgetId,
    tokenHash: "",
    contactId,
    verifiedUntil: undefined,
  } as const;
  await app.perform(visitor, confirmHelped, { conversationId });
  // Nothing was answered yet.
  expect(Number((await scene.conversation(conversationId)).is_resolved)).toBe(0);
  await scene.turn(conversationId);
  await app.perform(visitor, confirmHelped, { conversationId });
  expect(Number((await scene.conversation(conversationId)).is_resolved)).toBe(1);

  const other = await scene.write(acme, "Hello there");
  const second = { ...visitor, contactId: other.contactId };
  for (const _time of [1, 2]) await app.perform(second, askForPerson, { conversationId: other.conversationId });
  expect(await scene.said(other.conversationId)).toHaveLength(1);
  expect(await scene.conversation(other.conversationId)).toMatchObject({ speaker: "waiting" });
  expect(await scene.runs(other.conversationId)).toMatchObject([{ reason: "pressed-for-human" }]);
});

test("silence resolves only after a cited answer, and only while nothing has followed", async () => {
  const acme = await scene.team({ resolve_after_minutes: 10 });
  const { conversationId, contactId } = await scene.write(acme, QUESTION);
  await scene.turn(conversationId);
  scene.pass(5 * 60_000);
  await scene.write(acme, "Hello?", contactId);
  await scene.turn(conversationId);
  scene.pass(6 * 60_000);
  expect(Number((await scene.conversation(conversationId)).is_resolved)).toBe(0);

  const silent = await scene.write(acme, QUESTION);
  await scene.turn(silent.conversationId);
  scene.pass(10 * 60_000 + 1);
  await expect.poll(async () => Number((await scene.conversation(silent.conversationId)).is_resolved)).toBe(1);

  const kept = await scene.write(acme, QUESTION);
  await scene.turn(kept.conversationId);
  await app.perform(acme.actor, updateAi, { resolve_after_minutes: null });
  const after = Number((await scene.conversation(kept.conversationId)).last_message_number);
  const timer = { subjectId: kept.conversationId, armedFor: scene.clock.now(), data: { after } };
  await app.perform({ kind: "system", teamId: acme.teamId }, resolveOnSilence, timer);
  expect(Number((await scene.conversation(kept.conversationId)).is_resolved)).toBe(0);
});
