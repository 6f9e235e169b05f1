/** Changing and removing questions and answers, and the events article.updated and article.removed. */

import { NO_IDS } from "@frontdesk/testing/rest-answers";
import { dump } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { eventsOf } from "@frontdesk/testing/vera";
import { describe, expect, test } from "vitest";
import { addArticle } from "./add-article.ts";
import { getArticle } from "./get-article.ts";
import { listArticles } from "./list-articles.ts";
import { removeArticle } from "./remove-article.ts";
import { type ArticleChange, updateArticle } from "./update-article.ts";

const { app, storage, team, clock } = await startTestApp();

const add = (acme: TestTeam, question = "Do you ship to Malta?") =>
  app.perform(acme.actor, addArticle, { question, answer: "We do.", isPublished: true });
const change = (acme: TestTeam, articleId: string, wanted: ArticleChange, agentId?: string) =>
  app.perform(acme.actor, updateArticle, { articleId, change: wanted, by: agentId ? { agentId } : undefined });
const remove = (acme: TestTeam, articleId: string, agentId?: string) =>
  app.perform(acme.actor, removeArticle, { articleId, by: agentId ? { agentId } : undefined });

describe("changing", () => {
  test("sets what is given and nothing else", async () => {
    const acme = await team();
    const added = await add(acme);
    clock.advance(1_000);
    const changed = await change(acme, added.id, { answer: " We do, in a week. " });
    expect(changed).toEqual({ ...added, answer: "We do, in a week.", updated_at: clock.now() });
    expect(await app.perform(acme.actor, getArticle, { articleId: added.id })).toEqual(changed);
  });

  test("records article.updated once, with the fields that have changed and who changed them", async () => {
    const acme = await team();
    const { id } = await add(acme);
    const wanted = { question: "Do you ship to Gozo?", answer: "We do.", isPublished: false };
    const [event, ...others] = await eventsOf(acme, () => change(acme, id, wanted, acme.ada.id));
    expect(others).toEqual([]);
    expect(event).toMatchObject({ name: "article.updated", occurred_at: clock.now() });
    expect(event?.data).toEqual({
      article: { id, question: "Do you ship to Gozo?", is_published: false },
      updated_fields: ["question", "is_published"],
      updated_by: { agent: acme.ada },
    });
  });

  test("to what is so already stays, and records no event", async () => {
    const acme = await team();
    const added = await add(acme);
    const before = await dump(storage);
    clock.advance(1_000);
    for (const same of [{ answer: "We do." }, { question: " Do you ship to Malta?" }, { isPublished: true }]) {
      expect(await change(acme, added.id, same)).toEqual(added);
    }
    expect(await dump(storage)).toBe(before);
  });

  test("nothing is refused on each field that could be", async () => {
    const acme = await team();
    const { id } = await add(acme);
    await expect(change(acme, id, { answer: undefined })).rejects.toMatchObject({
      reason: {
        name: "invalid",
        errors: { question: [expect.any(String)], answer: [expect.any(String)], is_published: [expect.any(String)] },
      },
    });
  });

  test.each([
    ["question", { question: "\n" }],
    ["answer", { answer: "x".repeat(20_001) }],
  ])("to a %s that breaks a rule is refused, and changes nothing", async (field, wrong) => {
    const acme = await team();
    const { id } = await add(acme);
    const before = await dump(storage);
    await expect(change(acme, id, { isPublished: false, ...wrong })).rejects.toMatchObject({
      reason: { name: "invalid", errors: { [field]: [expect.any(String)] } },
    });
    expect(await dump(storage)).toBe(before);
  });
});

describe("removing", () => {
  test("an article is gone for good, and the others stay", async () => {
    const acme = await team();
    const [malta, gozo] = [await add(acme), await add(acme, "Do you ship to Gozo?")];
    await remove(acme, malta.id);
    expect(await app.perform(acme.actor, listArticles, { page: 1, limit: 20 })).toEqual({ rows: [gozo], total: 1 });
  });

  test("records article.removed once, with what it was and who removed it; a repeat finds none", async () => {
    const acme = await team();
    const { id } = await add(acme);
    const events = await eventsOf(acme, async () => {
      await remove(acme, id, acme.ada.id);
      await expect(remove(acme, id)).rejects.toMatchObject({ message: "Article not found." });
    });
    expect(events).toMatchObject([
      {
        name: "article.removed",
        data: {
          article: { id, question: "Do you ship to Malta?", is_published: true },
          removed_by: { agent: acme.ada },
        },
      },
    ]);
  });

  test("of several who remove it at once, one does", async () => {
    const acme = await team();
    const { id } = await add(acme);
    const asked = await Promise.allSettled(Array.from({ length: 10 }, () => remove(acme, id)));
    expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});

test("another team's article is as an unknown one, to read, to change and to remove", async () => {
  const [acme, sams] = [await team(), await team()];
  const { id } = await add(acme);
  const before = await dump(storage);
  for (const articleId of [id, ...NO_IDS]) {
    for (const act of [
      () => app.perform(sams.actor, getArticle, { articleId }),
      () => change(sams, articleId, { isPublished: false }),
      () => remove(sams, articleId),
    ]) {
      await expect(act()).rejects.toMatchObject({
        message: "Article not found.",
        reason: { name: "not-found", what: "article" },
      });
    }
  }
  expect((await app.perform(sams.actor, listArticles, { page: 1, limit: 20 })).rows).toEqual([]);
  expect(await dump(storage)).toBe(before);
});

test("the list has the ones that were changed last first, drafts too, a page at a time", async () => {
  const acme = await team();
  const ids: string[] = [];
  for (const name of ["one", "two", "three", "four", "five"]) ids.push((await add(acme, `Question ${name}?`)).id);
  clock.advance(1_000);
  await change(acme, ids[1] as string, { isPublished: false });
  const page = async (number: number) => {
    const { rows, total } = await app.perform(acme.actor, listArticles, { page: number, limit: 2 });
    return { ids: rows.map(({ id }) => ids.indexOf(id)), total };
  };
  expect([await page(1), await page(2), await page(3), await page(4)]).toEqual([
    { ids: [1, 4], total: 5 },
    { ids: [3, 2], total: 5 },
    { ids: [0], total: 5 },
    { ids: [], total: 5 },
  ]);
});
