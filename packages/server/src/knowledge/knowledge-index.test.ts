/**
 * The words that articles are found by: they equal the words computed from the published articles, after any changes, and a
 * search by them finds what a scan of every word of every article finds. The same on both engines.
 */

import {
  articleWords,
  COVERAGE_MIN,
  rankArticles,
  type UnderstoodWord,
  type WordInArticle,
} from "@frontdesk/core/domain/article-ranking";
import { type AskedWord, askedWords } from "@frontdesk/core/domain/text-words";
import { backward, likeness, SAME_WORD } from "@frontdesk/core/domain/word-likeness";
import { codePoint } from "@frontdesk/testing/code-point";
import { articlesForTests } from "@frontdesk/testing/sample-articles";
import { query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { addArticle } from "./add-article.ts";
import { listArticles } from "./list-articles.ts";
import { removeArticle } from "./remove-article.ts";
import { searchArticles } from "./search-articles.ts";
import { updateArticle } from "./update-article.ts";

const { app, storage, team } = await startTestApp();

/** Texts that share words, among them such as mean something in JSON, in JavaScript, and nothing at all. */
const pieces = [
  ...articlesForTests.flatMap(({ question, answer }) => [question, ...answer.split(/(?<=[.。।،؟?])/)]),
  "constructor toString __proto__ 12 12",
  "\u{10ffff}",
  "👩‍👩‍👧",
  "𝔊𝔬𝔱𝔥𝔦𝔠 𐌰𐌱𐌲 gothic",
  '"quoted" back\\slash %_',
  "a",
];
const text = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: codePoint, maxLength: 12 })), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.join(" ").replaceAll("\0", " ").toWellFormed());
const line = text.map(
  (words) =>
    `${words
      .replaceAll(/\p{Cc}/gu, " ")
      .slice(0, 400)
      .toWellFormed()}.`,
);

const act = fc.record({
  what: fc.constantFrom("add", "add", "add a draft", "change", "publish", "unpublish", "remove"),
  pick: fc.nat(),
  question: line,
  answer: text.map((words) => `${words}.`),
});
type Act = typeof act extends fc.Arbitrary<infer One> ? One : never;

async function perform(acme: TestTeam, { what, pick, question, answer }: Act): Promise<unknown> {
  const { rows } = await app.perform(acme.actor, listArticles, { page: 1, limit: 100 });
  const articleId = rows[pick % rows.length]?.id;
  if (what === "add" || what === "add a draft" || articleId === undefined) {
    return app.perform(acme.actor, addArticle, { question, answer, isPublished: what === "add" });
  }
  switch (what) {
    case "change":
      return app.perform(acme.actor, updateArticle, { articleId, change: pick % 2 ? { question } : { answer } });
    case "publish":
    case "unpublish":
      return app.perform(acme.actor, updateArticle, { articleId, change: { isPublished: what === "publish" } });
    case "remove":
      return app.perform(acme.actor, removeArticle, { articleId });
    default:
      throw new Error(what);
  }
}

/** Every word of every published article. */
async function placesOf(acme: TestTeam): Promise<WordInArticle[]> {
  const { rows } = await app.perform(acme.actor, listArticles, { page: 1, limit: 10_000 });
  return rows
    .filter(({ is_published }) => is_published === 1)
    .flatMap((article) =>
      [...articleWords(article)].map(([word, weight]) => ({ word, article_id: article.id, weight })),
    );
}

const sorted = (rows: object[]): string[] => rows.map((row) => JSON.stringify(row)).toSorted();

