/** What became of the conversations that the AI held (docs/decisions/0083-ai-outcomes.md), by a held clock. */
import type { AiReport } from "@frontdesk/core/contract/rest/ai-reports";
import { startAiScene } from "@frontdesk/testing/ai-scene";
import { query } from "@frontdesk/testing/second-app";
import type { TestTeam } from "@frontdesk/testing/test-kit";
import { afterAll, expect, test } from "vitest";
import type { VisitorActor } from "../../access/actor.ts";
import { assignAgent } from "../../conversations/assign-agent.ts";
import { setConversationStatus } from "../../conversations/set-conversation-status.ts";
import { eraseContact } from "../../privacy/erase-contact.ts";
import { updateAi } from "../settings/update-ai.ts";
import { askForPerson } from "../speaker/ask-for-person.ts";
import { confirmHelped } from "../speaker/confirm-helped.ts";
import { takeOver } from "../speaker/take-over.ts";

const scene = await startAiScene();
const { app, model } = scene;
afterAll(() => model.stop());

const HOUR_MS = 3_600_000;
const QUESTION = "How long does a parcel take?";
const VAGUE = "ASK\nWhich parcel do you mean?";

type Team = TestTeam;
type Where = Awaited<ReturnType<typeof scene.write>>;

const report = async (team: Team, query = ""): Promise<AiReport["attributes"]> => {
  const { status, body } = await team.get(`/ai/reports${query}`);
  expect(status).toBe(200);
  return body.data.attributes;
};
/** The six counts, in the order in which the guide has them. */
const counts = async (team: Team) => {
  const { confirmed, assumed, handed_over, abandoned, reopened, open, conversations } = await report(team);
  const each = { confirmed, assumed, handed_over, abandoned, reopened, open };
  expect(Object.values(each).reduce((sum, count) => sum + count)).toBe(conversations);
  return Object.fromEntries(Object.entries(each).filter(([, count]) => count > 0));
};

async function answered(team: Team): Promise<Where> {
  const where = await scene.write(team, QUESTION);
  await scene.turn(where.conversationId);
  return where;
}

async function askedBack(team: Team): Promise<Where> {
  model.answerNext(VAGUE);
  const where = await scene.write(team, "Where is it?");
  await scene.turn(where.conversationId);
  return where;
}

const visitor = ({ teamId, widgetId }: Team, contactId: string): VisitorActor => ({
  kind: "visitor",
  ...{ teamId, widgetId, tokenHash: "", contactId, verifiedUntil: undefined },
});
const resolve = (team: Team, { conversationId }: Where) =>
  app.perform(team.actor, setConversationStatus, { conversationId, status: "resolved", agentId: undefined });
const isResolved = async ({ conversationId }: Where) =>
  Number((await scene.conversation(conversationId)).is_resolved) === 1;

test("confirmed by the button or in words, assumed after silence, and reopened when the visitor is back within 72 hours", async () => {
  const acme = await scene.team({ resolve_after_minutes: 10 });
  expect(await counts(acme)).toEqual({});
  const pressed = await answered(acme);
  expect(await counts(acme)).toEqual({ open: 1 });
  await app.perform(visitor(acme, pressed.contactId), confirmHelped, { conversationId: pressed.conversationId });
  expect(await counts(acme)).toEqual({ confirmed: 1 });

  const said = await answered(acme);
  await scene.write(acme, "That solved it, thank you!", said.contactId);
  await scene.turn(said.conversationId);
  expect(await counts(acme)).toEqual({ confirmed: 2 });

  const silent = await answered(acme);
  scene.pass(10 * 60_000 + 1);
  await expect.poll(() => isResolved(silent)).toBe(true);
  expect(await counts(acme)).toEqual({ confirmed: 2, assumed: 1 });

  scene.pass(71 * HOUR_MS);
  await scene.write(acme, "It has not come", silent.contactId);
  expect(await counts(acme)).toEqual({ confirmed: 2, reopened: 1 });
  await scene.turn(silent.conversationId);
  scene.pass(2 * HOUR_MS);
  await scene.write(acme, QUESTION, pressed.contactId);
  await scene.turn(pressed.conversationId);
  // A later question is a new episode, which counts by itself.
  const { confirmed, reopened, conversations } = await report(acme);
  expect([confirmed, reopened, conversations]).toEqual([2, 1, 5]);
});

