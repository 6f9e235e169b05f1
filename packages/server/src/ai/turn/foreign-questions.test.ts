/** What no article answers is never answered, also by a model that would (B3). */
import { startAiScene } from "@frontdesk/testing/ai-scene";
import { inDepth } from "@frontdesk/testing/depth";
import { afterAll, expect, test } from "vitest";

const scene = await startAiScene();
const { model } = scene;
afterAll(() => model.stop());

const THINGS = [
  "river",
  "bridge",
  "volcano",
  "opera",
  "stadium",
  "glacier",
  "orchestra",
  "lighthouse",
  "desert",
  "mine",
];
const ASKED = ["Which {} is the oldest", "How deep is the largest {}", "Who painted the {}", "What does the {} weigh"];
const PLACES = ["Peru", "Kenya", "Norway", "Japan", "Canada", "Chile", "Nepal", "Iceland"];
/** 320 of them. */
const questions = THINGS.flatMap((thing) =>
  ASKED.flatMap((asked) => PLACES.map((place) => `${asked.replace("{}", thing)} in ${place}?`)),
);
const COUNT = inDepth(8, 300);

test.each(["honest", "liar"] as const)("by a model that is %s", async (persona) => {
  model.setPersona(persona);
  const team = await scene.team();
  // Read whole, and searched.
  const filled = await scene.team();
  await scene.fill(filled);
  const every = Math.floor(questions.length / COUNT);
  for (let at = 0; at < COUNT; at += 1) {
    const question = questions[at * every] as string;
    const { conversationId } = await scene.write(at % 2 === 0 ? team : filled, question);
    await scene.turn(conversationId);
    const [run] = await scene.runs(conversationId);
    expect(["handed-over", "asked"], question).toContain(run?.outcome);
    expect((await scene.said(conversationId)).join("\n"), question).not.toMatch(/\d/);
  }
});
