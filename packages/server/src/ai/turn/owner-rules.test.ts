/** What is handed over before any model is asked: the owner's rules, and a visitor who is upset twice. */
import { defaultAiSettings, type HandoffRules } from "@frontdesk/core/domain/ai/ai-settings";
import { PARCELS, startAiScene } from "@frontdesk/testing/ai-scene";
import { afterAll, expect, test } from "vitest";
import { notePresence } from "../../contacts/note-presence.ts";
import { returnToAssistant } from "../../conversations/return-to-assistant.ts";
import { setCustomData } from "../../custom-data/set-custom-data.ts";
import { addTag } from "../../tags/add-tag.ts";
import { createTag } from "../../tags/create-tag.ts";
import { deleteTag } from "../../tags/delete-tag.ts";
import { updateTag } from "../../tags/update-tag.ts";
import { updateAi } from "../settings/update-ai.ts";

const scene = await startAiScene();
const { app, model } = scene;
afterAll(() => model.stop());

const QUESTION = "How long does a parcel take?";
const NONE = defaultAiSettings.handoff_rules;
type Team = Awaited<ReturnType<typeof scene.team>>;

/** The run of the last turn, over REST. */
async function lastRun(team: Team, conversationId: string) {
  const { body } = await team.get(`/ai/runs?conversation_id=${conversationId}`);
  return body.data[0].attributes;
}

/** How often the model was asked for an answer. */
const answers = () => model.requests.filter(({ raw }) => raw.includes("HANDOFF")).length;

/** The job after the handoff is over: it asks the model as well. */
const summedUp = (conversationId: string) =>
  expect
    .poll(async () => JSON.parse(String((await scene.conversation(conversationId)).ai_state)).summaryDue)
    .toBeNull();

test("a word of the owner hands over before any model is asked, and the run tells which, even where none are kept", async () => {
  const acme = await scene.team({ handoff_rules: { ...NONE, words: ["money back"] }, keeps_runs: false });
  const before = model.requests.length;
  const { conversationId } = await scene.write(acme, `${QUESTION} Else I want my MONEY BACK.`);
  await scene.turn(conversationId);
  expect(model.requests).toHaveLength(before);
  expect(await scene.conversation(conversationId)).toMatchObject({ speaker: "waiting" });
  expect(await scene.said(conversationId)).toHaveLength(1);
  expect(await lastRun(acme, conversationId)).toMatchObject({
    ...{ outcome: "handed-over", reason: "owner-rule", calls: [] },
    rule: { field: "words", value: "money back" },
  });
  const { data } = (await acme.events()).find(({ name }) => name === "handoff.requested") ?? {};
  expect(data).toMatchObject({ reason: "owner-rule" });
});

test("the page that the visitor is on, a tag and custom data hand over; the tag of a rule may be deleted", async () => {
  const acme = await scene.team();
  const greeted = await scene.write(acme, "Hello");
  const { conversationId, contactId } = greeted;
  await scene.turn(conversationId);
  expect(await lastRun(acme, conversationId)).toMatchObject({ outcome: "answered", rule: null });
  const system = { kind: "system", teamId: acme.teamId } as const;
  const pages = [{ contactId, page: "https://acme.test/pricing/teams" }];
  await app.perform(system, notePresence, { contacts: [], agents: [], pages });
  const { tag } = await app.perform(acme.actor, addTag, { conversationId, name: "Legal" });
  await app.perform(acme.actor, setCustomData, { contactId, name: "plan", value: "Enterprise", mustExist: false });

  const rules: [Partial<HandoffRules>, object | null][] = [
    [{ tags: [tag.id] }, { field: "tags", value: "Legal" }],
    [{ pages: ["/careers", "/pricing"] }, { field: "pages", value: "/pricing" }],
    [{ custom_data: [{ name: "plan", value: "enterprise" }] }, { field: "custom_data", value: "plan: enterprise" }],
    [{ tags: [tag.id], words: ["refund"], pages: ["/careers"], custom_data: [{ name: "plan", value: "Free" }] }, null],
  ];
  for (const [some, rule] of rules) {
    await app.perform(acme.actor, updateAi, { handoff_rules: { ...NONE, ...some } });
    if (rule === null) await app.perform(acme.actor, deleteTag, { tagId: tag.id });
    // Given back to the AI, it looks again at what has waited since.
    if (some.tags && rule) await scene.write(acme, QUESTION, contactId);
    else await app.perform(acme.actor, returnToAssistant, { conversationId });
    await scene.turn(conversationId);
    const reason = rule === null ? "grounded" : "owner-rule";
    expect(await lastRun(acme, conversationId)).toMatchObject({ reason, rule });
  }
  expect((await scene.said(conversationId)).at(-1)).toContain(PARCELS);
});

