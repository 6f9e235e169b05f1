/** Settings and models that change, end or break while the AI holds conversations, or asks for an answer. */
import { startAiScene } from "@frontdesk/testing/ai-scene";
import { appOn, query } from "@frontdesk/testing/second-app";
import { afterAll, beforeEach, expect, test } from "vitest";
import { updateAi } from "../settings/update-ai.ts";
import { releaseFromAi } from "./release.ts";
import { runTurn } from "./run-turn.ts";
import { reserveTokens, settleCall } from "./spend-tokens.ts";

const scene = await startAiScene();
const { app, model } = scene;
afterAll(() => model.stop());
beforeEach(() => model.setPersona("honest"));

/** Of a process without a model. */
const askNothing = {
  nearestPassages: async () => undefined,
  shows: () => {},
  types: () => {},
  clients: {
    clientFor: () => {
      throw new Error("There is no model.");
    },
  },
};

const QUESTION = "How long does a parcel take?";
const asked = () => model.requests.length;
const aiRow = async (teamId: string) =>
  (await query(scene.storage, `SELECT * FROM ai_settings WHERE team_id = '${teamId}'`))[0] as Record<string, unknown>;
const eventNames = async (team: { events(): Promise<{ name: string }[]> }) =>
  (await team.events()).map(({ name }) => name);

test("switched off in the middle of a turn, the AI says no more than that a person answers, at once", async () => {
  const acme = await scene.team();
  model.setPersona("silent");
  const before = asked();
  const { conversationId } = await scene.write(acme, QUESTION);
  const { waiting_since } = await scene.conversation(conversationId);
  scene.pass(1_300);
  await expect.poll(asked).toBe(before + 1);
  await app.perform(acme.actor, updateAi, { is_active: false });
  await expect.poll(async () => (await scene.conversation(conversationId)).speaker).toBe("waiting");
  model.setPersona("honest");
  scene.pass(46_000);
  expect(await scene.runs(conversationId)).toMatchObject([{ outcome: "handed-over", reason: "switched-off" }]);
  const said = await scene.said(conversationId);
  expect(said).toHaveLength(1);
  expect(said[0]).not.toContain("working days");
  expect(await scene.conversation(conversationId)).toMatchObject({ waiting_since });
});

test("switched off, the AI lets go of all it holds: those who wait get words, the others none, and each has its event", async () => {
  const acme = await scene.team();
  const answered = await scene.write(acme, QUESTION);
  await scene.turn(answered.conversationId);
  const waiting = await Promise.all(Array.from({ length: 60 }, () => scene.write(acme, QUESTION)));
  await app.perform(acme.actor, updateAi, { is_active: false });
  const isReleased = async ({ conversationId }: { conversationId: string }) =>
    (await scene.conversation(conversationId)).speaker !== "ai";
  await expect.poll(async () => (await Promise.all([answered, ...waiting].map(isReleased))).every(Boolean)).toBe(true);
  expect(await scene.conversation(answered.conversationId)).toMatchObject({ speaker: "human", waiting_since: null });
  expect(await scene.said(answered.conversationId)).toHaveLength(1);
  for (const { conversationId } of waiting) {
    expect(await scene.conversation(conversationId)).toMatchObject({ speaker: "waiting" });
    expect(await scene.said(conversationId)).toHaveLength(1);
  }
  const names = await eventNames(acme);
  expect(names.filter((name) => name === "speaker.changed")).toHaveLength(61);
  expect(names.filter((name) => name === "handoff.requested")).toHaveLength(60);
  expect(await query(scene.storage, `SELECT * FROM ai_turns WHERE team_id = '${acme.teamId}'`)).toEqual([]);
  // What was switched off and on again keeps what it holds.
  await app.perform(acme.actor, updateAi, { is_active: true });
  expect(await app.perform(acme.actor, releaseFromAi, {})).toBe(false);
});

test("an AI whose model the operator has taken away hands over what it holds, with words", async () => {
  const acme = await scene.team();
  const { conversationId } = await scene.write(acme, QUESTION);
  const { storage, runtime, timeouts } = scene;
  // As after a restart without the settings of a model: it alone looks for turns.
  await query(storage, `UPDATE ai_turns SET claim = '${runtime.newId()}', lease_until = ${scene.clock.now() + 15_000}`);
  const without = await appOn({ storage: { ...storage, close: async () => {} }, runtime, env: {} });
  const claim = runtime.newId();
  const key = { team_id: acme.teamId, conversation_id: conversationId };
  await query(storage, `UPDATE ai_turns SET claim = '${claim}' WHERE conversation_id = '${conversationId}'`);
  const services = { ...askNothing, perform: without.perform, runtime, timeouts };
  await runTurn(services, {
    ...{ teamId: key.team_id, conversationId, claim, firstAt: scene.clock.now(), attempts: 1 },
    signal: new AbortController().signal,
  });
  expect(await scene.runs(conversationId)).toMatchObject([{ outcome: "handed-over", reason: "no-model" }]);
  expect(await scene.said(conversationId)).toHaveLength(1);
  expect(await scene.conversation(conversationId)).toMatchObject({ speaker: "waiting" });
});

test("what a killed process has set aside of the tokens counts no more after five minutes, nor does it hide other calls", async () => {
  const acme = await scene.team({ tokens_a_day: 1_000 });
  const reserve = (tokens: number) => app.perform(acme.actor, reserveTokens, { tokens });
  expect(await reserve(600)).toMatchObject({ tokens: 600 });
  expect(await reserve(600)).toEqual({ refused: "cap-team" });
  scene.pass(5 * 60_000);
  const own = await reserve(600);
  expect(own).toMatchObject({ tokens: 600 });
  expect(await reserve(600)).toEqual({ refused: "cap-team" });
  if ("refused" in own) throw new Error("It was refused.");
  await app.perform(acme.actor, settleCall, {
    ...own,
    reserved: 600,
    tokens: 100,
    failed: undefined,
    savedAt: undefined,
  });
  expect(await reserve(900)).toMatchObject({ tokens: 900 });
  expect(await reserve(1)).toEqual({ refused: "cap-team" });
});

test("what a model did that was set before says nothing of the one that is set by now", async () => {
  const acme = await scene.team();
  const state = async () => (await acme.get("/ai")).body.data.attributes.state;
  const savedAt = async () => Number((await aiRow(acme.teamId)).updated_at);
  const refused = { kind: "refused", status: 401 } as const;
  const call = { day: "2026-01-01", reserved: 1, tokens: 1, model: "first", failed: refused } as const;
  const before = await savedAt();
  scene.pass(1);
  await app.perform(acme.actor, updateAi, { api_key: "another-key" });
  await app.perform(acme.actor, settleCall, { ...call, savedAt: before });
  expect(await state()).toBe("ready");
  await app.perform(acme.actor, settleCall, { ...call, savedAt: await savedAt() });
  expect(await state()).toBe("away");
});

test("a key that can't be opened keeps no visitor from writing, and those who wait get words in the end", async () => {
  const acme = await scene.team({ api_key: "a-key-of-before" });
  const { conversationId } = await scene.write(acme, QUESTION);
  await query(scene.storage, `UPDATE ai_settings SET api_key_sealed = 'lost' WHERE team_id = '${acme.teamId}'`);
  await scene.write(acme, "Anyone there?");
  expect((await acme.post("/articles", { question: "Zip?", answer: "Zip.", is_published: true })).status).toBe(201);
  scene.pass(61_000);
  await expect.poll(() => scene.said(conversationId)).toHaveLength(1);
  expect(await scene.runs(conversationId)).toMatchObject([{ outcome: "handed-over", reason: "too-late" }]);
});
