/** The job that stores what articles mean, where servers, articles and other processes do not do as they should (decision 0079). */
import { PARCELS, startAiScene } from "@frontdesk/testing/ai-scene";
import { heldTimeouts } from "@frontdesk/testing/held-timeouts";
import { startScriptedModel } from "@frontdesk/testing/scripted-model";
import { appOn, openBeside, query } from "@frontdesk/testing/second-app";
import { engine, type TestTeam } from "@frontdesk/testing/test-kit";
import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { createModelClients } from "../../ai/model/model-clients.ts";
import { updateAi } from "../../ai/settings/update-ai.ts";
import { createPerform, type Perform } from "../../perform.ts";
import { systemTimeouts, type Timeouts } from "../../timeouts.ts";
import { addArticle } from "../add-article.ts";
import { updateArticle } from "../update-article.ts";
import { embedArticlesJob } from "./embed-articles.ts";
import { createNearestPassages } from "./nearest-passages.ts";

const scene = await startAiScene();
const { app, model, runtime, storage, env } = scene;
const connection = { baseUrl: model.url, model: "scripted", apiKey: "", embeddingModel: "use-lite-en" };
/** Limits on how long a server may take: none is reached, however busy the machine is. */
const limits = heldTimeouts();
/** Waits of up to a second, which come before a repeat, take none. */
const hasty: Timeouts = { after: (ms, act) => (ms <= 1_000 ? systemTimeouts.after(1, act) : limits.after(ms, act)) };
const clients = createModelClients({
  ...{ allowedNetworks: ["127.0.0.0/8"], timeouts: hasty, now: runtime.now, steadyNow: runtime.steadyNow },
  random: () => 0,
});
/** Commits that wake no job, where all teams have the model. */
const quietly = createPerform(storage, { ...runtime, operatorModel: connection });
afterAll(async () => {
  clients.close();
  await model.stop();
});
beforeEach(() => {
  model.forget();
  model.setQuirks({});
  model.requests.length = 0;
});

/** Where no team has a model that it has not chosen: nothing is enqueued. */
const without = createPerform(storage, runtime);
const add = (team: TestTeam, question: string, answer: string) =>
  without(team.actor, addArticle, { question, answer, isPublished: true });
const vectors = (team: TestTeam) =>
  query(storage, `SELECT * FROM article_vectors WHERE team_id = '${team.teamId}' ORDER BY article_id, passage`);
const jobs = (team: TestTeam) =>
  query(storage, `SELECT * FROM jobs WHERE team_id = '${team.teamId}' AND kind = 'embed-articles' ORDER BY id`);
const { signal } = new AbortController();
const run = ({ teamId }: TestTeam, perform: Perform = quietly) =>
  embedArticlesJob({ perform: () => perform, clients })({}, { teamId, id: "", cause: null, signal });
/** All texts that were sent to be embedded. */
const sent = () => model.requests.flatMap(({ path, body }) => (path === "/v1/embeddings" ? [body.input].flat() : []));
const nearestFor = (team: TestTeam, question: string) =>
  createNearestPassages({ perform: () => quietly, clients, timeouts: limits, steadyNow: runtime.steadyNow })({
    ...{ teamId: team.teamId, connection, questions: [question], signal },
  });

