/** Messages that a visitor writes in one go, however many and however fast, get one answer that knows all of them (B12). */
import { startAiScene } from "@frontdesk/testing/ai-scene";
import { inDepth } from "@frontdesk/testing/depth";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { LATEST_MS, PAUSE_MS } from "./queue-turn.ts";

const scene = await startAiScene();
const { model } = scene;
afterAll(() => model.stop());

const QUESTION = "How long does a parcel take?";
/** In depth 1,000 of them. */
const PORTIONS = Array.from({ length: inDepth(1, 10) }, (_, portion) => portion + 1);
const BURSTS = inDepth(15, 100);

/** The pauses between 2 to 8 messages, each shorter than that after which a turn begins, and which of them is the question. */
const burst = fc
  .tuple(fc.array(fc.integer({ min: 0, max: PAUSE_MS - 1 }), { minLength: 1, maxLength: 7 }), fc.nat(7))
  .filter(([gaps]) => gaps.reduce((sum, gap) => sum + gap, 0) < LATEST_MS)
  .map(([gaps, at]) => ({ gaps, question: at % (gaps.length + 1) }));

test.each(PORTIONS)("a burst of messages gets one answer that knows all of it (%i)", async () => {
  const team = await scene.team();
  await fc.assert(
    fc.asyncProperty(burst, async ({ gaps, question }) => {
      const texts = [0, ...gaps].map((_, at) => (at === question ? QUESTION : `It is about order number ${at + 1}`));
      const before = model.requests.length;
      const { conversationId, contactId } = await scene.write(team, texts[0] as string);
      for (const [at, gap] of gaps.entries()) {
        scene.pass(gap);
        await scene.write(team, texts[at + 1] as string, contactId);
      }
      await scene.turn(conversationId);
      const asked = model.requests.slice(before);
      expect(asked).toHaveLength(1);
      expect(await scene.said(conversationId)).toHaveLength(1);
      for (const text of texts) expect(asked[0]?.raw).toContain(text);
      expect(await scene.runs(conversationId)).toMatchObject([{ outcome: "answered", reason: "grounded" }]);
    }),
    { numRuns: BURSTS, endOnFailure: true },
  );
});
