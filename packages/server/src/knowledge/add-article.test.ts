/** Adding questions and answers, and the event article.created. */
import { ANSWER_MAX, QUESTION_MAX } from "@frontdesk/core/domain/article";
import { dump, query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { eventsOf } from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";
import { addArticle, type NewArticle } from "./add-article.ts";
import { getArticle } from "./get-article.ts";
import { listArticles } from "./list-articles.ts";

const { app, storage, team, clock } = await startTestApp();

const whole: NewArticle = { question: "Do you ship to Malta?", answer: "We do.", isPublished: true };
const add = (acme: TestTeam, input: Partial<NewArticle> = {}) =>
  app.perform(acme.actor, addArticle, { ...whole, ...input });
const listed = (acme: TestTeam) => app.perform(acme.actor, listArticles, { page: 1, limit: 20 });

test("an article is kept as it was written, without the white space around it", async () => {
  const acme = await team();
  clock.advance(1_000);
  const added = await add(acme, { question: "  Do you ship to Malta? ", answer: "\n We do.\n\n  In a week.\t\n" });
  expect(added).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    question: "Do you ship to Malta?",
    answer: "We do.\n\n  In a week.",
    is_published: 1,
    created_by: null,
    created_at: clock.now(),
    updated_at: clock.now(),
  });
  expect(await app.perform(acme.actor, getArticle, { articleId: added.id.toUpperCase() })).toEqual(added);
  expect(await listed(acme)).toEqual({ rows: [added], total: 1 });
});

test("it records article.created once, without the answer, and says who wrote it", async () => {
  const acme = await team();
  const [event, ...others] = await eventsOf(acme, () =>
    add(acme, { isPublished: false, by: { agentId: acme.ada.id } }),
  );
  const { rows } = await listed(acme);
  expect(rows).toMatchObject([{ created_by: acme.ada.id, is_published: 0 }]);
  expect(others).toEqual([]);
  expect(event).toMatchObject({ name: "article.created", conversation_id: null, contact_id: null });
  expect(event?.data).toEqual({
    article: { id: rows[0]?.id, question: "Do you ship to Malta?", is_published: false },
    created_by: { agent: acme.ada },
  });
});

test("the same question may be there twice", async () => {
  const acme = await team();
  const [one, other] = [await add(acme), await add(acme)];
  expect(one.id).not.toBe(other.id);
  expect((await listed(acme)).total).toBe(2);
});

test("a draft lays down no words", async () => {
  const acme = await team();
  await add(acme, { isPublished: false });
  for (const table of ["article_words", "knowledge_words"]) {
    expect(await query(storage, `SELECT word FROM ${table} WHERE team_id = '${acme.teamId}'`)).toEqual([]);
  }
});

describe("bounds", () => {
  test.each([
    ["the shortest", { question: "?", answer: "!" }],
    ["the longest", { question: "q".repeat(QUESTION_MAX), answer: `${"a ".repeat(ANSWER_MAX / 2 - 1)}a` }],
    ["the longest in emoji", { question: "🎁".repeat(QUESTION_MAX), answer: "🎁".repeat(ANSWER_MAX) }],
    ["what folds to most", { question: "\ufdfa".repeat(QUESTION_MAX), answer: `${"\ufdfa ".repeat(5_000)}.` }],
    ["no word at all", { question: "?!", answer: "👍" }],
    ["commands", { question: "'; drop table articles --", answer: "<script>alert(1)</script>" }],
  ])("%s is taken as it is", async (_what, text) => {
    const acme = await team();
    expect(await add(acme, text)).toMatchObject(text);
    expect((await listed(acme)).rows).toMatchObject([text]);
  });

  test.each([
    ["no question", { question: "" }, "question"],
    ["a question of white space", { question: " \u3000 " }, "question"],
    ["a question of two lines", { question: "one\ntwo" }, "question"],
    ["a question too long", { question: "🎁".repeat(QUESTION_MAX + 1) }, "question"],
    ["a question with NUL", { question: "one\0" }, "question"],
    ["no answer", { answer: "" }, "answer"],
    ["an answer of white space", { answer: "\n\u200b\n" }, "answer"],
    ["an answer too long", { answer: "x".repeat(ANSWER_MAX + 1) }, "answer"],
    ["an answer with half a character", { answer: "We do \ud83d" }, "answer"],
  ])("%s is refused on its field, and leaves nothing", async (_what, wrong, field) => {
    const acme = await team();
    const before = await dump(storage);
    await expect(add(acme, wrong)).rejects.toMatchObject({
      reason: { name: "invalid", errors: { [field]: [expect.any(String)] } },
    });
    expect(await dump(storage)).toBe(before);
  });
});

test("another team's agent cannot have written it", async () => {
  const [acme, sams] = [await team(), await team()];
  const before = await dump(storage);
  await expect(add(acme, { by: { agentId: sams.ada.id } })).rejects.toMatchObject({ reason: { name: "invalid" } });
  expect(await dump(storage)).toBe(before);
});
