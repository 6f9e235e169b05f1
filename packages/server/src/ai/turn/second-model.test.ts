/** A second model answers where the first one fails (docs/decisions/0086-second-search-and-second-model.md). */
import { SECOND_MODEL, startAiScene } from "@frontdesk/testing/ai-scene";
import type { TestTeam } from "@frontdesk/testing/test-kit";
import { afterAll, beforeEach, expect, test } from "vitest";

const scene = await startAiScene();
const { model } = scene;
afterAll(() => model.stop());
beforeEach(() => {
  model.setPersona("honest");
  model.setQuirks({});
  model.forget();
});

const QUESTION = "How long does a parcel take?";
const second_model = SECOND_MODEL;

/** A turn; the time passes until it ends. Resolves to its log. */
async function run(team: TestTeam) {
  const { conversationId } = await scene.write(team, QUESTION);
  scene.pass(1_300);
  await expect
    .poll(async () => {
      scene.timeouts.advance(500);
      return (await scene.runs(conversationId)).length;
    })
    .toBe(1);
  const { body } = await team.get(`/ai/runs?conversation_id=${conversationId}`);
  const { outcome, reason, calls } = body.data[0].attributes;
  return {
    outcome,
    reason,
    calls: calls.map((call: { model: string; check: string | null }) => [call.model, call.check]),
  };
}

const shown = async (team: TestTeam) => (await team.get("/ai")).body.data.attributes;
const stateOf = async (team: TestTeam) => (await shown(team)).state;

const failures: [string, string, () => unknown][] = [
  ["rejects the request", "model-refused", () => model.failNext(400)],
  ["is busy", "model-busy", () => model.failNext(429)],
  ["is busy for longer than a visitor waits", "model-busy", () => model.failNext(429, { retryAfter: 6 })],
  ["fails twice", "model-failing", () => model.failNext(503, { times: 2 })],
  ["breaks off twice", "model-cut", () => model.setPersona("cut", "scripted")],
  ["says nothing in time", "model-timeout", () => model.setPersona("silent", "scripted")],
  ["answers something else", "model-garbage", () => model.setPersona("garbage", "scripted")],
  ["answers nothing", "model-garbage", () => model.answerNext("")],
  ["doesn't come to an end", "model-length", () => model.answerNext("ANSWER\n".padEnd(10_000, "so "))],
];

test.each(failures)("where the first model %s, the second answers", async (_how, reason, failing) => {
  const acme = await scene.team({ second_model });
  failing();
  expect(await run(acme)).toEqual({
    ...{ outcome: "answered", reason: "grounded" },
    calls: [
      ["scripted", reason],
      [SECOND_MODEL, null],
    ],
  });
  expect(await stateOf(acme)).toBe("ready");
});

test("a first model that the server does not know is asked once, and the AI is not away, but tells its owner", async () => {
  const acme = await scene.team({ model: "gone", second_model });
  expect((await run(acme)).calls).toEqual([
    ["gone", "model-refused"],
    [SECOND_MODEL, null],
  ]);
  expect(await shown(acme)).toMatchObject({
    ...{ state: "ready", state_cause: "first-model-unknown" },
    state_reason: expect.stringContaining("the second one answers alone"),
  });
  expect((await acme.get("/agents")).body.data[1].attributes.online_status).toBe("online");
  expect((await run(acme)).calls).toEqual([[SECOND_MODEL, null]]);
  await acme.patch("/ai", { model: "scripted" });
  expect(await shown(acme)).toMatchObject({ state: "ready", state_cause: null, state_reason: null });
});

test("a second model that the server does not know is told as well, and the first is asked on", async () => {
  const acme = await scene.team({ second_model: "gone" });
  model.failNext(400);
  expect(await run(acme)).toMatchObject({ outcome: "handed-over", reason: "model-refused" });
  expect(await shown(acme)).toMatchObject({ state: "ready", state_cause: "second-model-unknown" });
  expect((await run(acme)).calls).toEqual([["scripted", null]]);
});

test("a wrong key is one of both: no second model is asked", async () => {
  const acme = await scene.team({ second_model });
  model.failNext(401);
  expect(await run(acme)).toEqual({
    ...{ outcome: "handed-over", reason: "model-refused" },
    calls: [["scripted", "model-refused"]],
  });
  expect(await stateOf(acme)).toBe("away");
});

test("it is asked once in a turn: where it fails as well, a person is called", async () => {
  const acme = await scene.team({ second_model });
  model.failNext(400);
  model.setPersona("garbage", SECOND_MODEL);
  expect(await run(acme)).toEqual({
    ...{ outcome: "handed-over", reason: "model-garbage" },
    calls: [
      ["scripted", "model-refused"],
      [SECOND_MODEL, "model-garbage"],
    ],
  });
});

test("what it writes is checked, and asked again, as of the first", async () => {
  const acme = await scene.team({ second_model });
  model.failNext(400);
  model.setPersona("forgetful", SECOND_MODEL);
  expect(await run(acme)).toEqual({
    ...{ outcome: "handed-over", reason: "uncited" },
    calls: [
      ["scripted", "model-refused"],
      [SECOND_MODEL, "uncited"],
      [SECOND_MODEL, "uncited"],
    ],
  });
});

test("a first model that keeps failing is left alone for a minute, while the second answers and the AI is there", async () => {
  const acme = await scene.team({ second_model });
  model.setPersona("garbage", "scripted");
  for (let time = 1; time <= 5; time += 1) expect((await run(acme)).calls).toHaveLength(2);
  expect(await stateOf(acme)).toBe("ready");
  expect((await run(acme)).calls).toEqual([[SECOND_MODEL, null]]);
  model.setPersona("honest");
  scene.pass(61_000);
  expect((await run(acme)).calls).toEqual([["scripted", null]]);
});

test("with both away new conversations go to people", async () => {
  const acme = await scene.team({ second_model });
  model.setPersona("garbage");
  for (let time = 1; time <= 5; time += 1) await run(acme);
  expect(await stateOf(acme)).toBe("away");
  const { conversationId } = await scene.write(acme, QUESTION);
  expect(await scene.conversation(conversationId)).toMatchObject({ speaker: "human" });
});