test("a tag of a rule that is merged into another hands over by that one", async () => {
  const acme = await scene.team();
  const { conversationId } = await scene.write(acme, QUESTION);
  const { tag: legal } = await app.perform(acme.actor, addTag, { conversationId, name: "Legal" });
  await app.perform(acme.actor, createTag, { name: "Law" });
  await app.perform(acme.actor, updateAi, { handoff_rules: { ...NONE, tags: [legal.id] } });
  await app.perform(acme.actor, updateTag, { tagId: legal.id, change: { name: "Law", merge: true } });
  await scene.turn(conversationId);
  expect(await lastRun(acme, conversationId)).toMatchObject({ rule: { field: "tags", value: "Law" } });
});

test("a visitor who is upset in two messages gets a person, in one burst or in two", async () => {
  const acme = await scene.team();
  const one = await scene.write(acme, `This is ridiculous! ${QUESTION}`);
  await scene.turn(one.conversationId);
  expect(await lastRun(acme, one.conversationId)).toMatchObject({ reason: "grounded" });
  await scene.write(acme, "Hello?", one.contactId);
  await scene.turn(one.conversationId);
  expect(await lastRun(acme, one.conversationId)).toMatchObject({ reason: "small-talk" });
  const before = answers();
  await scene.write(acme, "You are all useless", one.contactId);
  await scene.turn(one.conversationId);
  expect(await lastRun(acme, one.conversationId)).toMatchObject({ outcome: "handed-over", reason: "upset" });
  const other = await scene.write(acme, "Are you kidding me?");
  await scene.write(acme, "Stupid bot", other.contactId);
  await scene.turn(other.conversationId);
  expect(await lastRun(acme, other.conversationId)).toMatchObject({ reason: "upset" });
  expect(answers()).toBe(before);
  await summedUp(one.conversationId);
});

test("the model's mark counts as well, once a turn, and can do no more than hand over", async () => {
  const acme = await scene.team();
  const answer = (begin: string) => model.answerNext(`${begin}\n${PARCELS} [1]`);
  const { conversationId, contactId } = await scene.write(acme, `${QUESTION} I have been waiting for weeks.`);
  answer("ANSWER UPSET");
  await scene.turn(conversationId);
  expect(await lastRun(acme, conversationId)).toMatchObject({ outcome: "answered", reason: "grounded" });
  expect((await scene.said(conversationId))[0]).not.toContain("UPSET");
  await scene.write(acme, "And my parcel?", contactId);
  model.answerNext("CHAT\nThat is a long time, I understand.");
  await scene.turn(conversationId);
  expect(await lastRun(acme, conversationId)).toMatchObject({ outcome: "answered", reason: "small-talk" });
  await scene.write(acme, `I am at a loss. ${QUESTION}`, contactId);
  answer("ANSWER UPSET");
  await scene.turn(conversationId);
  expect(await lastRun(acme, conversationId)).toMatchObject({ outcome: "handed-over", reason: "upset" });
  await summedUp(conversationId);
  // What a rule has seen already is not counted again.
  const other = await scene.write(acme, `This is ridiculous! ${QUESTION}`);
  answer("ANSWER UPSET");
  await scene.turn(other.conversationId);
  expect(await lastRun(acme, other.conversationId)).toMatchObject({ outcome: "answered" });
});
