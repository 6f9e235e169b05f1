/** The summary of a handoff: a note for the team, by a job, at most once. */
import { startAiScene } from "@frontdesk/testing/ai-scene";
import { query } from "@frontdesk/testing/second-app";
import { afterAll, expect, test } from "vitest";
import { returnToAssistant } from "../../conversations/return-to-assistant.ts";
import { updateAi } from "../settings/update-ai.ts";
import { aiActor } from "../speaker/ai-at-work.ts";
import { askForPerson } from "../speaker/ask-for-person.ts";
import { gatherHandoffSummary } from "./gather-handoff-summary.ts";
import { noteHandoffSummary } from "./note-handoff-summary.ts";

const scene = await startAiScene();
const { app, model, storage } = scene;
afterAll(() => model.stop());

const QUESTION = "How long does a parcel take?";
const SUMMARY = "Vera wants her parcel. See https://evil.test/login or write to vera@example.com.";
type Team = Awaited<ReturnType<typeof scene.team>>;

const notes = (conversationId: string) =>
  query(storage, `SELECT * FROM messages WHERE conversation_id = '${conversationId}' AND type = 'note'`);
const jobsLeft = (team: Team) =>
  query(
    storage,
    `SELECT state FROM jobs WHERE team_id = '${team.teamId}' AND kind = 'summarise-handoff' AND state <> 'done'`,
  );

/** Vera has asked twice and got two answers. */
async function talked(team: Team, first = QUESTION) {
  const where = await scene.write(team, first);
  await scene.turn(where.conversationId);
  await scene.write(team, "Hello", where.contactId);
  await scene.turn(where.conversationId);
  return where;
}

async function asksForPerson(team: Team, { conversationId, contactId }: Awaited<ReturnType<typeof talked>>) {
  const { teamId, widgetId } = team;
  const visitor = { kind: "visitor", teamId, widgetId, tokenHash: "", contactId, verifiedUntil: undefined } as const;
  await app.perform(visitor, askForPerson, { conversationId });
}

test("after a handoff the team finds a note with the summary and the sources, which no visitor sees", async () => {
  const acme = await scene.team({ redacts: true });
  const vera = await talked(acme, `${QUESTION} I am vera@example.com.`);
  model.answerNext(SUMMARY.replace("vera@example.com", "‹email 1›"));
  await asksForPerson(acme, vera);
  await expect.poll(() => notes(vera.conversationId)).toHaveLength(1);
  const [note] = await notes(vera.conversationId);
  expect(note?.content).toContain("Vera wants her parcel.");
  // What the model was not shown is put back, and no address of its own is kept.
  expect(note?.content).toContain("vera@example.com");
  expect(note?.content).not.toContain("evil.test");
  expect(note?.content).toContain(QUESTION);
  const asked = model.requests.at(-1)?.raw ?? "";
  expect(asked).toContain("You summarise a conversation");
  expect(asked).not.toContain("vera@example.com");

  const { agent_id } = (await acme.get("/ai")).body.data.attributes;
  expect(note).toMatchObject({ agent_id, sent_via: "ai" });
  const conversation = await scene.conversation(vera.conversationId);
  expect(conversation).toMatchObject({ speaker: "waiting" });
  expect(Number(conversation.unread_messages)).toBeGreaterThan(0);
  const { body } = await acme.get(`/conversations/${vera.conversationId}/messages`);
  expect(
    body.data.filter(({ attributes }: { attributes: { type: string } }) => attributes.type === "note"),
  ).toHaveLength(1);
  const names = (await acme.events()).map(({ name }) => name);
  expect(names.slice(names.indexOf("handoff.requested"))).toEqual([
    "handoff.requested",
    "speaker.changed",
    "note.added",
  ]);
  // Its tokens are the team's.
  expect((await acme.get("/ai")).body.data.attributes.tokens_today).toBeGreaterThan(0);
  expect(await jobsLeft(acme)).toEqual([]);
});

test("a killed process, or two at once, write no second note; nor does a job of a handoff that is over", async () => {
  const acme = await scene.team();
  const vera = await talked(acme);
  const held = model.holdNext();
  await asksForPerson(acme, vera);
  await held.asked;
  const { conversationId } = vera;
  const [row] = await query(storage, `SELECT * FROM ai_settings WHERE team_id = '${acme.teamId}'`);
  const actor = aiActor(row as never);
  const words = Number((await scene.conversation(conversationId)).last_sort_number);
  const note = (content: string) =>
    app.perform(actor, noteHandoffSummary, { conversationId, words, content, tokens: 1 });
  expect(await Promise.all(["One", "Two"].map(note))).toEqual([true, false]);
  held.go();
  await expect.poll(() => jobsLeft(acme)).toEqual([]);
  expect(await notes(conversationId)).toMatchObject([{ content: "One" }]);

  await app.perform(acme.actor, returnToAssistant, { conversationId });
  expect(await app.perform(acme.actor, gatherHandoffSummary, { conversationId, words })).toBeUndefined();
});

test("nothing is noted once a person has written, in a short conversation, or with an AI that is off", async () => {
  const acme = await scene.team();
  const [written, noted, off] = [await talked(acme), await talked(acme), await talked(acme)];
  const short = await scene.write(acme, "I want to talk to a human");
  await scene.turn(short.conversationId);

  for (const [vera, say] of [
    [written, () => acme.post("/messages", { conversation_id: written.conversationId, content: "I am here" })],
    [
      noted,
      () => acme.post("/messages", { conversation_id: noted.conversationId, content: "I look at it", type: "note" }),
    ],
    [off, () => app.perform(acme.actor, updateAi, { is_active: false })],
  ] as const) {
    const held = model.holdNext();
    await asksForPerson(acme, vera);
    await held.asked;
    await say();
    held.go();
  }
  await expect.poll(() => jobsLeft(acme)).toEqual([]);
  expect(await notes(written.conversationId)).toEqual([]);
  expect(await notes(noted.conversationId)).toMatchObject([{ content: "I look at it" }]);
  expect(await notes(off.conversationId)).toEqual([]);
  expect(await notes(short.conversationId)).toEqual([]);
});

test("a model that fails leaves no note and no failed job, and the tokens of the team are kept", async () => {
  const acme = await scene.team();
  const [vera, other] = [await talked(acme), await talked(acme)];
  model.failNext(400);
  await asksForPerson(acme, vera);
  await expect.poll(() => jobsLeft(acme)).toEqual([]);
  expect(await notes(vera.conversationId)).toEqual([]);
  await app.perform(acme.actor, updateAi, { tokens_a_day: 1 });
  const before = model.requests.length;
  await asksForPerson(acme, other);
  await expect.poll(() => jobsLeft(acme)).toEqual([]);
  expect(model.requests).toHaveLength(before);
  expect(await notes(other.conversationId)).toEqual([]);
});