test("after any run of changes the words, their counts and the totals are what a fresh look gives", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 10 }), async (acts) => {
      const acme = await team();
      for (const one of acts) await perform(acme, one);
      const inTeam = `WHERE team_id = '${acme.teamId}'`;
      const places = await placesOf(acme);
      expect(sorted(await query(storage, `SELECT word, article_id, weight FROM article_words ${inTeam}`))).toEqual(
        sorted(places),
      );
      const known = [...Map.groupBy(places, ({ word }) => word)].map(([word, { length }]) => ({
        word,
        backward: backward(word),
        articles: length,
      }));
      expect(sorted(await query(storage, `SELECT word, backward, articles FROM knowledge_words ${inTeam}`))).toEqual(
        sorted(known),
      );
      const [kept] = await query(storage, `SELECT articles, published_articles FROM team_counters ${inTeam}`);
      const [counted] = await query(
        storage,
        `SELECT count(*) AS articles, coalesce(sum(is_published), 0) AS published FROM articles ${inTeam}`,
      );
      expect([kept?.articles, kept?.published_articles]).toEqual([
        Number(counted?.articles),
        Number(counted?.published),
      ]);
    }),
    { numRuns: 40 },
  );
});

test("a longer answer makes the words of the question weigh less", async () => {
  const acme = await team();
  const { id } = await app.perform(acme.actor, addArticle, { question: "Zip?", answer: "No.", isPublished: true });
  const weight = async () =>
    (await query(storage, `SELECT weight FROM article_words WHERE article_id = '${id}' AND word = 'zip'`))[0]?.weight;
  const before = Number(await weight());
  await app.perform(acme.actor, updateArticle, { articleId: id, change: { answer: "No. ".repeat(500) } });
  expect(Number(await weight())).toBeLessThan(before);
});

test("a change of how texts are cut into words leaves nothing behind", async () => {
  const acme = await team();
  const { id } = await app.perform(acme.actor, addArticle, { question: "Old?", answer: "New.", isPublished: true });
  // As an earlier program may have cut it.
  for (const statement of [
    `UPDATE articles SET words = '{"ol":7}' WHERE id = '${id}'`,
    `UPDATE article_words SET word = 'ol', weight = 7 WHERE article_id = '${id}' AND word = 'old'`,
    `DELETE FROM article_words WHERE article_id = '${id}' AND word = 'new'`,
    `UPDATE knowledge_words SET word = 'ol', backward = 'lo' WHERE team_id = '${acme.teamId}' AND word = 'old'`,
    `DELETE FROM knowledge_words WHERE team_id = '${acme.teamId}' AND word = 'new'`,
  ]) {
    await query(storage, statement);
  }
  await app.perform(acme.actor, removeArticle, { articleId: id });
  for (const table of ["article_words", "knowledge_words"]) {
    expect(await query(storage, `SELECT word FROM ${table} WHERE team_id = '${acme.teamId}'`)).toEqual([]);
  }
});

/** The best 50 articles by the rule, read word by word from the decision, with every word of every article compared. */
function plainly(places: readonly WordInArticle[], asked: string): string[] {
  const known = [...Map.groupBy(places, ({ word }) => word)].map(([word, { length }]) => ({ word, articles: length }));
  const understood = askedWords(asked).map(
    (word): UnderstoodWord => ({ letters: word.letters, parts: word.parts.map((part) => takenFor(known, word, part)) }),
  );
  const published = new Set(places.map(({ article_id }) => article_id)).size;
  const found = rankArticles(understood, places, published).filter(({ coverage }) => coverage >= COVERAGE_MIN);
  return found.slice(0, 50).map(({ id }) => id);
}

function takenFor(known: { word: string; articles: number }[], { takes, unfinished }: AskedWord, part: string) {
  const compared = (compare: (word: string) => number) =>
    known.map((one) => ({ ...one, likeness: compare(one.word) })).filter((one) => one.likeness > 0);
  if (takes === "the same") return compared((word) => Number(word === part));
  if (takes === "what begins so") return compared((word) => Number(word.startsWith(part)));
  const forms = compared((word) => likeness(part, word, { unfinished, forgiving: false }));
  if (forms.some((form) => form.likeness >= SAME_WORD)) return forms;
  // Two typos in a long word are looked for where its first or its last three letters are right.
  const near = (word: string) => word.slice(0, 3) === part.slice(0, 3) || word.slice(-3) === part.slice(-3);
  return compared((word) => {
    const whole = likeness(part, word, { unfinished, forgiving: true });
    return near(word) || part.length < 8 ? whole : likeness(part, word, { unfinished, forgiving: false });
  });
}