test("handed over: by the AI, for the visitor, or because someone stepped in, each with its reason", async () => {
  const acme = await scene.team();
  const wanted = await scene.write(acme, "I want to talk to a human");
  await scene.turn(wanted.conversationId);
  const pressed = await answered(acme);
  await app.perform(visitor(acme, pressed.contactId), askForPerson, { conversationId: pressed.conversationId });
  const withdrawn = await scene.write(acme, QUESTION);
  model.answerNext("HANDOFF\nA colleague");
  await scene.turn(withdrawn.conversationId);

  const [replied, taken, assigned, closed, requested] = [
    ...[await answered(acme), await answered(acme), await answered(acme), await answered(acme), await answered(acme)],
  ] as [Where, Where, Where, Where, Where];
  await acme.post("/messages", { conversation_id: replied.conversationId, content: "I am here" });
  await app.perform(acme.actor, takeOver, { conversationId: taken.conversationId });
  await app.perform(acme.actor, assignAgent, { conversationId: assigned.conversationId, agentId: acme.ada.id });
  await resolve(acme, closed);
  const assistant = { conversationId: requested.conversationId };
  await app.perform(acme.actor, takeOver, assistant);
  // Given back, and resolved by the AI: a person had a part in it.
  await acme.post(`/conversations/${requested.conversationId}/return-to-assistant`);
  await app.perform(visitor(acme, requested.contactId), confirmHelped, assistant);

  // Before the AI has said anything, it held nothing.
  const early = await scene.write(acme, QUESTION);
  await app.perform(acme.actor, takeOver, { conversationId: early.conversationId });

  const left = await answered(acme);
  await app.perform(acme.actor, updateAi, { is_active: false });
  await expect.poll(async () => (await scene.conversation(left.conversationId)).speaker).toBe("human");

  expect(await counts(acme)).toEqual({ handed_over: 9 });
  const { handoffs } = await report(acme);
  expect(handoffs).toEqual([
    { reason: "taken-over", by: "team", conversations: 2 },
    { reason: "asked-for-human", by: "visitor", conversations: 1 },
    { reason: "assigned", by: "team", conversations: 1 },
    { reason: "closed", by: "team", conversations: 1 },
    { reason: "model-handoff", by: "ai", conversations: 1 },
    { reason: "pressed-for-human", by: "visitor", conversations: 1 },
    { reason: "replied", by: "team", conversations: 1 },
    { reason: "switched-off", by: "team", conversations: 1 },
  ]);
});

test("abandoned: no answer was the last word, and the visitor is gone for a day; one who comes back has not left", async () => {
  const acme = await scene.team();
  const [gone, back, closed] = [await askedBack(acme), await askedBack(acme), await askedBack(acme)];
  const cited = await answered(acme);
  expect(await counts(acme)).toEqual({ open: 4 });
  scene.pass(24 * HOUR_MS);
  // Who was answered is open until it is resolved.
  expect(await counts(acme)).toEqual({ abandoned: 3, open: 1 });
  await scene.write(acme, QUESTION, back.contactId);
  expect(await counts(acme)).toEqual({ abandoned: 2, open: 2 });
  await scene.turn(back.conversationId);
  // Closing what visitors have left changes nothing of how it went.
  await resolve(acme, closed);
  expect(await counts(acme)).toEqual({ abandoned: 2, open: 2 });
  await resolve(acme, cited);
  expect(await counts(acme)).toEqual({ abandoned: 2, assumed: 1, open: 1 });

  // Erased, they are figures alone; one that was still open counts nowhere.
  for (const { contactId } of [gone, back, cited]) await app.perform(acme.actor, eraseContact, { contactId });
  expect(await counts(acme)).toEqual({ abandoned: 2, assumed: 1 });
  const rows = await query(scene.storage, `SELECT * FROM ai_episodes WHERE team_id = '${acme.teamId}'`);
  for (const { conversationId, contactId } of [gone, back, cited]) {
    expect(JSON.stringify(rows)).not.toContain(conversationId);
    expect(JSON.stringify(rows)).not.toContain(contactId);
  }
});

