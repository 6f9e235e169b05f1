/** Articles that are found by what they mean, with a real embedding model (docs/decisions/0079-hybrid-search.md). */
import { startAiScene } from "@frontdesk/testing/ai-scene";
import { query } from "@frontdesk/testing/second-app";
import type { TestTeam } from "@frontdesk/testing/test-kit";
import { afterAll, expect, test } from "vitest";
import { createModelClients } from "../../ai/model/model-clients.ts";
import { updateAi } from "../../ai/settings/update-ai.ts";
import { createPerform, type Perform } from "../../perform.ts";
import { addArticle } from "../add-article.ts";
import { findPassagesFor } from "../find-passages.ts";
import { removeArticle } from "../remove-article.ts";
import { updateArticle } from "../update-article.ts";
import { embedArticlesJob } from "./embed-articles.ts";
import { createNearestPassages } from "./nearest-passages.ts";

const scene = await startAiScene();
const { app, model, runtime, storage, timeouts } = scene;
const connection = { baseUrl: model.url, model: "scripted", apiKey: "", embeddingModel: "use-lite-en" };
const clients = createModelClients({
  ...{ allowedNetworks: [], operatorBaseUrl: model.url, timeouts, now: runtime.now, steadyNow: runtime.steadyNow },
  random: () => 0.5,
});
/** Commits that wake no job. */
const quietly = createPerform(storage, { ...runtime, operatorModel: { ...connection, embeddingModel: "" } });
afterAll(async () => {
  clients.close();
  await model.stop();
});

const EMBEDDING_MODEL = connection.embeddingModel;
/** In words that the question does not have. */
const LOST = {
  question: "My wallet was stolen",
  answer: "Freeze it at once in the app, below Security.",
};
const ASKED = "Robbers grabbed my purse";
/** What words find something for. */
const FIRST = "Card colour 3";

/** Articles that are too much to be read whole. An English model skips their Chinese, so that it has little to do. */
async function bank(change: { embedding_model?: string } = {}): Promise<TestTeam> {
  const team = await scene.team(change);
  for (let number = 0; number < FILLERS; number += 1) {
    await add(team, `Card colour ${number}`, `The card in colour ${number}. ${"我们修理拉链。".repeat(200)}`);
  }
  return team;
}
/** With the article of the scene. */
const ARTICLES = 7;
const FILLERS = ARTICLES - 1;

const add = (team: TestTeam, question: string, answer: string) =>
  app.perform(team.actor, addArticle, { question, answer, isPublished: true });

const vectors = (team: TestTeam) => query(storage, `SELECT * FROM article_vectors WHERE team_id = '${team.teamId}'`);

/** Until each passage of `articles` articles has its vector. */
const embedded = (team: TestTeam, articles: number) =>
  expect.poll(async () => new Set((await vectors(team)).map((row) => row.article_id)).size).toBe(articles);

/** What the model is shown for the question. */
async function shown(team: TestTeam): Promise<string> {
  const { conversationId, contactId } = await scene.write(team, FIRST);
  await scene.write(team, ASKED, contactId);
  await scene.turn(conversationId);
  return model.requests.findLast(({ path }) => path.endsWith("/chat/completions"))?.raw ?? "";
}

test("an article in other words than the question is shown to the model only with vectors", async () => {
  const [plain, hybrid] = [await bank(), await bank({ embedding_model: EMBEDDING_MODEL })];
  for (const team of [plain, hybrid]) await add(team, LOST.question, LOST.answer);
  await embedded(hybrid, ARTICLES + 1);
  expect(await shown(plain)).not.toContain(LOST.answer);
  expect(await shown(hybrid)).toContain(LOST.answer);
  expect(await vectors(plain)).toEqual([]);
});