test.each([400, 500])(
  "a text that is refused with %i is cut short, else left out; all others have their vectors",
  async (refusesWith) => {
    const team = await scene.team();
    for (let number = 0; number < 17; number += 1) await add(team, `Shelf ${number}`, "Pebbles.");
    const long = await add(team, "Opening hours", "We open at nine, and close at five. ".repeat(60));
    const refused = await add(team, "Rumpelstiltskin", "Straw becomes gold.");
    const last = await add(team, "My wallet was stolen", "Freeze it at once in the app.");
    model.setQuirks({ textMax: 1_000, refusesWord: "Rumpelstiltskin", refusesWith });
    await run(team);
    const made = new Map((await vectors(team)).map((row) => [row.article_id, row.vector]));
    expect(made.size).toBe(1 + 17 + 3);
    expect([...made].filter(([, vector]) => vector === "").map(([id]) => id)).toEqual([refused.id]);
    expect(made.get(long.id)).toMatch(/^\S{100,}$/);
    // It is known: the next job asks for nothing but the size of the vectors, and what the floor is told by.
    model.requests.length = 0;
    await run(team);
    expect(sent().filter((text) => text.includes("\n"))).toEqual([]);
    const nearest = await nearestFor(team, "Robbers grabbed my purse");
    expect(nearest?.passages[0]?.articleId).toBe(last.id);
    expect(nearest?.passages.map((passage) => passage.articleId)).not.toContain(refused.id);
    await quietly(team.actor, updateArticle, { articleId: refused.id, change: { question: "A name" } });
    await run(team);
    expect((await vectors(team)).filter(({ vector }) => vector === "")).toEqual([]);
  },
);

test("a server that refuses everything by now makes the job fail, and leaves no text out", async () => {
  const team = await scene.team();
  const probe = model.holdNext("texts");
  const running = run(team);
  await probe.asked;
  model.failNext(400, { times: 100 });
  probe.go();
  await expect(running).rejects.toMatchObject({ kind: "rejected" });
  expect(await vectors(team)).toEqual([]);
});

test("a question that is refused is searched for by words, and the next one by both", async () => {
  const team = await scene.team();
  await run(team);
  const nearestPassages = createNearestPassages({
    ...{ perform: () => quietly, clients, timeouts: limits, steadyNow: runtime.steadyNow },
  });
  const ask = (question: string) => nearestPassages({ teamId: team.teamId, connection, questions: [question], signal });
  model.setQuirks({ textMax: 20 });
  expect(await ask("How long, please, does a parcel take?")).toBeUndefined();
  expect(await ask("My parcel?")).toMatchObject({ passages: [{ passage: 0 }] });
});

test("what an article no longer has goes, and so do the vectors of another model", async () => {
  const team = await scene.team();
  const long = Array.from({ length: 4 }, (_, part) => `## Part ${part}\n\n${`Parcel ${part} is late. `.repeat(45)}`);
  const { id: articleId } = await add(team, "Late parcels", long.join("\n\n"));
  await run(team);
  const numbers = async () =>
    (await vectors(team)).filter((row) => row.article_id === articleId).map((row) => row.passage);
  expect((await numbers()).length).toBeGreaterThan(2);
  const held = await nearestFor(team, "Late?");
  expect(held?.passages.length).toBeGreaterThan(3);
  await quietly(team.actor, updateArticle, { articleId, change: { answer: "They come later." } });
  await run(team);
  expect(await numbers()).toEqual([0]);
  expect((await nearestFor(team, "Late?"))?.passages).toHaveLength(2);

  const other = await startScriptedModel({ embeddingModel: "other" });
  onTestFinished(() => other.stop());
  const changed = createPerform(storage, {
    ...runtime,
    operatorModel: { ...connection, baseUrl: other.url, embeddingModel: "other" },
  });
  const before = (await vectors(team)).map(({ fingerprint }) => fingerprint);
  await run(team, changed);
  const after = await vectors(team);
  expect(after).toHaveLength(2);
  expect(after.filter(({ fingerprint }) => before.includes(fingerprint))).toEqual([]);
});

test("while a server hangs, words find at once what they find, and the job goes on when it is back", async () => {
  model.setQuirks({ hangsOnTexts: true });
  const team = await scene.team({ embedding_model: connection.embeddingModel });
  for (let number = 0; number < 6; number += 1) await add(team, `Colour ${number}`, "我们修理拉链。".repeat(200));
  const { conversationId } = await scene.write(team, "How long does a parcel take?");
  scene.pass(1_300);
  await expect.poll(() => sent().some((text) => text.includes("parcel"))).toBe(true);
  scene.pass(2_000);
  await expect.poll(() => scene.runs(conversationId)).toMatchObject([{ outcome: "answered" }]);
  expect((await scene.said(conversationId)).join()).toContain(PARCELS);
  scene.pass(10_000);
  await expect.poll(async () => (await jobs(team))[0]).toMatchObject({ state: "waiting", attempts: 1 });
  model.setQuirks({});
  await expect
    .poll(
      async () => {
        scene.pass(500);
        return [(await vectors(team)).length, ...(await jobs(team)).map(({ state }) => state)];
      },
      { interval: 20 },
    )
    .toEqual([7, "done", "done"]);
});