/** Words of the articles, some spelled otherwise, and anything else. */
const words = articlesForTests.flatMap(({ question, answer }) => `${question} ${answer}`.split(/\s+/));
const spelled = fc
  .tuple(fc.constantFrom(...words), fc.nat(), fc.constantFrom("as it is", "left out", "swapped", "added", "cut"))
  .map(([word, at, how]) => {
    const letters = [...word];
    const index = at % letters.length;
    if (how === "left out") letters.splice(index, 1);
    if (how === "swapped") letters.splice(index, 2, ...letters.slice(index, index + 2).reverse());
    if (how === "added") letters.splice(index, 0, "x");
    return how === "cut" ? word.slice(0, index + 1).toWellFormed() : letters.join("");
  });
const asked = fc
  .array(
    fc.oneof({ weight: 5, arbitrary: spelled }, { weight: 1, arbitrary: fc.string({ unit: codePoint, maxLength: 8 }) }),
    {
      maxLength: 6,
    },
  )
  .map((parts) => parts.join(" "))
  .filter((question) => question.length <= 255);

test("a search finds exactly what a look at every word of every article finds, for any text", async () => {
  const shop = await team();
  for (const { question, answer } of articlesForTests) {
    await app.perform(shop.actor, addArticle, { question, answer, isPublished: true });
  }
  const places = await placesOf(shop);
  let found = 0;
  await fc.assert(
    fc.asyncProperty(asked, async (question) => {
      const answer = await app.perform(shop.actor, searchArticles, { query: question, limit: 50 });
      found += answer.length;
      expect({ question, ids: answer.map(({ id }) => id).toSorted() }).toEqual({
        question,
        ids: plainly(places, question).toSorted(),
      });
    }),
    { numRuns: 100 },
  );
  expect(found).toBeGreaterThan(100);
});

describe("where words are too common for all of their places to be read", () => {
  /** 30 words that every article holds, and one that it holds alone. */
  const everywhere = Array.from({ length: 30 }, (_, index) => `${"bcdfghjklm"[index % 10]}${"aei"[index % 3]}rst`);
  let acme: TestTeam;
  beforeAll(async () => {
    acme = await team();
    await Promise.all(
      Array.from({ length: 90 }, (_, index) =>
        app.perform(acme.actor, addArticle, {
          question: `shelf${index}no ${everywhere.slice(index % 7).join(" ")}?`,
          answer: `Forms: ${Array.from("abcdefghijklmnopqrstuvwxyz", (letter) => `orchid${letter}`).join(" ")}.`,
          isPublished: true,
        }),
      ),
    );
    for (const [question, answer] of [
      ["Orchid?", "It blooms."],
      ["Velvet?", everywhere.join(" ")],
      ["Velvet?", `${everywhere.slice(0, -2).join(" ")} silk silk.`],
      // The two words that the last one lacks are the commonest.
      ["Linen?", everywhere.slice(-2).join(" ")],
      ["Cotton?", everywhere.slice(-2).join(" ")],
    ] as const) {
      await app.perform(acme.actor, addArticle, { question, answer, isPublished: true });
    }
  });

  test("the articles that the rarer words are in are ranked by all words", async () => {
    const places = await placesOf(acme);
    expect(places.filter(({ word }) => everywhere.includes(word)).length).toBeGreaterThan(2_000);
    for (const rare of ["shelf0no", "shelf44no", "velvet"]) {
      const query = `${rare} ${everywhere.join(" ")}`;
      const found = await app.perform(acme.actor, searchArticles, { query, limit: 10 });
      expect(found.map(({ id }) => id)).toEqual(plainly(places, query).slice(0, 10));
      expect(found).toHaveLength(10);
    }
  });

  test("of one such word the places that say most are read", async () => {
    const found = await app.perform(acme.actor, searchArticles, { query: "orchid", limit: 50 });
    expect(found).toHaveLength(50);
    expect(found[0]?.question).toBe("Orchid?");
  });
});
