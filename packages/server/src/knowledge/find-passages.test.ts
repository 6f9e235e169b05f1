/** What the built-in AI is given to read (docs/decisions/0079-hybrid-search.md). The same on both engines. */
import { articlesForTests, unanswerableForTests } from "@frontdesk/testing/sample-articles";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { Operation } from "../context.ts";
import { addArticle } from "./add-article.ts";
import { type FoundPassages, findPassages, findPassagesFor, type PassageSearch } from "./find-passages.ts";
import { listArticles } from "./list-articles.ts";
import { removeArticle } from "./remove-article.ts";
import { type ArticleChange, updateArticle } from "./update-article.ts";
import type { NearestPassages } from "./vectors/nearest-passages.ts";
import { fingerprintOf } from "./vectors/vector.ts";

const { app, clock, team } = await startTestApp();

const add = (acme: TestTeam, question: string, answer: string, isPublished = true) =>
  app.perform(acme.actor, addArticle, { question, answer, isPublished });
/** What a turn reads, as an operation of its own. */
const reading: Operation<PassageSearch, FoundPassages> = { name: "search-articles", mode: "read", run: findPassages };
const find = (acme: TestTeam, ...questions: string[]) => app.perform(acme.actor, reading, { questions, limit: 5 });

/** Enough that the knowledge base is not read whole: about something that no test asks for. */
async function fill(acme: TestTeam): Promise<void> {
  for (let shelf = 0; shelf < 20; shelf += 1) {
    await add(acme, `Inventory of shelf ${shelf}`, "Sorted granite pebbles. ".repeat(110));
  }
}

describe("a small knowledge base", () => {
  test("is read whole, whatever was asked, in the order in which it was written", async () => {
    const shop = await team();
    const english = articlesForTests.filter(({ about }) => about.startsWith("en-"));
    for (const { question, answer } of english) await add(shop, question, answer);
    await add(shop, "A draft?", "Not yet.", false);
    const found = await find(shop, "Kan jag få pengarna tillbaka?");
    expect(found.isWholeBase).toBe(true);
    expect(found.passages.map(({ title, text }) => [title, text])).toEqual(
      english.map(({ question, answer }) => [question, answer]),
    );
    expect(await find(shop, "Something else")).toEqual(found);
  });

  test("that is empty has no passages", async () => {
    expect(await find(await team(), "Hello?")).toEqual({ passages: [], isWholeBase: true });
  });

  test("is no longer small with more than 8,000 tokens, which are fewer characters in some scripts", async () => {
    const [latin, chinese] = [await team(), await team()];
    await add(latin, "Zip?", "zips ".repeat(3_000));
    await add(chinese, "拉链", "我们修理拉链。".repeat(1_500));
    expect((await find(latin, "zip")).isWholeBase).toBe(true);
    expect((await find(chinese, "zip")).isWholeBase).toBe(false);
    for (const part of ["Strap?", "Seam?"]) await add(latin, part, "zips ".repeat(3_000));
    expect((await find(latin, "zip")).isWholeBase).toBe(false);
  });
});

test("the languages of a larger one are told, the commonest first; drafts don't count, and of a small one none are", async () => {
  const shop = await team();
  const languages = async () =>
    (await app.perform(shop.actor, findPassagesFor, { questions: ["Zip?"], limit: 5 })).languages;
  const german = await add(
    shop,
    "Kann ich die Tasche waschen?",
    "Ja, die Tasche ist aus Leinen und kann gewaschen werden.",
  );
  expect(await languages()).toEqual([]);
  await fill(shop);
  await add(shop, "Can I wash the bag?", "Yes, the bag is made of linen and can be washed.");
  await add(shop, "What is the strap made of?", "The strap of the bag is made of leather.");
  await add(shop, "Puis-je laver le sac ?", "Oui, le sac est en lin et peut être lavé.", false);
  expect(await languages()).toEqual(["en", "de"]);
  // They are kept until an article changes.
  const change = (to: ArticleChange) => app.perform(shop.actor, updateArticle, { articleId: german.id, change: to });
  clock.advance(1);
  await change({ question: "Puis-je laver la robe ?", answer: "Oui, elle est en lin et peut être lavée." });
  expect(await languages()).toEqual(["en", "fr"]);
  await change({ isPublished: false });
  expect(await languages()).toEqual(["en"]);
});

