/** Turns that cannot run: whoever has waited for a minute gets a person (reference row B16). */
import { startAiScene } from "@frontdesk/testing/ai-scene";
import { query } from "@frontdesk/testing/second-app";
import { afterAll, beforeEach, expect, test } from "vitest";

const scene = await startAiScene();
const { model } = scene;
afterAll(() => model.stop());
beforeEach(() => model.setPersona("honest"));

const QUESTION = "How long does a parcel take?";
/** Turns that one process runs at once. */
const PLACES = 8;
const MINUTE_MS = 60_000;

/** Time goes on in seconds, with a moment of real time in each, until all have ended. */
async function passes(conversationIds: readonly string[]): Promise<void> {
  const left = `SELECT * FROM ai_turns WHERE conversation_id IN (${conversationIds.map((id) => `'${id}'`).join()})`;
  await expect
    .poll(
      async () => {
        scene.pass(1_000);
        return (await query(scene.storage, left)).length;
      },
      { interval: 20 },
    )
    .toBe(0);
}

/** How each ended, and how long after its message, ms. */
const ends = (conversationIds: readonly string[]) =>
  Promise.all(
    conversationIds.map(async (id) => {
      const [run] = await scene.runs(id);
      const { created_at } = await scene.conversation(id);
      expect(await scene.said(id)).toHaveLength(1);
      return { outcome: run?.outcome, reason: run?.reason, after: Number(run?.created_at) - Number(created_at) };
    }),
  );

test("a model that hangs takes all places: who waits for one is handed over a minute after their message, with words", async () => {
  const acme = await scene.team();
  const write = async (count: number) =>
    Promise.all(Array.from({ length: count }, async () => (await scene.write(acme, QUESTION)).conversationId));
  model.setPersona("drip");
  const before = model.requests.length;
  const first = await write(PLACES);
  scene.pass(1_300);
  await expect.poll(() => model.requests.length).toBe(before + PLACES);
  const waiting = await write(4);
  await passes([...first, ...waiting]);
  for (const { outcome, after } of await ends([...first, ...waiting])) {
    expect(outcome).toBe("handed-over");
    expect(after).toBeLessThanOrEqual(MINUTE_MS + 1_000);
  }
});

test("a turn that got its place late has only what is left of its minute", async () => {
  const acme = await scene.team();
  const { conversationId } = await scene.write(acme, QUESTION);
  model.setPersona("drip");
  // Claimed by a process that dies.
  const lease = scene.clock.now() + 35_000;
  await query(
    scene.storage,
    `UPDATE ai_turns SET claim = '${scene.runtime.newId()}', lease_until = ${lease} WHERE conversation_id = '${conversationId}'`,
  );
  await passes([conversationId]);
  const [end] = await ends([conversationId]);
  expect(end).toMatchObject({ outcome: "handed-over", reason: "too-late" });
  expect(end?.after).toBeLessThanOrEqual(MINUTE_MS + 1_000);
});