test("where words find nothing, an article is found that is nearer than the team's articles usually are", async () => {
  const team = await bank({ embedding_model: EMBEDDING_MODEL });
  const { id: articleId } = await add(team, LOST.question, LOST.answer);
  await embedded(team, ARTICLES + 1);
  const floorOf = async () =>
    (await query(storage, `SELECT * FROM article_vector_versions WHERE team_id = '${team.teamId}'`))[0]?.floor;
  await expect.poll(floorOf).toEqual(expect.anything());
  const find = async (question: string) => {
    const { signal } = new AbortController();
    const nearest = await createNearestPassages({
      ...{ perform: () => quietly, clients, timeouts, steadyNow: runtime.steadyNow },
    })({ teamId: team.teamId, connection, questions: [question], signal });
    const asked = { questions: [question], limit: 8 };
    const [words, both] = [asked, { ...asked, nearest }].map((search) => quietly(team.actor, findPassagesFor, search));
    return [await words, await both].map((found) => (found?.passages ?? []).map((passage) => passage.articleId));
  };
  expect(await find("Thieves took purses")).toEqual([[], [articleId]]);
  expect(await find("Photosynthesis turns sunlight into sugar")).toEqual([[], []]);
});

test("a changed, unpublished or removed article counts at once, whatever its vector says", async () => {
  const team = await bank({ embedding_model: EMBEDDING_MODEL });
  const { id: articleId } = await add(team, LOST.question, LOST.answer);
  await embedded(team, ARTICLES + 1);
  const { signal } = new AbortController();
  const nearestPassages = createNearestPassages({
    ...{ perform: () => quietly, clients, timeouts, steadyNow: runtime.steadyNow },
  });
  const questions = [FIRST, ASKED];
  const nearest = await nearestPassages({ teamId: team.teamId, connection, questions, signal });
  const found = async () => {
    const { passages } = await quietly(team.actor, findPassagesFor, { questions, limit: 8, nearest });
    return passages.map((passage) => passage.articleId);
  };
  expect(await found()).toContain(articleId);
  const change = (to: object) => quietly(team.actor, updateArticle, { articleId, change: to });
  await change({ answer: "Ask for the pebbles." });
  expect(await found()).not.toContain(articleId);
  await change({ answer: LOST.answer });
  expect(await found()).toContain(articleId);
  await change({ isPublished: false });
  expect(await found()).not.toContain(articleId);
  await change({ isPublished: true });
  await quietly(team.actor, removeArticle, { articleId });
  expect(await found()).not.toContain(articleId);
  expect((await vectors(team)).map((row) => row.article_id)).not.toContain(articleId);
  // What is held in memory knows of the removal, too.
  const later = await nearestPassages({ teamId: team.teamId, connection, questions, signal });
  expect(later?.passages.map((passage) => passage.articleId)).not.toContain(articleId);
});

test("a server that makes no vectors costs a turn nothing but the vectors", async () => {
  const team = await bank({ embedding_model: "no-such-model" });
  const prompt = await shown(team);
  expect(prompt).toContain("The card in colour 3.");
  expect(await vectors(team)).toEqual([]);
});

test("a job that was stopped goes on where it was, and sweeps away what is over", async () => {
  const team = await scene.team();
  const ids: string[] = [];
  for (let number = 0; number < 40; number += 1) {
    const article = { question: `Shelf ${number}`, answer: "Pebbles.", isPublished: true };
    ids.push((await quietly(team.actor, addArticle, article)).id);
  }
  await quietly(team.actor, updateAi, { embedding_model: EMBEDDING_MODEL });
  const stop = new AbortController();
  const untilStopped: Perform = async (actor, operation, input) => {
    const result = await quietly(actor, operation, input);
    if (operation.name === "keep-vectors") stop.abort(new Error("The process stops."));
    return result;
  };
  const run = (perform: Perform, signal: AbortSignal) =>
    embedArticlesJob({ perform: () => perform, clients })({}, { teamId: team.teamId, id: "", cause: null, signal });
  await expect(run(untilStopped, stop.signal)).rejects.toThrow();
  expect(await vectors(team)).toHaveLength(16);

  const before = model.requests.length;
  await run(quietly, new AbortController().signal);
  expect(await vectors(team)).toHaveLength(41);
  const sent = model.requests.slice(before).flatMap(({ body }) => [body.input].flat());
  // The size is asked for first, and 32 questions tell the floor at last.
  expect(sent).toHaveLength(1 + (41 - 16) + 32);

  await quietly(team.actor, updateArticle, { articleId: ids[0] as string, change: { isPublished: false } });
  await run(quietly, new AbortController().signal);
  expect(await vectors(team)).toHaveLength(40);
  await quietly(team.actor, updateAi, { embedding_model: null });
  await run(quietly, new AbortController().signal);
  expect(await vectors(team)).toEqual([]);
});