describe("a larger one", () => {
  let shop: TestTeam;
  beforeAll(async () => {
    shop = await team();
    await fill(shop);
    for (const { question, answer } of articlesForTests) await add(shop, question, answer);
  });
  const titles = async (...questions: string[]) => (await find(shop, ...questions)).passages.map(({ title }) => title);

  test("is searched: passages of the articles that fit best come, five at most", async () => {
    const { passages, isWholeBase } = await find(shop, "How can I return a bag?");
    expect(isWholeBase).toBe(false);
    expect(passages[0]).toMatchObject({ title: "How can I return an item?", updatedAt: clock.now(), address: null });
    expect(passages.length).toBeLessThanOrEqual(5);
  });

  test("has nothing for what no article is about", async () => {
    expect(await titles(...unanswerableForTests.slice(0, 1))).toEqual([]);
  });

  test("is searched for every message of a burst, and for a question within a long one", async () => {
    expect(await titles("How can I return an item?", "hello??", "please")).toContain("How can I return an item?");
    expect(await titles("Which payment methods do you accept?", "And how long does delivery take?")).toEqual(
      expect.arrayContaining(["Which payment methods do you accept?", "How long does delivery take?"]),
    );
    const long = `${"Lorem ipsum dolor sit amet consectetur. ".repeat(8)}How can I return an item?`;
    expect(await titles(long)).toContain("How can I return an item?");
  });

  test("nothing is found for no words", async () => {
    for (const nothing of [[], [""], ["   ", "\n"], ["?!", "👩‍👩‍👧"]]) expect(await titles(...nothing)).toEqual([]);
  });

  test("of a long article the passage is first that has the words", async () => {
    const filler = (name: string) => `## ${name}\n\n${`The ${name} is made of oiled canvas. `.repeat(28)}`;
    const answer = [
      ...["lid", "hull", "mast"].map(filler),
      "## Varnish\n\nVarnish the oars each spring.",
      filler("keel"),
    ];
    const { id } = await add(shop, "Care of a rowing boat", answer.join("\n\n"));
    const { passages } = await find(shop, "When should I varnish the oars of my boat?");
    expect(passages[0]).toMatchObject({ articleId: id, title: "Care of a rowing boat" });
    expect(passages[0]?.text).toContain("Varnish the oars each spring.");
    expect(passages.every(({ text }) => text.length <= 1_200)).toBe(true);
    expect(new Set(passages.map(({ text }) => text)).size).toBe(passages.length);
  });
});

/** What the passages mean is told by no server here: all of these are taken for nearest. */
const by = { baseUrl: "https://ai.test/v1", model: "any", size: 2 };
type Near = NearestPassages["passages"][number];
const nearTo = (articleId: string, title: string, text: string): Near => ({
  ...{ articleId, passage: 0, cosine: 1 },
  fingerprint: fingerprintOf({ title, text }, by),
});

test("a saved, unpublished or deleted article counts at once, in small knowledge bases and in larger ones, by words and by vectors", async () => {
  const word = fc.constantFrom("anchor", "basil", "copper", "dolphin");
  const act = fc.record({
    what: fc.constantFrom("add", "draft", "change", "hide", "show", "remove"),
    pick: fc.nat(),
    word,
  });
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(act, { minLength: 1, maxLength: 6 }), async (isLarge, acts) => {
      const acme = await team();
      if (isLarge) await fill(acme);
      /** What the articles say, by their ids; undefined for drafts. */
      const published = new Map<string, { title: string; says: string; isPublished: boolean }>();
      /** Of all texts that there have been. */
      const vectors: Near[] = [];
      for (const { what, pick, word: said } of acts) {
        const articleId = [...published.keys()][pick % published.size];
        const answer = `Ask for ${said}, number ${pick}.`;
        if (what === "add" || what === "draft" || articleId === undefined) {
          const title = `What about ${said}?`;
          const { id } = await add(acme, title, answer, what !== "draft");
          published.set(id, { title, says: answer, isPublished: what !== "draft" });
        } else if (what === "remove") {
          await app.perform(acme.actor, removeArticle, { articleId });
          published.delete(articleId);
        } else {
          const before = published.get(articleId) as { title: string; says: string; isPublished: boolean };
          const after = {
            title: before.title,
            says: what === "change" ? answer : before.says,
            isPublished: what === "show" || (what === "change" && before.isPublished),
          };
          const change = { answer: after.says, isPublished: after.isPublished };
          await app.perform(acme.actor, updateArticle, { articleId, change });
          published.set(articleId, after);
        }
        const shown = [...published].filter(([, { isPublished }]) => isPublished);
        for (const [articleId, { says }] of shown) {
          const { passages, isWholeBase } = await app.perform(acme.actor, reading, { questions: [says], limit: 20 });
          expect(isWholeBase).toBe(!isLarge);
          expect(passages).toContainEqual(expect.objectContaining({ articleId, text: says }));
        }
        const { passages } = await find(acme, `${said}, number ${pick}`);
        const texts = new Map(shown.map(([id, { says }]) => [id, says]));
        for (const { articleId, text } of passages) {
          if (!text.includes("granite")) expect(texts.get(articleId)).toBe(text);
        }
        if (!isLarge) continue;
        for (const [id, { title, says }] of published) vectors.push(nearTo(id, title, says));
        const current = new Set(shown.map(([id, { title, says }]) => nearTo(id, title, says).fingerprint + id));
        const near = async (passages: Near[]) => {
          const search = { questions: ["Zzyzx"], limit: 50, nearest: { by, floor: 0.5, passages } };
          const found = await app.perform(acme.actor, reading, search);
          return found.passages.map(({ articleId, text }) => `${articleId} ${text}`).sort();
        };
        expect(await near(vectors)).toEqual(shown.map(([id, { says }]) => `${id} ${says}`).sort());
        expect(
          await near(vectors.filter(({ articleId, fingerprint }) => !current.has(fingerprint + articleId))),
        ).toEqual([]);
      }
      const { rows } = await app.perform(acme.actor, listArticles, { page: 1, limit: 50 });
      expect(rows.length).toBe(published.size + (isLarge ? 20 : 0));
    }),
    { numRuns: 15 },
  );
});