test("two processes embed a team once, and again at most the batch of one that has lost its lease", async () => {
  const own = engine === "postgres" ? await openBeside(storage) : { ...storage, close: async () => {} };
  const second = await appOn({ storage: own, runtime, timeouts: scene.timeouts, env });
  await second.start();
  const team = await scene.team();
  for (let number = 0; number < 70; number += 1) await add(team, `Shelf ${number}`, "Pebbles.");
  const [probe, batch] = [model.holdNext("texts"), model.holdNext("texts")];
  await app.perform(team.actor, updateAi, { embedding_model: connection.embeddingModel });
  await probe.asked;
  probe.go();
  await batch.asked;
  // Its process hangs, and its lease runs out.
  await query(storage, `UPDATE jobs SET lease_until = 0 WHERE team_id = '${team.teamId}' AND state = 'running'`);
  await expect
    .poll(
      async () => {
        scene.timeouts.advance(100);
        return (await vectors(team)).length;
      },
      { interval: 20 },
    )
    .toBe(71);
  batch.go();
  await expect.poll(() => jobs(team)).toMatchObject([{ state: "done", attempts: 2 }]);
  const passages = sent().filter((text) => text.includes("\n"));
  expect(new Set(passages).size).toBe(71);
  expect(passages.length).toBeLessThanOrEqual(71 + 32);

  // Usually each is asked for once.
  model.requests.length = 0;
  for (const { id } of (await team.get("/articles?limit=100")).body.data.slice(0, 20)) {
    await Promise.all(
      [app, second].map((each) =>
        each.perform(team.actor, updateArticle, { articleId: id, change: { answer: "Stones." } }),
      ),
    );
  }
  await expect
    .poll(
      async () => {
        scene.timeouts.advance(100);
        const states = (await jobs(team)).map(({ state }) => state);
        return (
          states.every((state) => state === "done") && new Set(sent().filter((text) => text.endsWith("Stones."))).size
        );
      },
      { interval: 20 },
    )
    .toBe(20);
  const again = sent().filter((text) => text.endsWith("Stones."));
  expect(again).toHaveLength(20);
});

test("the vectors in memory of teams that have not asked for longest go at the bound", async () => {
  const teams = await Promise.all([1, 2, 3].map(() => scene.team()));
  for (const team of teams) await run(team);
  const whole: string[] = [];
  const watched: Perform = (actor, operation, input) => {
    if (operation.name === "read-vectors" && (input as { from: number }).from === 1) whole.push(actor.teamId);
    return quietly(actor, operation, input);
  };
  const nearestPassages = createNearestPassages({
    ...{ perform: () => watched, clients, timeouts: limits, steadyNow: runtime.steadyNow },
    // Each has one vector of 512 numbers.
    maxBytes: 2 * (512 * 4 + 300),
  });
  const ask = async (team: TestTeam) => {
    whole.length = 0;
    const found = await nearestPassages({ teamId: team.teamId, connection, questions: ["Parcels?"], signal });
    expect(found?.passages).toHaveLength(1);
    return whole.length > 0;
  };
  const [acme, umbra, zeta] = teams as [TestTeam, TestTeam, TestTeam];
  expect([await ask(acme), await ask(umbra), await ask(acme)]).toEqual([true, true, false]);
  // Umbra's go: Acme has asked since.
  expect([await ask(zeta), await ask(acme), await ask(umbra)]).toEqual([true, false, true]);
  expect([await ask(acme), await ask(zeta)]).toEqual([false, true]);
});
