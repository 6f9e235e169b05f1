/** The tool search-knowledge-base as an operation, in ten languages (docs/decisions/0017-knowledge-search.md). */

import { articlesForTests, questionsForTests, unanswerableForTests } from "@frontdesk/testing/sample-articles";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { describe, expect, test } from "vitest";
import { addArticle } from "./add-article.ts";
import { removeArticle } from "./remove-article.ts";
import { searchArticles } from "./search-articles.ts";
import { updateArticle } from "./update-article.ts";

const { app, team, clock } = await startTestApp();

const add = (acme: TestTeam, question: string, answer = "See above.", isPublished = true) =>
  app.perform(acme.actor, addArticle, { question, answer, isPublished });
const search = (acme: TestTeam, query: string, limit = 20) => app.perform(acme.actor, searchArticles, { query, limit });
const questionsFound = async (acme: TestTeam, query: string, limit = 20) =>
  (await search(acme, query, limit)).map(({ question }) => question);

/** The shop for bags, and what each of its articles is about. */
const shop = await team();
const about = new Map<string, string>();
for (const { about: subject, question, answer } of articlesForTests) {
  about.set((await add(shop, question, answer)).id, subject);
}
const subjectsFound = async (query: string) => (await search(shop, query)).map(({ id }) => about.get(id));

describe.each(["exact words", "a typo", "another form of a word", "a question in everyday words"] as const)(
  "the right article is first for %s",
  (kind) => {
    test.each(questionsForTests.filter((one) => one.kind === kind))("$finds: $asked", async ({ asked, finds }) => {
      expect((await subjectsFound(asked))[0]).toBe(finds);
    });
  },
);

test.each(unanswerableForTests)("nothing is found where nothing fits: %s", async (asked) => {
  expect(await subjectsFound(asked)).toEqual([]);
});

test("an article is answered as it was written, and as often as asked for at most", async () => {
  const [found, ...others] = await search(shop, "tracking number", 1);
  expect(others).toEqual([]);
  const written = articlesForTests.find((article) => article.about === "en-delivery");
  expect(found).toMatchObject({ question: written?.question, answer: written?.answer, is_published: 1 });
  expect(found).not.toHaveProperty("words");
  expect((await search(shop, "bag order account password delivery", 50)).length).toBeGreaterThan(1);
});

test("letter case, accents and the digits of a script do not matter", async () => {
  for (const [query, subject] of [
    ["CONTRASEÑA", "es-password"],
    ["contrasena", "es-password"],
    ["RUCKSENDUNG", "de-returns"],
    ["reissverschlusse", "de-warranty"],
    ["пришлем ссылку", "ru-password"],
    ["٢٠٠ ريال", "ar-delivery"],
    ["200 ريال", "ar-delivery"],
    ["ＶＩＳＡ", "en-payment"],
    ["करूं", "hi-returns"],
  ] as const) {
    expect({ query, first: (await subjectsFound(query))[0] }).toEqual({ query, first: subject });
  }
});

describe("the order", () => {
  test("the words themselves come first, then forms of them, then what is spelled alike", async () => {
    const acme = await team();
    await add(acme, "Where are refusals sent?");
    await add(acme, "Where are refunds sent?");
    await add(acme, "Where is the refund sent?");
    expect(await questionsFound(acme, "refund")).toEqual(["Where is the refund sent?", "Where are refunds sent?"]);
    expect((await questionsFound(acme, "refudn"))[0]).toBe("Where is the refund sent?");
  });

  test("a word of the question says more than one of the answer", async () => {
    const acme = await team();
    await add(acme, "Which shops are there?", "There is a café beside the shop in Lisbon.");
    await add(acme, "Is there a café?", "Beside the shop in Porto.");
    expect(await questionsFound(acme, "café")).toEqual(["Is there a café?", "Which shops are there?"]);
  });

  test("a rare word says more than a common one", async () => {
    const acme = await team();
    for (const colour of ["red", "green", "blue", "black", "white"]) await add(acme, `Is the bag there in ${colour}?`);
    await add(acme, "Is velvet washable?");
    expect((await questionsFound(acme, "velvet bag"))[0]).toBe("Is velvet washable?");
  });

  test("an article that holds the question word by word is first, however often others say its words", async () => {
    const acme = await team();
    await add(acme, "Bank transfer, transfer to a bank, bank", "Bank transfer bank bank transfer. A gift for a bank.");
    await add(acme, "Is there a gift card?", "A card. A gift. Cards for gifts. Gift it as a card.");
    await add(acme, "What can I pay with?", "With a card gift from a bank, by card gift, or with money.");
    expect((await questionsFound(acme, "card gift"))[0]).toBe("What can I pay with?");
    await add(acme, "What is a card gift?", "Nobody knows.");
    expect((await questionsFound(acme, "card gift")).slice(0, 2)).toEqual([
      "What is a card gift?",
      "What can I pay with?",
    ]);
  });

  test("of equal ones the one that was changed last is first, then the newest", async () => {
    const acme = await team();
    const [first] = [
      await add(acme, "Do you ship to Malta?", "Yes: one."),
      await add(acme, "Do you ship to Malta?", "Yes: two."),
    ];
    expect((await search(acme, "Malta")).map(({ answer }) => answer)).toEqual(["Yes: two.", "Yes: one."]);
    clock.advance(1_000);
    await app.perform(acme.actor, updateArticle, { articleId: first.id, change: { answer: "Yes: 1." } });
    expect((await search(acme, "Malta")).map(({ answer }) => answer)).toEqual(["Yes: 1.", "Yes: two."]);
  });

  test("while the last word is being written, its beginning finds", async () => {
    const acme = await team();
    await add(acme, "What does engraving cost?");
    for (const query of ["en", "engr", "what does engrav"]) {
      expect({ query, found: await questionsFound(acme, query) }).toEqual({
        query,
        found: ["What does engraving cost?"],
      });
    }
    for (const query of ["en.", "en gold"]) expect(await questionsFound(acme, query)).toEqual([]);
  });
});