test("answers, tokens, and how long an answer took; each day by itself, and nothing of a simulator or another team", async () => {
  const [acme, other] = [await scene.team(), await scene.team()];
  await answered(other);
  // From noon, so that no day ends in between.
  const noon = Math.ceil(scene.clock.now() / (24 * HOUR_MS)) * 24 * HOUR_MS + 12 * HOUR_MS;
  scene.pass(noon - scene.clock.now());
  const first = await answered(acme);
  scene.pass(1_000);
  model.answerNext("ANSWER\nWithin 3 working days in all of Germany. [1]");
  await scene.write(acme, QUESTION, first.contactId);
  await scene.turn(first.conversationId);
  scene.pass(24 * HOUR_MS);
  await askedBack(acme);
  const simulated = await acme.post("/contacts/initialize", {
    ...{ widgetId: acme.widgetId, is_simulator: true },
    message: { content: QUESTION },
  });
  expect(simulated.status).toBe(200);
  const [{ id: conversationId }] = (await query(
    scene.storage,
    `SELECT id FROM conversations WHERE contact_id = '${simulated.body.data.id}'`,
  )) as [{ id: string }];
  await scene.turn(conversationId);
  expect(await scene.said(conversationId)).toHaveLength(1);

  const runs = await query(
    scene.storage,
    `SELECT tokens_in, tokens_out FROM ai_runs WHERE team_id = '${acme.teamId}' AND conversation_id <> '${conversationId}'`,
  );
  const sum = (name: string) => runs.reduce((total, run) => total + Number(run[name]), 0);
  const day = (days: number) => new Date(noon + (days * 24 - 12) * HOUR_MS).toISOString();
  const { days, ...whole } = await report(acme, `?from=${day(-1)}&to=${day(2)}`);
  expect(whole).toMatchObject({
    ...{ from: day(-1), to: day(2), conversations: 2, open: 2, answers: runs.length, handoffs: [] },
    ...{ tokens_in: sum("tokens_in"), tokens_out: sum("tokens_out") },
    // The pause of the scene between question and answer.
    answer_time: { count: 1, p50_ms: 1_300, p95_ms: 1_300 },
  });
  expect(whole.tokens_in).toBeGreaterThan(0);
  expect(days.map(({ date, conversations }) => [date, conversations])).toEqual([
    [day(-1).slice(0, 10), 0],
    [day(0).slice(0, 10), 1],
    [day(1).slice(0, 10), 1],
  ]);
  // The end is not included, the beginning is.
  expect((await report(acme, `?from=${day(0)}&to=${day(1)}`)).conversations).toBe(1);
  expect((await report(acme, `?to=${day(0)}`)).days).toHaveLength(30);
  expect((await report(acme, `?from=${day(1)}`)).days.at(-1)?.date).toBe(day(1).slice(0, 10));
});

test("a time that is none, empty or too long is refused at its field", async () => {
  const acme = await scene.team();
  const refused = async (query: string) => {
    const { status, body } = await acme.get(`/ai/reports?${query}`);
    return [status, Object.keys(body.errors)];
  };
  expect(await refused("from=yesterday")).toEqual([422, ["from"]]);
  expect(await refused("to=2026-11-20")).toEqual([422, ["to"]]);
  expect(await refused("from=2026-11-20T00:00:00Z&to=2026-11-20T00:00:00Z")).toEqual([422, ["to"]]);
  expect(await refused("from=2025-11-20T00:00:00Z&to=2026-11-22T00:00:00Z")).toEqual([422, ["to"]]);
  expect((await acme.get("/ai/reports?from=2025-11-20T00:00:00Z&to=2026-11-21T00:00:00Z")).status).toBe(200);
});
