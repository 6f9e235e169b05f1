/** docs/decisions/0017-knowledge-search.md: how articles are ranked. */
import { array, assert, constantFrom, nat, property, record } from "fast-check";
import { describe, expect, test } from "vitest";
import {
  articlesWith,
  articleWords,
  rankArticles,
  shareOf,
  type UnderstoodWord,
  type WordInArticle,
} from "./article-ranking.ts";

describe("the words of an article", () => {
  const weightOf = (word: string, question: string, answer: string) =>
    articleWords({ question, answer }).get(word) ?? 0;

  test("have weights from 1 to 1,000", () => {
    const long = articleWords({ question: "bag ".repeat(100), answer: `zip ${"strap ".repeat(3_300)}` });
    for (const [word, weight] of long) {
      expect({ word, weight: Number.isInteger(weight) && weight >= 1 && weight <= 1_000 }).toEqual({
        word,
        weight: true,
      });
    }
    expect([...long.keys()]).toEqual(["bag", "zip", "strap"]);
  });

  test("weigh more in the question than in the answer, and more the more often they stand there", () => {
    const inQuestion = weightOf("zip", "a zip", "a strap");
    const inAnswer = weightOf("zip", "a strap", "a zip");
    const twice = weightOf("zip", "a strap", "a zip zip");
    expect(inQuestion).toBeGreaterThan(inAnswer);
    expect(twice).toBeGreaterThan(inAnswer);
  });

  test("weigh less in a longer article", () => {
    expect(weightOf("zip", "a zip", "strap ".repeat(500))).toBeLessThan(weightOf("zip", "a zip", "strap"));
  });
});

/** A word that some articles hold as it is. */
const word = (text: string, articles: number, likeness = 1): UnderstoodWord => ({
  letters: text.length,
  parts: [articles > 0 ? [{ word: text, articles, likeness }] : []],
});
const place = (text: string, article_id: string, weight = 500): WordInArticle => ({ word: text, article_id, weight });
const order = (asked: UnderstoodWord[], found: WordInArticle[], published = 100) =>
  rankArticles(asked, found, published).map(({ id }) => id);

describe("the order", () => {
  test("an article with both words comes before those with one, and rare words count more", () => {
    const asked = [word("velvet", 2), word("orders", 60)];
    const found = [place("orders", "a", 900), place("velvet", "b"), place("velvet", "c"), place("orders", "c")];
    expect(order(asked, found)).toEqual(["c", "b", "a"]);
  });

  test("the word itself comes before what is like it", () => {
    const asked: UnderstoodWord[] = [
      {
        letters: 6,
        parts: [
          [
            { word: "refunds", articles: 1, likeness: 0.8 },
            { word: "refund", articles: 1, likeness: 1 },
          ],
        ],
      },
    ];
    expect(order(asked, [place("refunds", "a"), place("refund", "b")])).toEqual(["b", "a"]);
  });

  test("of several words of an article that are taken for the same one, the best counts once", () => {
    const parts = [["zips", "zip"].map((text) => ({ word: text, articles: 2, likeness: text === "zip" ? 1 : 0.8 }))];
    const found = [place("zip", "a"), place("zips", "a"), place("zip", "b")];
    const [first, second] = rankArticles([{ letters: 3, parts }], found, 10);
    expect(first?.score).toBe(second?.score);
  });

  test("short words say less", () => {
    const asked = [word("the", 5), word("strap", 5)];
    expect(order(asked, [place("the", "a"), place("strap", "b")])).toEqual(["b", "a"]);
  });

  test("a word in pieces is held when half of its pieces are, the more of them the better", () => {
    const pieces: UnderstoodWord = {
      letters: 4,
      parts: ["キャ", "ャン", "ンセ", "セル"].map((text) => [{ word: text, articles: 3, likeness: 1 }]),
    };
    const found = [
      ...["キャ", "ャン", "ンセ", "セル"].map((text) => place(text, "all")),
      ...["キャ", "ャン"].map((text) => place(text, "half")),
      place("キャ", "one"),
    ];
    expect(order([pieces], found)).toEqual(["all", "half"]);
  });

  test("of equal ones the newest comes first", () => {
    expect(order([word("strap", 2)], [place("strap", "01"), place("strap", "02")])).toEqual(["02", "01"]);
  });
});

describe("the coverage", () => {
  const coverage = (asked: UnderstoodWord[], found: WordInArticle[], published: number) =>
    rankArticles(asked, found, published).map((article) => article.coverage);

  test("is 1 for an article that holds every word as it is", () => {
    const asked = [word("velvet", 1), word("strap", 40), word("of", 90)];
    const found = [place("velvet", "a"), place("strap", "a", 1), place("of", "a", 1)];
    expect(coverage(asked, found, 100)).toEqual([expect.closeTo(1)]);
  });

  test("is low where the rare words of the question are missing", () => {
    const asked = [word("what", 30), word("is", 60), word("the", 80), word("capital", 0), word("france", 0)];
    const found = ["what", "is", "the"].map((text) => place(text, "a"));
    expect(coverage(asked, found, 100)[0]).toBeLessThan(0.1);
  });

  test("does not fall where there is only one article, and it has one word of two", () => {
    expect(coverage([word("refund", 1), word("policy", 0)], [place("refund", "a")], 1)[0]).toBeGreaterThan(0.24);
  });

  test("of an article is the share of its words, so that without some words it is what these leave at most", () => {
    const asked = [word("velvet", 2), word("strap", 40), word("of", 90), word("zippers", 0)];
    for (const held of [asked.slice(0, 1), asked.slice(1, 3), asked.slice(0, 3)]) {
      const found = held.flatMap(({ parts }) => parts.flat()).map((part) => place(part.word, "a"));
      expect(coverage(asked, found, 100)).toEqual([expect.closeTo(shareOf(held, asked, 100))]);
      const others = asked.filter((each) => !held.includes(each));
      expect(shareOf(held, asked, 100) + shareOf(others, asked, 100)).toBeCloseTo(1);
    }
  });
});

test("an article is held by as many as hold the word itself, else the commonest like it; pieces by the rarest", () => {
  const alike = { word: "refunds", articles: 9, likeness: 0.8 };
  expect(articlesWith({ letters: 6, parts: [[{ word: "refund", articles: 4, likeness: 1 }, alike]] })).toBe(4);
  expect(articlesWith({ letters: 6, parts: [[{ word: "refun", articles: 4, likeness: 0.7 }, alike]] })).toBe(9);
  expect(articlesWith({ letters: 6, parts: [[alike], []] })).toBe(0);
});

test("the order does not hang on the order in which the places are read", () => {
  const texts = ["velvet", "strap", "zip", "of"];
  const places = array(record({ text: constantFrom(...texts), id: nat(5), weight: nat(999) }), { maxLength: 30 });
  assert(
    property(places, (drawn) => {
      const found = [
        ...new Map(drawn.map(({ text, id, weight }) => [text + id, place(text, `${id}`, weight + 1)])).values(),
      ];
      const asked = texts.map((text) => word(text, 3));
      expect(rankArticles(asked, found.toReversed(), 50)).toEqual(rankArticles(asked, found, 50));
    }),
  );
});

test("nothing asked and nothing found rank nothing", () => {
  expect(rankArticles([], [], 0)).toEqual([]);
  expect(rankArticles([word("strap", 0)], [], 0)).toEqual([]);
  expect(rankArticles([], [place("strap", "a")], 1)).toEqual([]);
});