describe("who is found", () => {
  test("a draft is not found, nor a published one that became a draft, nor a removed one", async () => {
    const acme = await team();
    await add(acme, "How do I gild a bag?", "With gold.", false);
    const article = await add(acme, "How do I gild a belt?", "With gold.");
    expect(await questionsFound(acme, "gild gold")).toEqual(["How do I gild a belt?"]);
    const publish = (isPublished: boolean) =>
      app.perform(acme.actor, updateArticle, { articleId: article.id, change: { isPublished } });
    await publish(false);
    expect(await questionsFound(acme, "gild gold")).toEqual([]);
    await publish(true);
    expect(await questionsFound(acme, "gild gold")).toEqual(["How do I gild a belt?"]);
    await app.perform(acme.actor, removeArticle, { articleId: article.id });
    expect(await questionsFound(acme, "gild gold")).toEqual([]);
  });

  test("an article is found by what it says now, and no more by what it said", async () => {
    const acme = await team();
    const { id } = await add(acme, "Do you engrave initials?", "For a small fee.");
    await app.perform(acme.actor, updateArticle, {
      articleId: id,
      change: { question: "Do you emboss initials?", answer: "For free." },
    });
    expect(await questionsFound(acme, "engrave")).toEqual([]);
    expect(await questionsFound(acme, "fee")).toEqual([]);
    expect(await questionsFound(acme, "emboss")).toEqual(["Do you emboss initials?"]);
    expect(await questionsFound(acme, "free initials")).toEqual(["Do you emboss initials?"]);
  });

  test("another team's articles are never found, nor do its words change what is found", async () => {
    const [acme, sams] = [await team(), await team()];
    await add(sams, "Where is the treasure?", "Beneath the oak.");
    expect(await questionsFound(acme, "treasure oak")).toEqual([]);
    await add(acme, "Where is the measure?", "In the drawer.");
    // With Sam's word known, "treasure" would be spelled right and no typo of "measure".
    expect(await questionsFound(acme, "treasure")).toEqual(["Where is the measure?"]);
    expect(await questionsFound(sams, "treasure")).toEqual(["Where is the treasure?"]);
  });
});

describe("what is asked", () => {
  test("may be 255 characters long, and no longer", async () => {
    for (const query of ["x".repeat(255), "🎁".repeat(255), "bag ".repeat(63), "退货".repeat(127)]) {
      await expect(search(shop, query)).resolves.toBeInstanceOf(Array);
    }
    for (const query of ["x".repeat(256), "🎁".repeat(256), "bag ".repeat(2_500)]) {
      await expect(search(shop, query)).rejects.toMatchObject({
        reason: { name: "invalid", errors: { query: ["Please use at most 255 characters."] } },
      });
    }
  });

  test.each([
    "%",
    "_",
    "100%",
    "'",
    '"',
    "\\",
    "' OR 1=1 --",
    "AND",
    "OR NOT",
    "NEAR(bag, 2)",
    "*",
    "bag*",
    '"bag',
    "^bag",
    "bag:",
    "{bag}",
    "(bag",
    "a\0bag\0",
    "\ud83d bag",
    "\u{10ffff}",
    "__proto__ constructor",
    " \t\n",
    "",
  ])("holds no commands: %j", async (query) => {
    const found = await subjectsFound(query);
    // Only the words in it count.
    expect(found).toEqual(await subjectsFound(query.toWellFormed().replaceAll(/[^a-z0-9 ]/gi, " ")));
  });
});
